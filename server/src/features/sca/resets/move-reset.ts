import type { Id } from '../../../kernel/ids.ts'
import { advance, nextState } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work.ts'
import { findCustomer, lockCustomer } from '../../customers/index.ts'
import type { ResetMove } from '../job-definitions.ts'
import { mustFindReset, type ResetKey } from './find-reset.ts'
import { scaReset, type ResetEvent } from './machine.ts'
import { findReset, saveResetStatus, type ScaReset } from './store.ts'
import { sandboxDecision } from './reset.ts'

/**
 * What the operator does with a reset.
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, CONFLICT where it is not its turn.
 */
export async function moveReset(
  work: Work,
  { event, ...key }: ResetKey & { event: Extract<ResetEvent, 'pass' | 'reject'> },
): Promise<ScaReset> {
  await lockCustomer(work, key.customerId)
  const reset = await mustFindReset(work, key)
  const moved = {
    ...reset,
    status: advance(scaReset, reset.status, event, { status: reset.status }),
  }
  saveResetStatus(work.tx, work.platform.id, moved)
  return moved
}

/**
 * What happens by itself with time, or is done by the customer on the hosted page; what has been overtaken is left as it
 * is. Answers whether anything was done. Refuses nothing.
 */
export async function moveResetIfOpen(
  work: Work,
  { resetId, move }: { resetId: Id<'scaReset'>; move: ResetMove },
): Promise<boolean> {
  const { tx, platform } = work
  const known = await findReset(tx, platform.id, resetId)
  const customer = known && (await findCustomer(work, known.customerId))
  if (!customer || customer.isDeleted) return false
  await lockCustomer(work, customer.id)
  const reset = await findReset(tx, platform.id, resetId)
  const event = move === 'decide' ? sandboxDecision(customer) : move
  const status = reset && event && nextState(scaReset, reset.status, event)
  if (!reset || !status) return false
  saveResetStatus(tx, platform.id, { ...reset, status })
  return true
}
