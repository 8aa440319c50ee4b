/**
 * Logs in with one of the account's credentials and returns a session (VRFY-1 to VRFY-17). Every 401 with a reason is
 * counted although the request is refused, and too many of them block the credential for a while.
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT, RATE_LIMITED. Refuses: UNAUTHORIZED with its reason, REQUEST_ID_MISSING,
 * and what a signed retry is refused with (judge-retry.ts).
 */
import { mustBeWithinLimits } from '../../../kernel/access/attempt-limits.ts'
import { failFields, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Reply } from '../../../infra/http/reply.ts'
import type { Work } from '../../../infra/work/work.ts'
import { isOtp, type Credential } from '../credentials/auth-method.ts'
import { readTimes, saveTimes } from '../credentials/store.ts'
import { mustLockCredential } from '../wallets/lock.ts'
import type { WireChallenge } from '../signing/signature-request.ts'
import { FAILED_VERIFICATION_LIMITS } from '../rules.ts'
import type { Processing } from '../signing/run-signed.ts'
import type { CredentialVerifyBody } from '../schema.ts'
import { readSignedHeaders, type Headers, type SignedHeaders } from '../signing/signed-operation.ts'
import { verifyOauth } from './verify-oauth.ts'
import { verifyOtp } from './verify-otp.ts'
import { verifyPasskey } from './verify-passkey.ts'
import type { Wallet } from '../wallets/wallet.ts'
import type { WireSession } from '../wire.ts'

export type Verified = Reply<200, WireSession> | Reply<202, WireChallenge> | Processing | Refusal

export async function verifyCredential(
  work: Work,
  {
    id,
    body,
    headers: allHeaders,
    evidence,
  }: { id: Id<'authMethod'>; body: CredentialVerifyBody; headers: Headers; evidence: unknown },
): Promise<Verified> {
  const { wallet, credential } = await mustLockCredential(work, id)
  if (body.type !== credential.type) {
    const constraint = { enum: [credential.type] }
    failFields([{ field: 'type', constraint, message: `must be ${credential.type}` }])
  }
  const failures = await mustNotBeBlocked(work, credential)
  const headers = readSignedHeaders(allHeaders)
  const outcome = await verify(work, { wallet, credential, body, headers, evidence })
  if ('ok' in outcome && outcome.details?.['reason'] !== undefined) {
    const { tx, platform } = work
    saveTimes(tx, platform.id, { id: credential.id, counted: 'failed', times: failures })
  }
  return outcome
}

/** Returns the failures to store if this attempt fails, too. Does not look at the proof (VRFY-15). Fails: RATE_LIMITED. */
async function mustNotBeBlocked(
  { tx, platform, now }: Work,
  { id }: Credential,
): Promise<readonly Date[]> {
  const times = await readTimes(tx, platform.id, { id, counted: 'failed' })
  return mustBeWithinLimits(FAILED_VERIFICATION_LIMITS, { times, now })
}

type Proof = Readonly<{
  wallet: Wallet
  credential: Credential
  body: CredentialVerifyBody
  headers: SignedHeaders
  evidence: unknown
}>

async function verify(work: Work, proof: Proof): Promise<Verified> {
  const { wallet, credential, body, headers, evidence } = proof
  if (credential.type === 'PASSKEY' && body.type === 'PASSKEY') {
    return verifyPasskey(work, { credential, assertion: body.assertion, headers })
  }
  if (credential.type === 'OAUTH' && body.type === 'OAUTH') {
    return verifyOauth(work, { credential, body, evidence })
  }
  if (isOtp(credential) && (body.type === 'EMAIL_OTP' || body.type === 'SMS_OTP')) {
    return verifyOtp(work, { wallet, credential, body, headers })
  }
  return failFields([{ field: 'type', message: `must be ${credential.type}` }])
}
