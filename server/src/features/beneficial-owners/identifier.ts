/** The government-issued number of an owner is stored sealed and opened only here (CORE-90). */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import type { Id } from '../../kernel/ids.ts'

const PURPOSE = 'beneficial-owner-identifier'

type OwnerId = Id<'beneficialOwner'>

export const sealIdentifier = (keyring: Keyring, id: OwnerId, number: string): Buffer =>
  seal(keyring, PURPOSE, number, id)

export const openIdentifier = (keyring: Keyring, id: OwnerId, sealed: Buffer): string =>
  unseal(keyring, PURPOSE, sealed, id).toString('utf8')
