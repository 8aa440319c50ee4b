import type { Work } from '../../../infra/work.ts'
import { advance } from '../../../kernel/machine.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Customer } from '../customer.ts'
import type { ShownBeneficialOwner } from '../profile/beneficial-owner-schema.ts'
import { saveStatusAndOwners } from '../records/store.ts'
import { maskedCustomerToWire } from '../wire.ts'
import { customerStatus, type StatusEvent } from './machine.ts'

export type StatusMove = Readonly<{
  event: StatusEvent
  /** The owners of a business as they are after the move: they move with it (KYB-5). */
  beneficialOwners?: readonly ShownBeneficialOwner[] | undefined
}>

/**
 * Moves the status of a locked customer and tells whoever has to know: the platform (VER-30) and, by reaction, the
 * rest of the service. Fails: INVALID_STATE_TRANSITION.
 */
export async function moveStatus(
  work: Work,
  before: Customer,
  { event, beneficialOwners }: StatusMove,
): Promise<Customer> {
  const { tx, platform, now } = work
  const status = advance(customerStatus, before.status, event)
  const customer: Customer = {
    ...before,
    ...(beneficialOwners && { beneficialOwners }),
    status,
    updatedAt: now,
  }
  saveStatusAndOwners(tx, platform.id, customer)
  announceStatus(work, customer)
  await work.react('customers.statusChanged', {
    customerId: customer.id,
    from: before.status,
    to: status,
  })
  return customer
}

/**
 * Tells the platform that a customer has entered PENDING, APPROVED or REJECTED (VER-30). The other statuses are not
 * announced. Refuses nothing.
 */
export function announceStatus(
  work: Pick<Work, 'platform' | 'now' | 'outbox' | 'keyring'>,
  customer: Customer,
): void {
  const { status, customerType } = customer
  if (status === 'UNVERIFIED' || status === 'HOLD') return
  const check = customerType === 'INDIVIDUAL' ? 'KYC' : 'KYB'
  emit(work, `CUSTOMER.${check}_${status}`, maskedCustomerToWire(work.keyring, customer))
}
