import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ScreeningResult } from '../../../providers/account-screening.ts'
import { lockExternalAccount } from '../records/find-external-account.ts'
import { saveTrust } from '../records/store.ts'
import type { ExternalAccountEvent } from './machine.ts'
import { moveAccount } from './move-account.ts'

/** Records the result of screening. A deleted account, or one that the operator decided, does not change. */
export async function settleScreening(
  work: Work,
  { id, result }: { id: Id<'externalAccount'>; result: ScreeningResult },
): Promise<void> {
  const account = await lockExternalAccount(work, id)
  if (account?.status !== 'PENDING') return
  await moveAccount(work, account, result === 'CLEAR' ? 'clear' : 'hit')
}

const EVENTS = {
  CLEAR: 'clear',
  REVIEW: 'hit',
  BLOCK: 'block',
} as const satisfies Record<string, ExternalAccountEvent>

/**
 * Applies the verdict of an outside provider. A clear result only ends the wait; a blocked account loses its trust
 * (PROV-102, PROV-103). A deleted account does not change.
 */
export async function applyVerdict(
  work: Work,
  { id, verdict }: { id: Id<'externalAccount'>; verdict: keyof typeof EVENTS },
): Promise<void> {
  const account = await lockExternalAccount(work, id)
  if (!account || account.status === 'INACTIVE') return
  if (verdict === 'CLEAR' && account.status !== 'PENDING') return
  await moveAccount(work, account, EVENTS[verdict])
  if (verdict !== 'BLOCK' || !account.isTrusted) return
  await saveTrust(work.tx, work.platform.id, { id, isTrusted: false })
}
