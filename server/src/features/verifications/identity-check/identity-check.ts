import { formatId, mustParseId } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openException,
  type DecisionOutcome,
  type Order,
  type OrderKind,
  type Statement,
} from '../../../orders/index.ts'
import { lockAnyCustomer, type Customer } from '../../customers/index.ts'
import { mustFindVerification } from '../find-verification.ts'
import { decideReview } from '../review/decide-review.ts'
import { escalateReview } from '../review/escalate-review.ts'
import { isStopped } from '../review/flags.ts'
import { returnReview } from '../review/return-review.ts'
import { isUnderReview, type VerificationStatus } from '../status/machine.ts'
import { readPacket } from '../submission/packet.ts'
import type { Verification } from '../verification.ts'
import { identityCheckBody, submittedWith } from './body.ts'
import { findBreaches, type Decision } from './judge-decision.ts'
import { insertDecision } from './store.ts'

type Decided = Extract<Statement, { state: 'DECIDED' }>
type Checked = Readonly<{ customer: Customer | undefined; verification: Verification }>

async function lockChecked(work: Work, { subject }: Order): Promise<Checked> {
  const id = mustParseId('verification', subject ?? '')
  const { customerId } = await mustFindVerification(work, id)
  const customer = await lockAnyCustomer(work, customerId)
  return { customer, verification: await mustFindVerification(work, id) }
}

/** What a provider outside is asked about a submission; its decision is the operator's by other means (PROV-92). */
export const identityChecks: OrderKind = {
  types: ['IDENTITY_CHECK'],
  port: 'identity',
  lock: async (work, order) => void (await lockChecked(work, order)),
  body: identityCheckBody,
  async decided(work, order, decision) {
    const checked = await lockChecked(work, order)
    const { customer, verification } = checked
    if (!customer || customer.isDeleted) return undefined
    const packet = await readPacket(work, customer)
    const breaches = findBreaches(decision, { packet, submitted: await submittedWith(work, order) })
    if (breaches.length > 0) {
      await escalate(work, checked)
      return except(work, order, { type: 'DECISION_INVALID', decision, details: { breaches } })
    }
    const stated = decision as unknown as Decision
    insertDecision(work, order, { ...stated, verificationId: verification.id })
    // A hold is the word of an operator or an alert: no provider lifts it by a decision.
    const isOpen = isUnderReview(verification.status) && customer.status !== 'HOLD'
    if (!isOpen) return compare(work, order, { checked, decision })
    const isStoppedHere = stated.decision === 'APPROVED' && (await isStopped(work, customer.id))
    // What a screening found is for a person to decide, whatever the identity check says (PROV-107).
    await carryOut(work, verification, isStoppedHere ? { ...stated, decision: 'REVIEW' } : stated)
    return undefined
  },
  decidedAgain: async (work, order, decision) =>
    compare(work, order, { checked: await lockChecked(work, order), decision }),
  undecided: async (work, order) => escalate(work, await lockChecked(work, order)),
  failed: async (work, order) => escalate(work, await lockChecked(work, order)),
}

/** A person decides. */
async function escalate(work: Work, { customer, verification }: Checked): Promise<void> {
  if (customer?.isDeleted !== false || verification.status !== 'IN_PROGRESS') return
  await escalateReview(work, formatId('verification', verification.id))
}

async function carryOut(
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

type Late = Readonly<{ checked: Checked; decision: Decided }>

/** The operator was faster: an equal decision says nothing new, any other is theirs to look at (PROV-94). */
function compare(
  work: Work,
  order: Order,
  { checked: { customer, verification }, decision }: Late,
): DecisionOutcome {
  const { status } = verification
  const isEqual = STATUSES[String(decision['decision'])] === status && customer?.status !== 'HOLD'
  if (isEqual) return { isKnown: true }
  const details = { known: { verificationStatus: status, customerStatus: customer?.status } }
  return except(work, order, { type: 'DECIDED_OTHERWISE', decision, details })
}

type Problem = Readonly<{
  type: 'DECISION_INVALID' | 'DECIDED_OTHERWISE'
  decision: Decided
  details: object
}>

/** Evidence is for reviewers only, and stays out of what every operator sees. */
function except(work: Work, order: Order, { type, decision, details }: Problem): DecisionOutcome {
  const { evidence: _, ...stated } = decision
  const { id: orderId, providerId, subject } = order
  const exceptionId = openException(work, {
    type,
    orderId,
    providerId,
    subject,
    details: { ...details, stated },
  })
  return { exceptionId }
}
