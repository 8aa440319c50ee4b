import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { AuthMethodType, Credential, Session } from './credentials/auth-method.ts'

export type WireAuthMethod = {
  id: string
  accountId: string
  type: AuthMethodType
  credentialId?: string
  nickname: string
  createdAt: string
  updatedAt: string
}

export type WireSession = Omit<WireAuthMethod, 'credentialId'> & {
  encryptedSessionSigningKey?: string
  expiresAt: string
}

export function credentialToWire(credential: Credential): WireAuthMethod {
  return {
    id: formatId('authMethod', credential.id),
    accountId: formatId('internalAccount', credential.accountId),
    type: credential.type,
    ...(credential.type === 'PASSKEY' && { credentialId: credential.passkey.credentialId }),
    nickname: credential.nickname,
    createdAt: toWireTime(credential.createdAt),
    updatedAt: toWireTime(credential.updatedAt),
  }
}

export function sessionToWire(session: Session): WireSession {
  const createdAt = toWireTime(session.createdAt)
  return {
    id: formatId('session', session.id),
    accountId: formatId('internalAccount', session.accountId),
    type: session.type,
    nickname: session.nickname,
    createdAt,
    updatedAt: createdAt,
    expiresAt: toWireTime(session.expiresAt),
  }
}
