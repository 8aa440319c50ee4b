import { randomBytes } from 'node:crypto'
import { digestSecret, newSecret } from '../../../crypto/secret-hash.ts'
import { addMs } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, newUuid, type Id } from '../../../kernel/ids.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { addressOf, ownedPart, type ExternalAccount, type Reach } from '../external-account.ts'
import { mustLockExternalAccount } from '../records/find-external-account.ts'
import { passLivenessJob } from '../job-definitions.ts'
import { moveAccount } from '../status/move-account.ts'
import { ownershipMessage } from './message.ts'
import { endOpenChallenge, insertChallenge } from './store.ts'
import type { IssuedChallenge, OwnershipMethod } from './rules.ts'
import { CHALLENGE_LIFETIME_MS, SANDBOX_LIVENESS_DELAY_MS, mayChallenge } from './rules.ts'

const NONCE_BYTES = 16

export type ChallengeRequest = Readonly<{
  id: Id<'externalAccount'>
  method: OwnershipMethod
  reach: Reach
}>

/**
 * Issues a challenge by which the holder of a wallet proves ownership. It ends the former challenge, of either method,
 * and lets an account whose proof failed try again (OWN-5).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, CONFLICT for an account that has nothing to prove (OWN-3).
 */
export async function challengeOwnership(
  work: Work,
  { id, method, reach }: ChallengeRequest,
): Promise<IssuedChallenge> {
  const { tx, platform, now } = work
  const account = await mustLockExternalAccount(work, id, reach)
  const { status } = account
  if (!mayChallenge({ ...ownedPart(account), status })) fail('CONFLICT', { status })
  await endOpenChallenge(tx, platform.id, {
    externalAccountId: id,
    outcome: 'SUPERSEDED',
    at: now,
  })
  await moveAccount(work, account, 'challenge')
  const expiresAt = addMs(now, CHALLENGE_LIFETIME_MS[method])
  return method === 'LIVENESS'
    ? issueLivenessCheck(work, account, expiresAt)
    : issueSignatureChallenge(work, account, expiresAt)
}

async function issueSignatureChallenge(
  { tx, platform, now, settings }: Work,
  account: ExternalAccount,
  expiresAt: Date,
): Promise<IssuedChallenge> {
  const message = ownershipMessage({
    serviceName: settings.legalName,
    address: addressOf(account),
    externalAccountId: formatId('externalAccount', account.id),
    nonce: randomBytes(NONCE_BYTES),
    expiresAt,
  })
  await insertChallenge(tx, platform.id, {
    id: newUuid(),
    externalAccountId: account.id,
    method: 'WALLET_SIGNATURE',
    message,
    linkDigest: null,
    expiresAt,
    createdAt: now,
  })
  return { method: 'WALLET_SIGNATURE', messageToSign: message, expiresAt }
}

/** In sandbox a job passes the check after a while, unless the hosted page was answered first (OWN-9). */
async function issueLivenessCheck(
  work: Work,
  { id: externalAccountId }: ExternalAccount,
  expiresAt: Date,
): Promise<IssuedChallenge> {
  const { tx, platform, now, settings } = work
  const secret = newSecret()
  const id = newUuid()
  await insertChallenge(tx, platform.id, {
    id,
    externalAccountId,
    method: 'LIVENESS',
    message: null,
    linkDigest: digestSecret(secret),
    expiresAt,
    createdAt: now,
  })
  if (traitsOf(platform).decidesByItself) {
    const dueAt = addMs(now, SANDBOX_LIVENESS_DELAY_MS)
    enqueue(work, passLivenessJob, { externalAccountId, challengeId: id }, { dueAt })
  }
  const verificationLink = `${settings.publicUrl}/liveness?token=${secret}`
  return { method: 'LIVENESS', verificationLink, expiresAt }
}
