/** The government's number of an owner: sealed wherever it is stored (CORE-90), opened only here. */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import type { Id } from '../../kernel/ids.ts'

const PURPOSE = 'beneficial-owner-identifier'

const SHOWN_CHARS = 4

type OwnerId = Id<'beneficialOwner'>

export const sealIdentifier = (keyring: Keyring, id: OwnerId, number: string): Buffer =>
  seal(keyring, PURPOSE, number, id)

export const openIdentifier = (keyring: Keyring, id: OwnerId, sealed: Buffer): string =>
  unseal(keyring, PURPOSE, sealed, id).toString('utf8')

/** BO-10: all but the last four characters are stars; separators stay, so that the form is still seen. */
export function maskIdentifier(number: string): string {
  const hidden = number.slice(0, -SHOWN_CHARS).replace(/[\p{L}\p{N}]/gu, '*')
  return `${hidden}${number.slice(-SHOWN_CHARS)}`
}
