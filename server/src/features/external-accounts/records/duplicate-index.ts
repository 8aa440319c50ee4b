/** Duplicates are found by a keyed digest, since their account data is stored sealed (CORE-90). */
import { blindIndex, blindIndexes } from '../../../crypto/blind-index.ts'
import type { Keyring } from '../../../crypto/seal.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { findAccountType } from '../account-types/table.ts'
import { duplicateKey } from './duplicate-key.ts'
import { PURPOSE } from './sealing.ts'

export const indexDuplicateKey = (keyring: Keyring, duplicateKey: string): Buffer =>
  blindIndex(keyring, PURPOSE, duplicateKey)

/** The digest of a stored account, computed again when the account is sealed under another key. */
export function indexOfInfo(
  keyring: Keyring,
  {
    currency,
    identifiedBy,
    opened,
  }: Readonly<{ currency: string; identifiedBy: string; opened: Buffer }>,
): Buffer {
  const info = JSON.parse(opened.toString('utf8')) as Readonly<Record<string, unknown>>
  const type = findAccountType(String(info['accountType']))
  invariant(type, 'A stored account is of a known type.')
  const texts = Object.entries(info).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] in type.fields,
  )
  const values = Object.fromEntries(texts)
  const key = duplicateKey({ type, currency, identifierField: identifiedBy, values })
  return indexDuplicateKey(keyring, key)
}

/** One digest per key of the ring: the other account may be older than the newest key. */
export const duplicateIndexes = (keyring: Keyring, duplicateKey: string): Buffer[] =>
  blindIndexes(keyring, PURPOSE, duplicateKey)
