import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { insideJob, type JobHandler } from '../../infra/jobs/job-handler.ts'
import type { Work } from '../../infra/work/work.ts'
import { addCredential } from './credentials/add-credential.ts'
import { changeCustomer } from './customer/change-customer.ts'
import { exportWallet } from './wallets/export-wallet.ts'
import { schedulePruning, pruneRequestsJob, settleRequestJob } from './job-definitions.ts'
import { refreshSession } from './sessions/refresh-session.ts'
import { findSignatureRequest, pruneExpired } from './signing/store.ts'
import { revokeCredential } from './credentials/revoke-credential.ts'
import { revokeSession } from './sessions/revoke-session.ts'
import { settlerOf, type Settler } from './signing/run-signed.ts'
import { setPrivacy } from './wallets/set-privacy.ts'
import { otpLogin } from './logins/verify-otp.ts'

const SETTLERS: readonly Settler[] = [
  settlerOf(addCredential),
  settlerOf(revokeCredential),
  settlerOf(otpLogin),
  settlerOf(refreshSession),
  settlerOf(revokeSession),
  settlerOf(exportWallet),
  settlerOf(setPrivacy),
  settlerOf(changeCustomer),
]

/** `further` are the settlers of other features. */
export const walletAuthJobs = (further: readonly Settler[] = []): readonly JobHandler[] => {
  const settlers = new Map([...SETTLERS, ...further].map((settler) => [settler.operation, settler]))
  return [
    insideJob(settleRequestJob, (work, { payload }) =>
      settleRequest(work, payload.requestId, settlers),
    ),
    insideJob(pruneRequestsJob, async (work) => {
      const isMore = await pruneExpired(work.tx, work.platform.id, work.now)
      if (isMore) schedulePruning(work)
    }),
  ]
}

/** Settles an accepted retry (SIGN-10), unless the wallet has ended and its signature requests with it. */
async function settleRequest(
  work: Work,
  id: Id<'request'>,
  settlers: ReadonlyMap<string, Settler>,
): Promise<void> {
  const { tx, platform } = work
  const known = await findSignatureRequest(tx, platform.id, id)
  if (known === undefined) return
  const settler = settlers.get(known.operation)
  invariant(settler, `A job knows how ${known.operation} is settled.`)
  await settler.settle(work, known)
}
