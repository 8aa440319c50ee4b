import { fail } from '../../../kernel/errors.ts'
import { formatId, newUuid, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustHaveVerifiedContact } from '../../contact-verification/index.ts'
import { lockCustomer, type Customer } from '../../customers/index.ts'
import { placeIdentityCheck } from '../identity-check/place-check.ts'
import { needsManualApproval } from '../flags/flags.ts'
import { findErrors, needsPacket, verdictOn, type Findings } from './find-errors.ts'
import { isUnderReview } from '../status/machine.ts'
import { moveCustomer } from '../status/move-customer.ts'
import { createVerification, moveVerification } from '../status/move-verification.ts'
import { entryOf, readPacket, type Packet } from './packet.ts'
import { takeSnapshot } from './snapshot.ts'
import { findOpenVerification } from '../store.ts'
import type { Verification } from '../verification.ts'

/**
 * Submits a customer for verification: an incomplete packet is answered with its errors, a complete one is decided or
 * goes to review (chapter 11, section 4). The customer is locked, so that of racing submissions one counts and the
 * others see its result (VER-8).
 * Fails: USER_NOT_FOUND, INVALID_INPUT once the customer is approved or rejected, CONFLICT while a contact channel is
 * not verified.
 */
export async function submitVerification(
  work: Work,
  customerId: Id<'customer'>,
): Promise<Verification> {
  const { tx, platform } = work
  const customer = await lockCustomer(work, customerId)
  if (isFinal(customer)) {
    fail('INVALID_INPUT', { reason: 'VERIFICATION_FINAL', status: customer.status })
  }
  mustHaveVerifiedContact(customer)
  const open = await findOpenVerification(tx, platform.id, customerId)
  if (open && isUnderReview(open.status)) return open
  const packet = await readPacket(work, customer)
  const findings = findErrors(work, packet, open?.reviewerEntries ?? [])
  return findings.errors.length > 0
    ? returnErrors(work, { customer, open, findings })
    : accept(work, { packet, open })
}

export const isFinal = ({ status }: Pick<Customer, 'status'>): boolean =>
  status === 'APPROVED' || status === 'REJECTED'

type Incomplete = Readonly<{
  customer: Customer
  open: Verification | undefined
  findings: Findings
}>

function returnErrors(work: Work, { customer, open, findings }: Incomplete): Verification {
  const { errors, outstanding: reviewerEntries } = findings
  const change = { errors, reviewerEntries, submittedAt: work.now }
  return open
    ? moveVerification(work, open, { event: 'findErrors', ...change })
    : createVerification(work, customer, { status: 'RESOLVE_ERRORS', ...change })
}

type Complete = Readonly<{ packet: Packet; open: Verification | undefined }>

/** Moves to review first and then, if the provider decides at once, to the decision; events in that order (VER-32). */
async function accept(work: Work, { packet, open }: Complete): Promise<Verification> {
  const first = verdictOn(work, packet)
  const needsPerson = first === 'APPROVE' && (await needsManualApproval(work, packet.customer.id))
  const verdict = needsPerson ? 'ESCALATE' : first
  const snapshotId = newUuid()
  const change = {
    errors: [],
    reviewerEntries: [],
    submittedAt: work.now,
    snapshotId,
    // A submission of a business on hold replaces its open owner review (KYB-13).
    isOwnerReview: false,
  }
  const { customer: before } = packet
  const isCovering = needsPacket(work, packet)
  const accepted = open
    ? moveVerification(work, open, { event: 'accept', ...change })
    : createVerification(work, before, { status: 'IN_PROGRESS', ...change })
  takeSnapshot(work, packet, { id: snapshotId, verificationId: accepted.id })
  const customer =
    before.status === 'PENDING'
      ? before
      : await moveCustomer(work, before, 'submit', { isCovering })
  switch (verdict) {
    case 'ESCALATE':
      return moveVerification(work, accepted, { event: 'escalate' })
    case 'APPROVE': {
      const approved = moveVerification(work, accepted, { event: 'approve' })
      await moveCustomer(work, customer, 'approve')
      return approved
    }
    case 'REJECT': {
      const resourceId = formatId('customer', customer.id)
      const errors = [entryOf({ resourceId, type: 'APPLICANT_REJECTED' })]
      const rejected = moveVerification(work, accepted, { event: 'reject', errors })
      await moveCustomer(work, customer, 'reject')
      return rejected
    }
    default:
      await placeIdentityCheck(work, accepted)
      return accepted
  }
}
