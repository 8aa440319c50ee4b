import { fail } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { DeletionObstacle } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../customer.ts'
import { markDeletedInIndex } from '../currencies/index-store.ts'
import { lockCustomerRow, markDeleted } from './store.ts'

/** The order of reasons in the answer. */
const REASONS: readonly DeletionObstacle['reason'][] = [
  'BALANCE',
  'PAYMENT_UNDER_WAY',
  'REFUND_FAILED',
  'CARD_AUTHORIZATION_OPEN',
  'STABLECOIN_OPERATION_OPEN',
]

/**
 * Deletes a customer for good; its history stays readable. Resources of its own end by reaction, in the same
 * transaction (CUST-63). Refused while money is in its accounts or under way: reactions first lock what could move it,
 * then check (CUST-62).
 * Fails: USER_NOT_FOUND, CUSTOMER_DELETED, CONFLICT.
 */
export async function deleteCustomer(work: Work, id: Id<'customer'>): Promise<Customer> {
  const { tx, platform, now } = work
  await work.react('customers.deletionRequested', { customerId: id })
  const before = await lockCustomerRow(tx, platform.id, id, { isDeleting: true })
  if (!before) return failNotFound('customer')
  if (before.isDeleted) fail('CUSTOMER_DELETED')
  const obstacles: DeletionObstacle[] = []
  await work.react('customers.deletionChecked', { customerId: id, obstacles })
  if (obstacles.length > 0) fail('CONFLICT', detailsOf(obstacles))
  await work.react('customers.deleting', { customerId: id })
  const customer: Customer = { ...before, isDeleted: true, updatedAt: now }
  markDeleted(tx, platform.id, customer)
  markDeletedInIndex(tx, platform.id, customer)
  return customer
}

function detailsOf(obstacles: readonly DeletionObstacle[]) {
  const found = new Set(obstacles.map(({ reason }) => reason))
  const reasons = REASONS.filter((reason) => found.has(reason))
  const ids: Record<string, string[]> = {}
  for (const { reason: _, ...named } of obstacles) {
    for (const [name, more] of Object.entries(named)) ids[name] = [...(ids[name] ?? []), ...more]
  }
  return { reason: reasons[0], reasons, ...ids }
}
