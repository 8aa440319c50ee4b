import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ScreeningResult } from '../../../providers/account-screening.ts'
import { lockExternalAccount } from '../records/find-external-account.ts'
import { moveAccount } from './move-account.ts'

/** Records the result of screening. A deleted account, or one that the operator decided, stays as it is. */
export async function settleScreening(
  work: Work,
  { id, result }: { id: Id<'externalAccount'>; result: ScreeningResult },
): Promise<void> {
  const account = await lockExternalAccount(work, id)
  if (account?.status !== 'PENDING') return
  await moveAccount(work, account, result === 'CLEAR' ? 'clear' : 'hit')
}
