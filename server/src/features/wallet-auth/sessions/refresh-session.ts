/**
 * Issues a new session, signed by a session that is about to expire and stays active until then (SESS-2 to SESS-5).
 * Fails: REFERENCE_NOT_FOUND, UNAUTHORIZED (ended), and what run-signed.ts refuses with.
 */
import { isPast } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { asId } from '../../../kernel/ids.ts'
import { refreshSessionPayload } from '../../../crypto/wallet/activities.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { Session } from '../credentials/auth-method.ts'
import { clientKeyOf } from './client-key.ts'
import { mustLockSession } from '../wallets/lock.ts'
import { issueSession } from './issue-session.ts'
import type { DraftedOperation } from '../signing/signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'
import type { WireSession } from '../wire.ts'

type Subject = Readonly<{ wallet: Wallet; session: Session; clientPublicKey: string }>

export const isActive = ({ endedAt, expiresAt }: Session, now: Date): boolean =>
  endedAt === null && !isPast({ deadline: expiresAt, now })

export const refreshSession: DraftedOperation<Subject, Reply<201, WireSession>> = {
  id: 'refreshAuthSession',
  async find(work, { resourceId, body }) {
    const found = await mustLockSession(work, asId('session', resourceId))
    if (!isActive(found.session, work.now)) {
      fail('UNAUTHORIZED', { reason: 'Session is no longer active' })
    }
    return { ...found, clientPublicKey: (body as { clientPublicKey: string }).clientPublicKey }
  },
  draft: ({ session, clientPublicKey }) => ({
    credentialId: session.credentialId,
    activity: refreshSessionPayload({ sessionId: session.id, clientPublicKey }),
  }),
  maySign: ({ id }, { session }) => id === session.id,
  needsUserVerification: () => true,
  async perform(work, { subject: { session, clientPublicKey } }) {
    const clientKey = clientKeyOf(clientPublicKey)
    return reply(
      201,
      await issueSession(work, { origin: { ...session, isUserVerified: true }, clientKey }),
    )
  },
  answersOnce: ({ clientPublicKey }) => clientKeyOf(clientPublicKey).model === 'SEALED',
}
