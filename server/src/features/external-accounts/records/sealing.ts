/**
 * `accountInfo` is stored sealed (CORE-90): it holds tax numbers, PIX keys that are tax numbers, and document numbers.
 * Duplicates are found by a keyed digest.
 */
import { blindIndex, blindIndexes } from '../../../crypto/blind-index.ts'
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { AccountInfo } from '../account-types/info-schema.ts'
import { textAt } from '../../customers/index.ts'
import { findAccountType } from '../account-types/table.ts'
import { duplicateKey } from './duplicate-key.ts'
import type { ExternalAccount } from '../external-account.ts'

const PURPOSE = 'external-account'

/** Without `accountInfo` where its owner's data is erased (OPER-73). */
export type SealedAccount = Omit<ExternalAccount, 'accountInfo'> &
  Readonly<{ accountInfo: Buffer | null }>

type Info = Readonly<{ id: Id<'externalAccount'>; accountInfo: Readonly<Record<string, unknown>> }>

export function sealInfo(keyring: Keyring, { id, accountInfo }: Info): Buffer {
  return seal(keyring, PURPOSE, JSON.stringify(accountInfo), id)
}

export function openAccount(keyring: Keyring, sealed: SealedAccount): ExternalAccount {
  const { accountInfo, id } = sealed
  const text = accountInfo ? unseal(keyring, PURPOSE, accountInfo, id).toString('utf8') : '{}'
  return { ...sealed, accountInfo: JSON.parse(text) as AccountInfo }
}

type SealedHolder = Pick<SealedAccount, 'id' | 'accountInfo' | 'identifiedBy'>

/** Whose account it is as its owner says, and its number or address; neither once that is erased. */
export function nameHolder(
  keyring: Keyring,
  { id, accountInfo, identifiedBy }: SealedHolder,
): Readonly<{ name?: string | undefined; number?: string | undefined }> {
  if (!accountInfo) return {}
  const info = JSON.parse(unseal(keyring, PURPOSE, accountInfo, id).toString('utf8')) as AccountInfo
  return {
    name: textAt(info, 'beneficiary.fullName') ?? textAt(info, 'beneficiary.legalName'),
    number: textAt(info, identifiedBy),
  }
}

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
