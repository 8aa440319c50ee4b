/**
 * Ends a session. Any active session of the account may sign, the ended one included; a session without user
 * verification may end only itself (SESS-6 to SESS-8).
 * Fails: REFERENCE_NOT_FOUND (also when it has ended), and what run-signed.ts refuses with.
 */
import { asId, failNotFound } from '../../../kernel/ids.ts'
import { revokeSessionPayload } from '../../../crypto/wallet/activities.ts'
import { noContent, type Reply } from '../../../infra/http/reply.ts'
import type { Session } from '../credentials/auth-method.ts'
import { mustLockSession } from '../wallets/lock.ts'
import { isActive } from './refresh-session.ts'
import { endSession } from './store.ts'
import type { DraftedOperation } from '../signing/signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'

type Subject = Readonly<{ wallet: Wallet; session: Session }>

export const revokeSession: DraftedOperation<Subject, Reply<204, undefined>> = {
  id: 'revokeAuthSession',
  async find(work, { resourceId }) {
    const found = await mustLockSession(work, asId('session', resourceId))
    return isActive(found.session, work.now) ? found : failNotFound('session')
  },
  draft: ({ wallet: { userId }, session }) => ({
    type: session.type,
    credentialId: session.credentialId,
    activity: revokeSessionPayload({ userId, sessionId: session.id }),
  }),
  needsUserVerification: ({ id }, { session }) => id !== session.id,
  async perform({ tx, platform, now }, { subject: { session } }) {
    endSession(tx, platform.id, { id: session.id, at: now })
    return noContent()
  },
}
