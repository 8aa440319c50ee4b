/**
 * Revokes a credential, signed by a session of another one; the last credential stays (CRED-18 to CRED-20).
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT (the last credential), and what run-signed.ts refuses with.
 */
import { fail } from '../../../kernel/errors.ts'
import { asId } from '../../../kernel/ids.ts'
import { revokeCredentialPayload } from '../../../crypto/wallet/activities.ts'
import { noContent, type Reply } from '../../../infra/http/reply.ts'
import type { Credential } from './auth-method.ts'
import { deleteCredential, listCredentials } from './store.ts'
import { mustLockCredential } from '../wallets/lock.ts'
import type { DraftedOperation } from '../signing/signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'

type Subject = Readonly<{ wallet: Wallet; credential: Credential }>

export const revokeCredential: DraftedOperation<Subject, Reply<204, undefined>> = {
  id: 'revokeAuthCredential',
  find: (work, { resourceId }) => mustLockCredential(work, asId('authMethod', resourceId)),
  async check({ tx, platform }, { subject }) {
    const credentials = await listCredentials(tx, platform.id, subject.wallet.accountId)
    if (credentials.length > 1) return undefined
    return fail('INVALID_INPUT', { reason: 'The last credential of an account stays' })
  },
  draft: ({ wallet: { userId }, credential: { id, type } }) => ({
    type,
    credentialId: id,
    activity: revokeCredentialPayload({ userId, credentialType: type, authMethodId: id }),
  }),
  maySign: ({ credentialId }, { credential }) => credentialId !== credential.id,
  needsUserVerification: () => true,
  async perform({ tx, platform, now }, { subject: { credential } }) {
    deleteCredential(tx, platform.id, { id: credential.id, at: now })
    return noContent()
  },
}
