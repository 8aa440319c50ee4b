import { failNotFound, formatId, type Id } from '../../../kernel/ids.ts'
import { recordMessage } from '../../../infra/providers/message-rows.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { digestOf, openException } from '../../../orders/index.ts'
import { enqueueFollowUps } from '../authorization/authorize-card.ts'
import { AUTHORIZATION_KINDS, inCardCurrency } from '../authorization/decision.ts'
import {
  approvedTransaction,
  declinedTransaction,
  newCardTransaction,
  ownersOf,
  type AuthorizationRequest,
} from '../authorization/first-step.ts'
import { clear, type ClearingFunds } from '../clearing/steps.ts'
import { lockCard, lockCardForShare } from '../record/find-card.ts'
import { applyFirstStep } from '../transaction/apply-step.ts'
import { refundedOf, settledOf, type CardTransaction } from '../transaction/card-transaction.ts'
import type { Step } from '../transaction/steps.ts'
import {
  endCardTransaction,
  returnCardTransaction,
} from '../transaction/follow-card-transaction.ts'
import {
  decisionOf,
  isUnseenContent,
  recordChangedContent,
  type NetworkInput,
} from './authorize-once.ts'
import {
  findAuthorizations,
  insertAuthorizations,
  authorizationMapKey,
  saveStandIn,
  type NetworkDecision,
  type StoredAuthorization,
} from './store.ts'

export type StandIn = NetworkDecision['decision']

/**
 * Books a decision that the provider made by itself because it got none in time. It overrules a decision that was made
 * here (PROV-116).
 * Fails: REFERENCE_NOT_FOUND, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE, CONFLICT.
 */
export async function takeStandIn(
  work: Work,
  input: NetworkInput,
  standIn: StandIn,
): Promise<NetworkDecision> {
  const { key, digest, message } = input
  // The lock waits for a decision on the card that is just being committed.
  await lockCard(work, input.authorization.cardId)
  await recordMessage(work.tx, message)
  const stored = (await findAuthorizations(work.tx, [key])).get(authorizationMapKey(key))
  if (!stored) return insertStandIn(work, input, standIn)
  const received = isChangedStandIn(stored, standIn) ? digestWithStandIn(digest, standIn) : digest
  if (!stored.digest.equals(received)) {
    if (isUnseenContent(stored, received)) recordChangedContent(work, stored, received)
    return stored.decision
  }
  const decided =
    stored.decision.decision === standIn ? stored : await overruleDecision(work, input, stored)
  saveStandIn(work.tx, key, { ...decided, standIn })
  return decided.decision
}

/** A provider may stand in once for an authorization; a different second decision counts as changed content. */
const isChangedStandIn = ({ standIn: former }: StoredAuthorization, standIn: StandIn): boolean =>
  former !== null && former !== standIn

const digestWithStandIn = (digest: Buffer, standIn: StandIn): Buffer =>
  digestOf({ digest: digest.toString('hex'), standIn })

type Decided = Pick<StoredAuthorization, 'cardTransactionId' | 'decision'>

async function insertStandIn(
  work: Work,
  input: NetworkInput,
  standIn: StandIn,
): Promise<NetworkDecision> {
  const { key, digest, authorization } = input
  const decided = await bookStandIn(work, input, standIn)
  const made = { platformId: work.platform.id, cardId: authorization.cardId, createdAt: work.now }
  insertAuthorizations(work.tx, [{ ...key, ...made, ...decided, digest, standIn }])
  return decided.decision
}

/** A declined transaction stays; later events belong to the stand-in's transaction. */
const overruleDecision = (
  work: Work,
  input: NetworkInput,
  { decision, cardTransactionId: id, providerId }: StoredAuthorization,
): Promise<Decided> =>
  decision.decision === 'DECLINED' || id === null
    ? bookStandIn(work, input, 'APPROVED')
    : undoApproval(work, input, { id, providerId })

/** Books the provider's decision as a new transaction. No check applies; only the balance decides what can be pulled. */
async function bookStandIn(
  work: Work,
  { authorization }: NetworkInput,
  standIn: StandIn,
): Promise<Decided> {
  const { cardId, kind, merchant, amount: given } = authorization
  const card = (await lockCardForShare(work, cardId)) ?? failNotFound('card')
  const { currency } = card
  const amount = inCardCurrency({ amount: given, currency: authorization.currency }, currency)
  const transaction = await applyFirstStep(work, card, ({ pullable, ...funds }, account) => {
    const request = { ...ownersOf(card, account), kind, merchant, amount, now: funds.now }
    return standIn === 'APPROVED'
      ? standInTransaction(request, { ...funds, available: pullable })
      : declinedTransaction(request, 'ISSUER_UNAVAILABLE')
  })
  auditStandIn(work, transaction)
  enqueueFollowUps(work, transaction)
  return { cardTransactionId: transaction.id, decision: decisionOf(transaction) }
}

/**
 * An approved stand-in is booked even if the account cannot pay. The failed pull is counted and retried at clearing; a
 * single message is cleared at once (PROV-116, CTXN-6).
 */
function standInTransaction(request: AuthorizationRequest, funds: ClearingFunds): Step {
  const { direction, isSingleMessage } = AUTHORIZATION_KINDS[request.kind]
  const { amount } = request
  if (direction === 'CREDIT' || amount <= funds.available)
    return approvedTransaction(request, undefined)
  const unpaid = newCardTransaction(request)
  if (!isSingleMessage) return { transaction: { ...unpaid, pullCount: 1 }, journals: [] }
  const { transaction, journals } = clear(unpaid, { amount }, funds)
  return { transaction: { ...transaction, lastEventAt: null }, journals }
}

const auditStandIn = (work: Work, { id }: Pick<CardTransaction, 'id'>): void =>
  audit(work, { action: 'takeStandIn', resource: formatId('cardTransaction', id) })

type Approved = Readonly<{ id: Id<'cardTransaction'>; providerId: Id<'provider'> }>

/**
 * Undoes our approval because the network declined: ends an open authorization and returns a single-message purchase. A
 * single-message credit may be spent already, so it is left to the operator.
 */
async function undoApproval(
  work: Work,
  { authorization: { cardId, kind } }: NetworkInput,
  { id, providerId }: Approved,
): Promise<Decided> {
  const transaction = await endCardTransaction(work, { cardId, id })
  const { direction, isSingleMessage } = AUTHORIZATION_KINDS[kind]
  const left = settledOf(transaction) - refundedOf(transaction)
  const cardTransactionId = formatId('cardTransaction', id)
  if (isSingleMessage && left > 0n) {
    if (direction === 'DEBIT') await returnCardTransaction(work, { cardId, id, amount: left })
    else openException(work, { type: 'EVENT_NOT_BOOKABLE', providerId, subject: cardTransactionId })
  }
  auditStandIn(work, { id })
  const declined = { decision: 'DECLINED', declineReason: 'ISSUER_UNAVAILABLE' } as const
  return { cardTransactionId: id, decision: { ...declined, cardTransactionId } }
}
