/** A leg that the operator has settled, or that failed in its hands. */
import { fail } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { listOrdersOf } from '../../orders/index.ts'
import { confirmLeg, markLegFailed, type LegFailure } from '../payments/index.ts'
import type { OutsideNames, Transaction } from '../transactions/index.ts'

/** Confirms the next leg of a payment. Fails as confirmLeg does, and CONFLICT where a provider has the leg. */
export async function confirmSettlement(
  work: Work,
  id: Id<'transaction'>,
  names: OutsideNames = {},
): Promise<Transaction> {
  await mustBeManual(work, id)
  return confirmLeg(work, id, names)
}

/** Marks the next leg of a payment as failed. Fails as markLegFailed does, and CONFLICT where a provider has the leg. */
export async function markSettlementFailed(
  work: Work,
  id: Id<'transaction'>,
  failure: LegFailure,
): Promise<Transaction> {
  await mustBeManual(work, id)
  return markLegFailed(work, id, failure)
}

/** A leg that a provider outside carries is settled by its reports, or by resolving an exception (PROV-12). */
async function mustBeManual({ tx, platform }: Work, id: Id<'transaction'>): Promise<void> {
  const orders = await listOrdersOf(tx, { platformId: platform.id, transactionId: id })
  const last = orders.at(-1)
  const isHeld =
    last && last.state !== 'FAILED' && !(last.state === 'SETTLED' && last.type === 'PULL')
  if (isHeld) fail('CONFLICT', { reason: 'HELD_BY_PROVIDER' })
}
