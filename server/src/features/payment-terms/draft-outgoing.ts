import type { Id } from '../../kernel/ids.ts'
import type { Payer } from '../customers/index.ts'
import { displayRate, rateDetails, type Prices } from '../rates/index.ts'
import {
  type PaymentRail,
  ownerOf,
  newTransaction,
  type Direction,
  type OutgoingTransaction,
} from '../transactions/index.ts'
import {
  destinationOf,
  ownerOfSide,
  sourceOf,
  type PayingSide,
  type ReceivingSide,
} from './sides.ts'
import type { PricedEnds } from './price.ts'
import { settlementTimeline } from './settlement-timeline.ts'

export type OutgoingDraft = Readonly<{
  id: Id<'transaction'>
  now: Date
  paying: PayingSide
  receiving: ReceivingSide
  /** The customer that the source names, where it does. */
  named?: Payer | undefined
  priced: PricedEnds
  prices: Prices
  /** The rail that was asked for; undefined: the account's first. */
  chosenRail: string | undefined
}> &
  Partial<
    Pick<
      OutgoingTransaction,
      | 'quoteId'
      | 'agentId'
      | 'description'
      | 'paymentReference'
      | 'reconciliationReference'
      | 'paymentInstructions'
    >
  >

/** A payment out as it begins: whose it is (TXN-2), which way it goes (TXN-20), what it costs, and the rail it will take (TXN-17). */
export function draftOutgoing(draft: OutgoingDraft): OutgoingTransaction {
  const { id, now, paying, receiving, named, priced, prices, chosenRail, ...more } = draft
  const { price, rate, fees } = priced
  const owner = ownerOf({
    named,
    paying: ownerOfSide(paying),
    paid: receiving.kind === 'external' ? receiving.account.payer : null,
  })
  const isCrossCurrency = price.sending.currency !== price.receiving.currency
  return newTransaction<OutgoingTransaction>({
    id,
    type: 'OUTGOING',
    status: 'PENDING',
    direction: directionOf({ paying, receiving, ownerId: owner?.id ?? null }),
    customerId: owner?.id ?? null,
    platformCustomerId: owner?.platformCustomerId ?? null,
    source: sourceOf(paying),
    destination: destinationOf(receiving),
    sent: price.sending,
    received: price.receiving,
    fees: price.fees,
    platformFees: price.platformFees,
    exchangeRate: displayRate(rate),
    rateDetails: isCrossCurrency ? (rateDetails({ price, rate, fees, prices }) ?? null) : null,
    ...railFields(now, chosenRail, receiving),
    ...more,
    createdAt: now,
  })
}

/** TXN-20: CREDIT where the owner's own money comes in from outside. */
function directionOf({
  paying,
  receiving,
  ownerId,
}: Pick<OutgoingDraft, 'paying' | 'receiving'> &
  Readonly<{ ownerId: Id<'customer'> | null }>): Direction {
  const isFromOutside = paying.kind !== 'internal'
  const isOwners = receiving.kind === 'internal' && receiving.account.customerId === ownerId
  return isFromOutside && isOwners ? 'CREDIT' : 'DEBIT'
}

function railFields(now: Date, chosen: string | undefined, receiving: ReceivingSide) {
  const rail =
    receiving.kind === 'external' ? (chosen ?? receiving.account.paymentRails[0]) : undefined
  if (rail === undefined) return {}
  const { railSelectionMode, settlementTimelineSeconds, expectedSettlementAt } = settlementTimeline(
    {
      paymentRail: rail,
      railSelectionMode: chosen ? 'MANUAL' : 'AUTO',
      createdAt: now,
    },
  )
  return {
    paymentRail: rail as PaymentRail,
    railSelectionMode,
    settlementTimelineSeconds,
    expectedSettlementAt: expectedSettlementAt ?? null,
  }
}
