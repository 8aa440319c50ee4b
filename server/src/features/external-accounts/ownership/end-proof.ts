import type { Work } from '../../../infra/work/work.ts'
import type { ExternalAccount } from '../external-account.ts'
import { moveAccount } from '../status/move-account.ts'
import { endOpenChallenge } from './store.ts'

/** Spends the open challenge of an account, whose lock the caller holds, and moves the account by the outcome. */
export async function endProof(
  work: Work,
  account: ExternalAccount,
  outcome: 'PROVEN' | 'FAILED',
): Promise<ExternalAccount> {
  const { tx, platform, now } = work
  await endOpenChallenge(tx, platform.id, { externalAccountId: account.id, outcome, at: now })
  return moveAccount(work, account, outcome === 'PROVEN' ? 'prove' : 'failProof')
}
