import { addMs } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import { issueSessionKey, type ClientPublicKey } from '../../../crypto/wallet/keys/session-key.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Session } from '../credentials/auth-method.ts'
import { SESSION_LIFETIME_MS, SESSIONS_MAX } from '../rules.ts'
import { insertSession, replaceOldSessions } from './store.ts'
import { sessionToWire, type WireSession } from '../wire.ts'

type Origin = Pick<Session, 'accountId' | 'credentialId' | 'type' | 'nickname' | 'isUserVerified'>

/**
 * Issues a session under the key model of the client's key. A sealed private key is in the answer and stored nowhere
 * (VRFY-11). Older sessions with the same key end, and so does the oldest if there are too many (VRFY-13).
 */
export async function issueSession(
  { tx, platform, now }: Work,
  { origin, clientKey }: { origin: Origin; clientKey: ClientPublicKey },
): Promise<WireSession> {
  const { accountId, credentialId, type, nickname, isUserVerified } = origin
  const key = await issueSessionKey(clientKey)
  const session: Session = {
    id: newId('session'),
    accountId,
    credentialId,
    type,
    nickname,
    publicKey: key.publicKey.compressed,
    isUserVerified,
    createdAt: now,
    expiresAt: addMs(now, SESSION_LIFETIME_MS),
    endedAt: null,
  }
  replaceOldSessions(tx, platform.id, { session, activeMax: SESSIONS_MAX })
  insertSession(tx, platform.id, session)
  const { encryptedSessionSigningKey: sealed } = key
  return { ...sessionToWire(session), ...(sealed && { encryptedSessionSigningKey: sealed }) }
}
