import type { Work } from '../infra/work/work.ts'
import { closeSettled } from './exceptions/store.ts'
import { isOpen, type Order, type OrderType } from './order.ts'
import { lockLatestOrder, saveOrder } from './store.ts'

/**
 * Ends the open order about a subject in whose place a newer one comes: whatever its provider still says has no effect.
 * Answers the latest order about the subject, open before or not. The caller holds the subject's lock.
 */
export async function supersedeOrder(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  about: Readonly<{ type: OrderType; subject: string }>,
): Promise<Order | undefined> {
  const latest = await lockLatestOrder(tx, { platformId: platform.id, ...about })
  if (!latest || !isOpen(latest.state)) return latest
  const ended = {
    ...latest,
    state: 'FAILED',
    failureReason: 'SUPERSEDED',
    nextAt: null,
    cancelNextAt: null,
    gapSince: null,
  } as const
  closeSettled(tx, ended, { now, isEnded: true })
  saveOrder(tx, ended, now)
  return ended
}
