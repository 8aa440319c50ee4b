/**
 * The nickname of a credential or session at rest: an address or number in most of them. A sealed row has its blind index
 * in place of it, so that a contact is found (OPER-78).
 */
import { blindIndex, blindIndexes } from '../../../crypto/blind-index.ts'
import { seal, unseal, type Keyring } from '../../../crypto/seal.ts'
import type { Id } from '../../../kernel/ids.ts'

export const SEALED_NICKNAME = 'wallet-nickname'

type Owner = Id<'authMethod'> | Id<'session'>

/** In lower case, as the column is compared. */
export const indexNickname = (keyring: Keyring, nickname: string): string =>
  blindIndex(keyring, SEALED_NICKNAME, nickname.toLowerCase()).toString('hex')

/** The values that the column of a credential with this contact may hold, in lower case. */
export const nicknameCandidates = (keyring: Keyring, contact: string): string[] => [
  contact.toLowerCase(),
  ...blindIndexes(keyring, SEALED_NICKNAME, contact.toLowerCase()).map((one) =>
    one.toString('hex'),
  ),
]

export const nicknameColumns = (
  keyring: Keyring,
  { id, nickname }: Readonly<{ id: Owner; nickname: string }>,
) =>
  keyring.sealsContactData
    ? {
        nickname: indexNickname(keyring, nickname),
        sealedNickname: seal(keyring, SEALED_NICKNAME, nickname, id),
      }
    : { nickname, sealedNickname: null }

type NicknameColumns = Readonly<{ id: Owner; nickname: string; sealedNickname: Buffer | null }>

export const openNickname = (
  keyring: Keyring,
  { id, nickname, sealedNickname }: NicknameColumns,
): string =>
  sealedNickname ? unseal(keyring, SEALED_NICKNAME, sealedNickname, id).toString('utf8') : nickname
