import { fail, refuse, type Refusal } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { addressOf, type ExternalAccount, type Reach } from '../external-account.ts'
import { mustLockExternalAccount } from '../records/find-external-account.ts'
import { endProof } from './end-proof.ts'
import type { SignatureScheme } from './signature.ts'
import { isOwnerSignature } from './signature.ts'
import { findOpenChallenge } from './store.ts'
import { judgeSignature } from './rules.ts'

export type VerifyRequest = Readonly<{
  id: Id<'externalAccount'>
  signature: string
  scheme: SignatureScheme
  reach: Reach
}>

export type Verified = Readonly<{ ok: true; account: ExternalAccount }>

/**
 * Verifies a signature over the challenge's message. One attempt decides: a wrong or late signature spends the
 * challenge and leaves the account UNVERIFIED (OWN-7).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, CONFLICT without an open signature challenge. Returns INVALID_INPUT, so
 * that the failed proof is committed.
 */
export async function verifyOwnership(
  work: Work,
  { id, signature, scheme, reach }: VerifyRequest,
): Promise<Verified | Refusal> {
  const account = await mustLockExternalAccount(work, id, reach)
  const challenge = await findOpenChallenge(work.tx, work.platform.id, id)
  const signed = {
    address: addressOf(account),
    message: challenge?.message ?? '',
    signature,
    scheme,
  }
  const verdict = judgeSignature({
    challenge,
    isOwnerSignature: isOwnerSignature(account.accountType, signed),
    now: work.now,
  })
  if (verdict === 'NO_CHALLENGE') return fail('CONFLICT', { status: account.status })
  const decided = await endProof(work, account, verdict)
  if (verdict === 'PROVEN') return { ok: true, account: decided }
  const message = 'does not prove that the signer holds the wallet, or came too late'
  return refuse('INVALID_INPUT', { errors: [{ field: 'signature', message }] })
}
