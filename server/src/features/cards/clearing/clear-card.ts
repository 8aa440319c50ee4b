import { formatId, failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { applyFirstStep, applyStep, lockCardTransaction } from '../transaction/apply-step.ts'
import type { CardTransaction, Merchant } from '../transaction/card-transaction.ts'
import { clear, forcePost, withEnd, type Clearing } from './steps.ts'
import { ownersOf } from '../authorization/first-step.ts'
import { lockCardForShare } from '../record/find-card.ts'
import { priceClearing } from './price-clearing.ts'
import { mustBeActivated, mustBeClearable } from '../transaction/refusals.ts'

export type Presentment = Readonly<{
  cardId: Id<'card'>
  /** The authorization, undefined where its id is unknown; or, without authorization, the merchant (CTXN-19). */
  by: Readonly<{ transactionId: Id<'cardTransaction'> | undefined } | { merchant: Merchant }>
  amount: bigint
  /** Undefined means the card's currency. */
  currency: string | undefined
  /** Whether no further clearing follows, so that an open authorization ends. */
  isFinal?: boolean
}>

/**
 * Clears a presentment of the network against an open authorization, a closed one or none, in any currency. An amount
 * of 0 ends the authorization. An amount that cannot be pulled is still booked, and borne by the service (CTXN-18).
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE.
 */
export async function clearCard(work: Work, presentment: Presentment): Promise<CardTransaction> {
  return 'merchant' in presentment.by
    ? postByForce(work, presentment, presentment.by.merchant)
    : clearTransaction(work, presentment, presentment.by.transactionId)
}

async function clearTransaction(
  work: Work,
  presentment: Presentment,
  id: Id<'cardTransaction'> | undefined,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, { cardId: presentment.cardId, id })
  const { transaction } = locked
  const { currency, direction } = transaction
  const clearing = await priceClearing(work, {
    money: moneyOf(presentment, currency),
    currency,
    direction,
  })
  mustBeClearable(transaction, clearing.amount)
  recordForeign(work, transaction, clearing)
  return applyStep(
    work,
    locked,
    ({ pullable, ...funds }) => {
      const step = clear(transaction, clearing, { ...funds, available: pullable })
      return presentment.isFinal === true ? withEnd(step, funds.now) : step
    },
    feeAccountOf(clearing),
  )
}

/** Books a clearing without authorization. No check or limit applies; only the balance decides what can be pulled. */
async function postByForce(
  work: Work,
  presentment: Presentment,
  merchant: Merchant,
): Promise<CardTransaction> {
  const card = (await lockCardForShare(work, presentment.cardId)) ?? failNotFound('card')
  mustBeActivated(card)
  const { currency } = card
  const clearing = await priceClearing(work, {
    money: moneyOf(presentment, currency),
    currency,
    direction: 'DEBIT',
  })
  const posted = await applyFirstStep(
    work,
    card,
    ({ pullable, ...funds }, account) => {
      const request = { ...ownersOf(card, account), merchant, now: funds.now }
      return forcePost(request, clearing, { ...funds, available: pullable })
    },
    feeAccountOf(clearing),
  )
  recordForeign(work, posted, clearing)
  return posted
}

const moneyOf = ({ amount, currency }: Presentment, cardCurrency: string): Money => ({
  amount,
  currency: currency ?? cardCurrency,
})

const feeAccountOf = ({ foreign }: Clearing) => ({ feeAccountId: foreign?.platformAccountId })

/** The audit keeps the presented amount beside the amount in the card's currency (CTXN-22). */
function recordForeign(
  work: Work,
  { id, currency }: CardTransaction,
  { amount, foreign }: Clearing,
): void {
  if (!foreign) return
  const { money } = foreign
  audit(work, {
    action: 'clearForeignAmount',
    resource: formatId('cardTransaction', id),
    note: `${money.amount} ${money.currency} for ${amount} ${currency}`,
  })
}
