import type { Work } from '../../../infra/work/work.ts'
import { advance } from '../../../kernel/machine.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { Customer } from '../customer.ts'
import type { ShownBeneficialOwner } from '../profile/beneficial-owner-schema.ts'
import { saveStatusAndOwners } from '../records/store.ts'
import { maskedCustomerToWire } from '../wire.ts'
import { customerStatus, type StatusEvent } from './machine.ts'

export type StatusMove = Readonly<{
  event: StatusEvent
  /** The owners of a business after the move: they move with it (KYB-5). */
  beneficialOwners?: readonly ShownBeneficialOwner[] | undefined
}>

/**
 * Moves the status of a locked customer, emits the platform's event (VER-30) and triggers the reactions.
 * Fails: INVALID_STATE_TRANSITION.
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
  emitStatus(work, customer)
  await work.react('customers.statusChanged', {
    customerId: customer.id,
    from: before.status,
    to: status,
  })
  return customer
}

/**
 * Emits the event of a customer that entered PENDING, APPROVED or REJECTED (VER-30); the other statuses have none.
 * Refuses nothing.
 */
export function emitStatus(
  work: Pick<Work, 'platform' | 'now' | 'outbox' | 'keyring'>,
  customer: Customer,
): void {
  const { status, customerType } = customer
  if (status === 'UNVERIFIED' || status === 'HOLD') return
  const check = customerType === 'INDIVIDUAL' ? 'KYC' : 'KYB'
  emit(work, `CUSTOMER.${check}_${status}`, maskedCustomerToWire(work.keyring, customer))
}
