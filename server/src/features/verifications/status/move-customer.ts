import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { moveOwners, type OwnerDecisions } from '../../beneficial-owners/index.ts'
import {
  customerStatus,
  moveStatus,
  type Customer,
  type StatusEvent,
} from '../../customers/index.ts'
import { removeHold } from '../store.ts'

type Options = Readonly<{ isCovering?: boolean; owners?: OwnerDecisions | undefined }>

/**
 * Moves the status of a locked customer and its covered owners (KYB-5); a validated packet covers all of them. Any move
 * out of a hold ends it. Fails: INVALID_STATE_TRANSITION.
 */
export async function moveCustomer(
  work: Work,
  customer: Customer,
  event: StatusEvent,
  { isCovering = false, owners }: Options = {},
): Promise<Customer> {
  const to = advance(customerStatus, customer.status, event)
  const isRelease = event === 'releaseAsApproved' || event === 'releaseAsPending'
  const beneficialOwners = await moveOwners(work, customer, {
    to,
    isRelease,
    isCovering,
    decisions: owners,
  })
  if (customer.status === 'HOLD') removeHold(work.tx, work.platform.id, customer.id)
  return moveStatus(work, customer, { event, beneficialOwners })
}
