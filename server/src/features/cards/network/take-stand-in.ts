import { failNotFound, formatId, type Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { recordMessage } from '../../../infra/providers/message-rows.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { digestOf, openException } from '../../../orders/index.ts'
import { AUTHORIZATION_KINDS, inCardCurrency } from '../authorization/decision.ts'
import { declinedTransaction } from '../authorization/first-step.ts'
import { standInTransaction } from '../authorization/stand-in-step.ts'
import { endAuthorizationJob } from '../job-definitions.ts'
import { lockCard, lockCardForShare } from '../record/find-card.ts'
import { applyFirstStep } from '../transaction/apply-step.ts'
import {
  endsAt,
  isOpen,
  refundedOf,
  settledOf,
  type CardTransaction,
} from '../transaction/card-transaction.ts'
import {
  endCardTransaction,
  returnCardTransaction,
} from '../transaction/follow-card-transaction.ts'
import { decisionOf, type NetworkInput } from './authorize-once.ts'
import { isOther, recordOther } from './other-content.ts'
import {
  findAuthorizations,
  insertAuthorizations,
  nameOf,
  saveStandIn,
  type NetworkDecision,
  type StoredAuthorization,
} from './store.ts'

export type StandIn = NetworkDecision['decision']

/**
 * Books what the provider decided by itself where it got no decision in time; its word is in force from then on, also
 * against a decision that was made here (PROV-116).
 * Fails: REFERENCE_NOT_FOUND, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE, CONFLICT.
 */
export async function takeStandIn(
  work: Work,
  input: NetworkInput,
  standIn: StandIn,
): Promise<NetworkDecision> {
  const { key, digest, message } = input
  // Waits for a decision on the card that is just being committed.
  await lockCard(work, input.authorization.cardId)
  await recordMessage(work.tx, message)
  const stored = (await findAuthorizations(work.tx, [key])).get(nameOf(key))
  if (!stored) return standInForNone(work, input, standIn)
  const given = contradicts(stored, standIn) ? wordOf(digest, standIn) : digest
  if (!stored.digest.equals(given)) {
    if (isOther(stored, given)) recordOther(work, stored, given)
    return stored.decision
  }
  const decided =
    stored.decision.decision === standIn ? stored : await overrule(work, input, stored)
  saveStandIn(work.tx, key, { ...decided, standIn })
  return decided.decision
}

/** A provider has one word on an authorization; a second one is other content. */
const contradicts = ({ standIn: former }: StoredAuthorization, standIn: StandIn): boolean =>
  former !== null && former !== standIn

const wordOf = (digest: Buffer, standIn: StandIn): Buffer =>
  digestOf({ digest: digest.toString('hex'), standIn })

type Decided = Pick<StoredAuthorization, 'cardTransactionId' | 'decision'>

async function standInForNone(
  work: Work,
  input: NetworkInput,
  standIn: StandIn,
): Promise<NetworkDecision> {
  const { key, digest, authorization } = input
  const decided = await write(work, input, standIn)
  const made = { platformId: work.platform.id, cardId: authorization.cardId, createdAt: work.now }
  insertAuthorizations(work.tx, [{ ...key, ...made, ...decided, digest, standIn }])
  return decided.decision
}

/** The transaction of a decline stays, and later events follow the one that stands in for it. */
const overrule = (
  work: Work,
  input: NetworkInput,
  { decision, cardTransactionId: id, providerId }: StoredAuthorization,
): Promise<Decided> =>
  decision.decision === 'DECLINED' || id === null
    ? write(work, input, 'APPROVED')
    : takeBack(work, input, { id, providerId })

/** No check of an authorization decides here, only what can be pulled. */
async function write(
  work: Work,
  { authorization }: NetworkInput,
  standIn: StandIn,
): Promise<Decided> {
  const { cardId, kind, merchant, amount: given } = authorization
  const card = (await lockCardForShare(work, cardId)) ?? failNotFound('card')
  const { currency, customerId } = card
  const amount = inCardCurrency({ amount: given, currency: authorization.currency }, currency)
  const transaction = await applyFirstStep(work, card, ({ pullable, ...funds }, account) => {
    const { id: accountId, platformCustomerId } = account
    const request = {
      ...{ cardId, customerId, accountId, kind, merchant, currency, amount, now: funds.now },
      platformCustomerId: platformCustomerId ?? '',
    }
    return standIn === 'APPROVED'
      ? standInTransaction(request, { ...funds, available: pullable })
      : declinedTransaction(request, 'ISSUER_UNAVAILABLE')
  })
  record(work, transaction)
  if (isOpen(transaction)) {
    const payload = { cardTransactionId: transaction.id }
    enqueue(work, endAuthorizationJob, payload, { dueAt: endsAt(transaction) })
  }
  return { cardTransactionId: transaction.id, decision: decisionOf(transaction) }
}

const record = (work: Work, { id }: Pick<CardTransaction, 'id'>): void =>
  audit(work, { action: 'takeStandIn', resource: formatId('cardTransaction', id) })

type Approved = Readonly<{ id: Id<'cardTransaction'>; providerId: Id<'provider'> }>

/**
 * The network has declined what was approved here: an open authorization ends, and a purchase in one message is returned.
 * A credit in one message may be spent, so it is left to the operator.
 */
async function takeBack(
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
  record(work, { id })
  const declined = { decision: 'DECLINED', declineReason: 'ISSUER_UNAVAILABLE' } as const
  return { cardTransactionId: id, decision: { ...declined, cardTransactionId } }
}
