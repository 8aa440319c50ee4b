/** The government's number of an owner: sealed wherever it is stored (CORE-90), opened only here. */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import type { Id } from '../../kernel/ids.ts'

const PURPOSE = 'beneficial-owner-identifier'

type OwnerId = Id<'beneficialOwner'>

export const sealIdentifier = (keyring: Keyring, id: OwnerId, number: string): Buffer =>
  seal(keyring, PURPOSE, number, id)

export const openIdentifier = (keyring: Keyring, id: OwnerId, sealed: Buffer): string =>
  unseal(keyring, PURPOSE, sealed, id).toString('utf8')
