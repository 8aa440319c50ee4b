import { Type } from '../../../infra/http/schema/type.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { read, write, type Operation } from '../../../infra/http/operation.ts'
import { reply } from '../../../infra/http/reply.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import { checkClientKey } from './client-key.ts'
import { signed, signedErrors, tag } from '../credentials/routes.ts'
import { refreshSession } from './refresh-session.ts'
import { revokeSession } from './revoke-session.ts'
import { runSigned } from '../signing/run-signed.ts'
import {
  AccountQuerySchema,
  AuthSessionSchema,
  AuthSignedRequestChallengeSchema,
  ProcessingSchema,
  SessionListSchema,
  SessionRefreshSchema,
  SignedRequestChallengeSchema,
  WalletSignerSchema,
} from '../schema.ts'
import { listActiveSessions } from './store.ts'
import { signerOf } from '../wallets/signer.ts'
import { sessionToWire } from '../wire.ts'

const params = Type.Object({ sessionId: pathId('Id of the session, `Session:<uuid>`.') })
const EXAMPLE_KEY = '02a1288a66b93d2c04c4d94ac39babe43ce09fd4bd2500456f9788bad637c677f0'

export const sessionRoutes: readonly Operation[] = [
  read({
    id: 'listAuthSessions',
    path: '/auth/sessions',
    tag,
    needs: 'VIEW',
    summary: 'List the active sessions of a wallet',
    description: 'Sessions that have neither expired nor been ended.',
    query: AccountQuerySchema,
    replies: { 200: SessionListSchema },
    handler: async ({ work: { tx, platform, now }, query }) => {
      const accountId = mustParseId('internalAccount', query.accountId)
      const sessions = await listActiveSessions(tx, platform.id, { accountId, now })
      return reply(200, { data: sessions.map(sessionToWire) })
    },
  }),
  write({
    id: 'refreshAuthSession',
    method: 'POST',
    path: '/auth/sessions/{sessionId}/refresh',
    tag,
    needs: 'TRANSACT',
    summary: 'Begin a new session in the place of one that is about to expire',
    description:
      'Only the session itself signs it. The new one has a key of its own and 15 minutes; the old one lives on until it expires.',
    params,
    body: SessionRefreshSchema,
    example: { clientPublicKey: EXAMPLE_KEY },
    replies: { 200: ProcessingSchema, 201: AuthSessionSchema, 202: SignedRequestChallengeSchema },
    errors: signedErrors,
    ...signed,
    check: ({ body }) => checkClientKey(body),
    handler: ({ work, params: { sessionId }, body, headers }) => {
      const resourceId = mustParseId('session', sessionId)
      return runSigned(work, refreshSession, { resourceId, body, headers })
    },
  }),
  write({
    id: 'revokeAuthSession',
    method: 'DELETE',
    path: '/auth/sessions/{sessionId}',
    tag,
    needs: 'TRANSACT',
    summary: 'End a session',
    description:
      'Its key signs nothing from then on; its credential stays usable. Signed by any active session of the wallet.',
    params,
    replies: { 200: ProcessingSchema, 202: AuthSignedRequestChallengeSchema, 204: null },
    errors: signedErrors,
    ...signed,
    handler: ({ work, params: { sessionId }, headers }) => {
      const resourceId = mustParseId('session', sessionId)
      return runSigned(work, revokeSession, { resourceId, body: undefined, headers })
    },
  }),
  read({
    id: 'getWalletSigner',
    path: '/auth/wallet-signer',
    tag,
    needs: 'VIEW',
    summary: 'Read the key that signs bundles and tokens',
    description: 'One for all platforms of an environment; clients pin it.',
    replies: { 200: WalletSignerSchema },
    handler: async ({ work }) => reply(200, { publicKey: (await signerOf(work)).publicKey }),
  }),
]
