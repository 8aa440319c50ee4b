import type { Id } from '../../../kernel/ids.ts'
import { advance, nextState } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer, lockCustomer } from '../../customers/index.ts'
import type { ResetMove } from '../job-definitions.ts'
import { scaReset, type ResetEvent } from './machine.ts'
import { findReset, saveResetStatus, type ScaReset } from './store.ts'
import { mustFindReset, sandboxDecision, type ResetKey } from './reset.ts'

/**
 * Moves a reset by the operator's decision.
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, CONFLICT if the status does not allow it.
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
 * Moves a reset by a job or by the customer on the hosted page, unless its status no longer allows it. Returns whether it
 * moved. Refuses nothing.
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
