/** The government's number of a customer: sealed wherever it is stored (CORE-90), opened only here. */
import { blindIndex } from '../../../crypto/blind-index.ts'
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'

const PURPOSE = 'customer-identifier'

export const sealIdentifier = (keyring: Keyring, id: Id<'customer'>, number: string): Buffer =>
  seal(keyring, PURPOSE, number, id)

export const openIdentifier = (keyring: Keyring, id: Id<'customer'>, sealed: Buffer): string =>
  unseal(keyring, PURPOSE, sealed, id).toString('utf8')

/** The same for the same number, however it is punctuated. */
export const indexIdentifier = (keyring: Keyring, number: string): Buffer =>
  blindIndex(keyring, PURPOSE, number.toUpperCase().replace(/[^0-9A-Z]/g, ''))
