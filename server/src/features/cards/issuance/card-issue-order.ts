import { Type } from '../../../infra/http/schema/type.ts'
import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { oneOf } from '../../../infra/http/schema/wire-schema.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  openDecisionConflict,
  digestOf,
  openException,
  placeOrder,
  type Order,
  type OrderKind,
  type Statement,
} from '../../../orders/index.ts'
import { DECISIONS } from '../../../providers/http/messages/decisions.ts'
import { findCustomer, partyOfCustomer } from '../../customers/index.ts'
import { CARD_BRANDS, type Card } from '../record/card.ts'
import { lockCard, mustFindCard } from '../record/find-card.ts'
import { cardIdOf, placeStateOrder } from '../record/card-state-order.ts'
import { isProcessorRefTaken } from '../record/store.ts'
import { hadCardNumber, withoutCardNumbers } from './number.ts'
import { activateCard, rejectCard } from './settle-issue.ts'

/** Orders a card from an outside issuer. The password is stored only until the issuer has the order (PROV-110). */
export function placeIssueOrder(
  work: Work,
  provider: RegisteredProvider,
  {
    card,
    threeDSecurePassword,
  }: Readonly<{ card: Card; threeDSecurePassword: string | undefined }>,
): void {
  placeOrder(work, {
    type: 'CARD_ISSUE',
    provider,
    subject: formatId('card', card.id),
    secret:
      threeDSecurePassword === undefined
        ? undefined
        : { keyring: work.keyring, members: { threeDSecurePassword } },
  })
}

const isDecision = bodyValidator(DECISIONS.CARD_ISSUE)
const Issued = Type.Object({ card: Type.Object({ brand: oneOf(CARD_BRANDS) }) })
const isIssued = bodyValidator(Issued)

type Decision =
  | Readonly<{ decision: 'REFUSED'; reason: string }>
  | Readonly<{ decision: 'ISSUED'; card: NonNullable<Card['provisioned']> }>

/** The order for a card whose number stays with the outside issuer (PROV-110). */
export const cardIssueOrder: OrderKind = {
  types: ['CARD_ISSUE'],
  port: 'cards',
  lock: async (work, order) => void (await lockCard(work, cardIdOf(order))),
  async body(work, order) {
    const card = await mustFindCard(work, cardIdOf(order))
    const customer = await findCustomer(work, card.customerId)
    invariant(customer, 'A card has a cardholder.')
    return {
      cardId: formatId('card', card.id),
      platformCardId: card.platformCardId,
      cardholder: partyOfCustomer(customer),
      currency: card.currency,
      form: 'VIRTUAL',
    }
  },
  redact: withoutCardNumbers,
  onDecided: decide,
  async onDecidedAgain(work, order, statement) {
    const { state, stateReason, provisioned } = await lockCard(work, cardIdOf(order))
    const isTaken = provisioned !== null || stateReason === 'ISSUER_REJECTED'
    // If the first decision was unusable, a later one may still take effect.
    if (!isTaken || isDecision(statement).length > 0) return decide(work, order, statement)
    const decision = statement as unknown as Decision
    const stated = decision.decision === 'ISSUED' ? decision.card : null
    const isEqual = digestOf({ ...stated, ...provisioned }).equals(digestOf({ ...stated }))
    if (isEqual && (stated === null) === (provisioned === null)) return { isKnown: true }
    const known = { state, stateReason, card: provisioned }
    return openDecisionConflict(work, order, { known, stated: statement })
  },
  async onFailed(work, order, failure) {
    openIfNumberSent(work, order, failure)
    await rejectIfProcessing(work, await lockCard(work, cardIdOf(order)))
  },
}

async function decide(work: Work, order: Order, statement: Statement): Promise<void> {
  const card = await lockCard(work, cardIdOf(order))
  if (openIfNumberSent(work, order, statement)) return
  if (isDecision(statement).length > 0) return openInvalidDecision(work, order, statement)
  const decision = statement as unknown as Decision
  if (decision.decision === 'REFUSED') return rejectIfProcessing(work, card)
  await issue(work, order, { card, issued: decision.card })
}

async function issue(
  work: Work,
  order: Order,
  { card, issued }: Readonly<{ card: Card; issued: NonNullable<Card['provisioned']> }>,
): Promise<void> {
  const { brand, last4, expMonth, expYear, processorRef, issuerRef } = issued
  const isTaken = await isProcessorRefTaken(work.tx, order.providerId, processorRef)
  if (isTaken || isIssued({ card: issued }).length > 0) {
    return openInvalidDecision(work, order, { card: issued })
  }
  if (card.state !== 'PROCESSING') {
    // The card was closed while it was issued, which the processor does not know yet.
    const { id: cardId, state, stateVersion: version } = card
    return placeStateOrder(work, {
      providerId: order.providerId,
      cardId,
      processorRef,
      state,
      version,
    })
  }
  await activateCard(work, card, { brand, last4, expMonth, expYear, processorRef, issuerRef })
}

const rejectIfProcessing = async (work: Work, card: Card): Promise<void> =>
  card.state === 'PROCESSING' ? rejectCard(work, card) : undefined

/** Opens an exception if the provider sent a card number. The number itself has been removed from the statement. */
function openIfNumberSent(work: Work, order: Order, sent: unknown): boolean {
  if (!hadCardNumber([sent, order.reference])) return false
  const { providerId, id: orderId, subject } = order
  openException(work, { type: 'CARD_NUMBER_SENT', providerId, orderId, subject, details: {} })
  return true
}

function openInvalidDecision(work: Work, order: Order, stated: unknown): void {
  const { providerId, id: orderId, subject } = order
  const type = 'DECISION_INVALID'
  openException(work, { type, providerId, orderId, subject, details: { stated } })
}
