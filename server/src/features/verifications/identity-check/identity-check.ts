import { formatId, mustParseId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openDecisionConflict,
  openInvalidDecision,
  type DecisionOutcome,
  type Order,
  type OrderKind,
  type Statement,
} from '../../../orders/index.ts'
import { lockAnyCustomer, type Customer } from '../../customers/index.ts'
import { mustFindVerification } from '../find-verification.ts'
import { decideReview } from '../review/decide-review.ts'
import { escalateReview } from '../review/escalate-review.ts'
import { needsManualApproval } from '../flags/flags.ts'
import { returnReview } from '../review/return-review.ts'
import { isUnderReview, type VerificationStatus } from '../status/machine.ts'
import { readPacket } from '../submission/packet.ts'
import type { Verification } from '../verification.ts'
import { identityCheckBody, readSubmission } from './body.ts'
import { findBreaches, type Decision } from './judge-decision.ts'
import { insertDecision } from './store.ts'

type Decided = Extract<Statement, { state: 'DECIDED' }>
type CheckedVerification = Readonly<{ customer: Customer | undefined; verification: Verification }>

async function lockChecked(work: Work, { subject }: Order): Promise<CheckedVerification> {
  const id = mustParseId('verification', subject ?? '')
  const { customerId } = await mustFindVerification(work, id)
  const customer = await lockAnyCustomer(work, customerId)
  return { customer, verification: await mustFindVerification(work, id) }
}

/** The order for a check of a submission. A provider's decision has the same effects as an operator's (PROV-92). */
export const identityChecks: OrderKind = {
  types: ['IDENTITY_CHECK'],
  port: 'identity',
  lock: async (work, order) => void (await lockChecked(work, order)),
  body: identityCheckBody,
  async onDecided(work, order, decision) {
    const checked = await lockChecked(work, order)
    const { customer, verification } = checked
    if (!customer || customer.isDeleted) return undefined
    const packet = await readPacket(work, customer)
    const breaches = findBreaches(decision, {
      packet,
      submitted: await readSubmission(work, order),
    })
    if (breaches.length > 0) {
      await escalate(work, checked)
      return openInvalidDecision(work, order, { stated: withoutEvidence(decision), breaches })
    }
    const stated = decision as unknown as Decision
    insertDecision(work, order, { ...stated, verificationId: verification.id })
    // A hold comes from an operator or an alert, so no provider's decision lifts it.
    const isOpen = isUnderReview(verification.status) && customer.status !== 'HOLD'
    if (!isOpen) return compare(work, order, { checked, decision })
    // A person decides on findings of a screening, whatever the identity check says (PROV-107).
    const needsPerson =
      stated.decision === 'APPROVED' && (await needsManualApproval(work, customer.id))
    await applyDecision(
      work,
      verification,
      needsPerson ? { ...stated, decision: 'REVIEW' } : stated,
    )
    return undefined
  },
  onDecidedAgain: async (work, order, decision) =>
    compare(work, order, { checked: await lockChecked(work, order), decision }),
  onUndecided: async (work, order) => escalate(work, await lockChecked(work, order)),
  onFailed: async (work, order) => escalate(work, await lockChecked(work, order)),
}

/** Leaves the decision to an operator. */
async function escalate(
  work: Work,
  { customer, verification }: CheckedVerification,
): Promise<void> {
  if (customer?.isDeleted !== false || verification.status !== 'IN_PROGRESS') return
  await escalateReview(work, formatId('verification', verification.id))
}

async function applyDecision(
  work: Work,
  { id: verificationId, status }: Verification,
  { decision, errors = [], owners = [] }: Decision,
): Promise<void> {
  const id = formatId('verification', verificationId)
  const decided = new Map(
    owners.map((owner) => [mustParseId('beneficialOwner', owner.id), owner.decision] as const),
  )
  if (decision === 'MORE_NEEDED') await returnReview(work, id, { errors })
  else if (decision !== 'REVIEW') {
    await decideReview(work, id, { outcome: decision, errors, owners: decided })
  } else if (status === 'IN_PROGRESS') await escalateReview(work, id)
}

const STATUSES: Readonly<Record<string, VerificationStatus>> = {
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
  MORE_NEEDED: 'RESOLVE_ERRORS',
  REVIEW: 'PENDING_MANUAL_REVIEW',
} satisfies Record<Decision['decision'], VerificationStatus>

type LateDecision = Readonly<{ checked: CheckedVerification; decision: Decided }>

/** Compares a late decision with the one that was made: an equal one is known, any other opens an exception (PROV-94). */
function compare(
  work: Work,
  order: Order,
  { checked: { customer, verification }, decision }: LateDecision,
): DecisionOutcome {
  const { status } = verification
  const isEqual = STATUSES[String(decision['decision'])] === status && customer?.status !== 'HOLD'
  if (isEqual) return { isKnown: true }
  const known = { verificationStatus: status, customerStatus: customer?.status }
  return openDecisionConflict(work, order, { known, stated: withoutEvidence(decision) })
}

/** Every operator sees exceptions, but only reviewers see evidence. */
const withoutEvidence = ({ evidence: _, ...stated }: Decided): Decided => stated
