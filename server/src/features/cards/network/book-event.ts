import { failFields } from '../../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../../kernel/ids.ts'
import { amountFromWire } from '../../../kernel/money/wire-money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { inCardCurrency } from '../authorization/decision.ts'
import { clearCard } from '../clearing/clear-card.ts'
import { stopCard } from '../record/close-card.ts'
import { mustFindCard } from '../record/find-card.ts'
import { merchantFromWire, type CardTransaction } from '../transaction/card-transaction.ts'
import {
  adviseCardTransaction,
  endCardTransaction,
  lowerAuthorization,
  returnCardTransaction,
  reverseReturnOf,
} from '../transaction/follow-card-transaction.ts'
import { clearReturn, findReturnedAmount, type CardEvent, type StoredEvent } from './event-store.ts'
import { insertAuthorizations } from './store.ts'

export type Booked = Readonly<{
  cardTransactionId?: Id<'cardTransaction'>
  returned?: Readonly<{ returnId: string; amount: bigint }>
}>

/** Applies an event to its card or card transaction. Fails if no rule can book it. */
export async function bookEvent(
  work: Work,
  event: StoredEvent,
  id: Id<'cardTransaction'> | undefined,
): Promise<Booked> {
  const { content, cardId } = event
  if (content.type === 'CARD_STATE') {
    await stopCard(work, cardId, content.state ?? failMissing('state'))
    return {}
  }
  if (content.type === 'CLEARING') return { cardTransactionId: await clear(work, event, id) }
  const named = { cardId, id: id ?? failNotFound('cardTransaction') }
  switch (content.type) {
    case 'ADVICE':
      await adviseCardTransaction(work, { ...named, amount: await amountOf(work, event) })
      break
    case 'REVERSAL':
      await lowerAuthorization(work, {
        ...named,
        by: content.amount && (await amountOf(work, event)),
      })
      break
    case 'EXPIRY':
      await endCardTransaction(work, named)
      break
    case 'RETURN':
    case 'DISPUTE_CREDIT':
      return creditReturn(work, event, named)
    case 'RETURN_REVERSAL':
    case 'DISPUTE_DEBIT':
      await undoReturn(work, content, named)
  }
  return { cardTransactionId: named.id }
}

const failMissing = (field: string): never => failFields([{ field, message: 'is required' }])

/** The event's amount in the card's currency. */
async function amountOf(work: Work, { content, cardId }: StoredEvent): Promise<bigint> {
  const { amount, currency } = content.amount ?? failMissing('amount')
  const card = await mustFindCard(work, cardId)
  return inCardCurrency({ amount: amountFromWire(amount), currency }, card.currency)
}

/** A clearing without authorization is a force post; later events with its reference belong to that transaction. */
async function clear(
  work: Work,
  event: StoredEvent,
  transactionId: Id<'cardTransaction'> | undefined,
): Promise<Id<'cardTransaction'>> {
  const { content, cardId } = event
  const { amount, currency } = content.amount ?? failMissing('amount')
  const by = transactionId
    ? { transactionId }
    : { merchant: merchantFromWire(content.merchant ?? failMissing('merchant')) }
  if (!transactionId && amount === 0) failMissing('networkReference')
  const isFinal = content.final === true
  const presented = { cardId, by, amount: amountFromWire(amount), currency, isFinal }
  const cleared = await clearCard(work, presented)
  if (!transactionId) saveForcedReference(work, event, cleared)
  return cleared.id
}

function saveForcedReference(work: Work, event: StoredEvent, { id }: CardTransaction): void {
  const { providerId, cardId, digest, content } = event
  if (content.networkReference === undefined) return
  const cardTransactionId = formatId('cardTransaction', id)
  insertAuthorizations(work.tx, [
    {
      providerId,
      networkReference: content.networkReference,
      kind: 'FORCED',
      platformId: work.platform.id,
      cardId,
      cardTransactionId: id,
      digest,
      decision: { decision: 'APPROVED', cardTransactionId },
      standIn: null,
      createdAt: work.now,
    },
  ])
}

type Named = Readonly<{ cardId: Id<'card'>; id: Id<'cardTransaction'> }>

async function creditReturn(work: Work, event: StoredEvent, named: Named): Promise<Booked> {
  const returnId = event.content.returnId ?? failMissing('returnId')
  const amount = await amountOf(work, event)
  await returnCardTransaction(work, { ...named, amount })
  const cardTransactionId = named.id
  const known = await findReturnedAmount(work.tx, { cardTransactionId, returnId })
  if (known !== undefined) failFields([{ field: 'returnId', message: 'is in force already' }])
  return { cardTransactionId, returned: { returnId, amount } }
}

async function undoReturn(work: Work, { returnId }: CardEvent, named: Named): Promise<void> {
  const key = { cardTransactionId: named.id, returnId: returnId ?? failMissing('returnId') }
  const amount = await findReturnedAmount(work.tx, key)
  await reverseReturnOf(work, { ...named, amount: amount ?? failMissing('returnId') })
  clearReturn(work.tx, key)
}
