import { formatId, failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money.ts'
import { audit } from '../../../infra/audit.ts'
import type { Work } from '../../../infra/work.ts'
import { applyFirstStep, applyStep, lockCardTransaction } from '../transaction/apply-step.ts'
import type { CardTransaction, Merchant } from '../transaction/card-transaction.ts'
import { clear, forcePost, type Clearing } from './steps.ts'
import { lockCardForShare } from '../record/find-card.ts'
import { priceClearing } from './price-clearing.ts'
import { mustBeActivated, mustBeClearable } from '../transaction/refusals.ts'

/** A clearing as the network presents it. */
export type Presented = Readonly<{
  cardId: Id<'card'>
  /** By which authorization, undefined where it names none there is; or without any, at which merchant (CTXN-19). */
  by: Readonly<{ transactionId: Id<'cardTransaction'> | undefined } | { merchant: Merchant }>
  amount: bigint
  /** Undefined: the card's. */
  currency: string | undefined
}>

/**
 * The network collects: for an authorization, after its end, once more, without any, in any currency. With nothing to
 * collect the authorization ends. What cannot be pulled is booked all the same, and borne by the service (CTXN-18).
 * Fails: REFERENCE_NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_INPUT, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE.
 */
export async function clearCard(work: Work, presented: Presented): Promise<CardTransaction> {
  return 'merchant' in presented.by
    ? postByForce(work, presented, presented.by.merchant)
    : clearTransaction(work, presented, presented.by.transactionId)
}

async function clearTransaction(
  work: Work,
  presented: Presented,
  id: Id<'cardTransaction'> | undefined,
): Promise<CardTransaction> {
  const locked = await lockCardTransaction(work, { cardId: presented.cardId, id })
  const { transaction } = locked
  const { currency, direction } = transaction
  const clearing = await priceClearing(work, {
    money: moneyOf(presented, currency),
    currency,
    direction,
  })
  mustBeClearable(transaction, clearing.amount)
  recordForeign(work, transaction, clearing)
  return applyStep(
    work,
    locked,
    ({ pullable, ...means }) => clear(transaction, clearing, { ...means, available: pullable }),
    feeAccountOf(clearing),
  )
}

/** No check of an authorization and no limit decides a force post: only what can be pulled. */
async function postByForce(
  work: Work,
  presented: Presented,
  merchant: Merchant,
): Promise<CardTransaction> {
  const card = (await lockCardForShare(work, presented.cardId)) ?? failNotFound('card')
  mustBeActivated(card)
  const { currency, customerId } = card
  const clearing = await priceClearing(work, {
    money: moneyOf(presented, currency),
    currency,
    direction: 'DEBIT',
  })
  const posted = await applyFirstStep(
    work,
    card,
    ({ pullable, ...means }, account) => {
      const { id: accountId, platformCustomerId } = account
      const asked = {
        cardId: card.id,
        customerId,
        platformCustomerId: platformCustomerId ?? '',
        accountId,
        merchant,
        currency,
        now: means.now,
      }
      return forcePost(asked, clearing, { ...means, available: pullable })
    },
    feeAccountOf(clearing),
  )
  recordForeign(work, posted, clearing)
  return posted
}

const moneyOf = ({ amount, currency }: Presented, cardCurrency: string): Money => ({
  amount,
  currency: currency ?? cardCurrency,
})

const feeAccountOf = ({ foreign }: Clearing) => ({ feeAccountId: foreign?.platformAccountId })

/** CTXN-22: the amount that the network presented is kept beside what it came to. */
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
