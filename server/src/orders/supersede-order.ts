import type { Work } from '../infra/work/work.ts'
import { closeByReport } from './exceptions/store.ts'
import { isOpen, type Order, type OrderType } from './order.ts'
import { unscheduled } from './schedule.ts'
import { lockLatestOrder, saveOrder } from './store.ts'

/**
 * Fails the open order about a subject because a newer one replaces it; later reports about it have no effect. Returns
 * the latest order about the subject, whether it was open or not. The caller holds the subject's lock.
 */
export async function supersedeOrder(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  about: Readonly<{ type: OrderType; subject: string }>,
): Promise<Order | undefined> {
  const latest = await lockLatestOrder(tx, { platformId: platform.id, ...about })
  if (!latest || !isOpen(latest.state)) return latest
  const ended = unscheduled({ ...latest, state: 'FAILED', failureReason: 'SUPERSEDED' })
  closeByReport(tx, ended, { now, isEnded: true })
  saveOrder(tx, ended, now)
  return ended
}
