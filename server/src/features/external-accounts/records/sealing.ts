/**
 * `accountInfo` is stored sealed (CORE-90): it holds tax numbers, PIX keys that are tax numbers, and document numbers.
 */
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { AccountInfo } from '../account-types/info-schema.ts'
import { textAt } from '../../customers/lists.ts'
import type { ExternalAccount } from '../external-account.ts'

export const PURPOSE = 'external-account'

/** `accountInfo` is null once its owner's data is erased (OPER-73). */
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

/** The stated name of the holder, and the number or address of the account; neither once the data is erased. */
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
