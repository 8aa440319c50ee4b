/** The government-issued number of a customer is stored sealed and opened only here (CORE-90). */
import { blindIndex } from '../../../crypto/blind-index.ts'
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'

const PURPOSE = 'customer-identifier'

export const sealIdentifier = (keyring: Keyring, id: Id<'customer'>, number: string): Buffer =>
  seal(keyring, PURPOSE, number, id)

export const openIdentifier = (keyring: Keyring, id: Id<'customer'>, sealed: Buffer): string =>
  unseal(keyring, PURPOSE, sealed, id).toString('utf8')

/** Equal for equal numbers, regardless of punctuation. */
export const indexIdentifier = (keyring: Keyring, number: string): Buffer =>
  blindIndex(keyring, PURPOSE, number.toUpperCase().replace(/[^0-9A-Z]/g, ''))
