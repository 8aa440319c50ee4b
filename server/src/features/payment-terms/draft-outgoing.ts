import type { Id } from '../../kernel/ids.ts'
import type { Payer } from '../customers/index.ts'
import { displayRate, rateDetails, type Prices } from '../rates/index.ts'
import {
  type PaymentRail,
  newTransaction,
  type Direction,
  type OutgoingTransaction,
  type RailSelectionMode,
} from '../transactions/index.ts'
import {
  destinationOf,
  ownerOfSide,
  sourceOf,
  type PayingSide,
  type ReceivingSide,
} from './sides.ts'
import type { PaymentPrice } from './price.ts'
import { addMs, SECOND_MS } from '../../kernel/clock.ts'

export type OutgoingDraft = Readonly<{
  id: Id<'transaction'>
  now: Date
  paying: PayingSide
  receiving: ReceivingSide
  /** The customer whom the source names. */
  named?: Payer | undefined
  priced: PaymentPrice
  prices: Prices
  /** The requested rail; undefined for the account's first. */
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

/** A new payment out with its owner (TXN-2), direction (TXN-20), price and rail (TXN-17). */
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

/**
 * The owner of a transaction: the customer named in the source, else the owner of the source account, else of the
 * external account that is paid; undefined for the platform (TXN-2).
 */
export function ownerOf<Customer>({
  named,
  paying,
  paid,
}: {
  named?: Customer | null | undefined
  paying?: Customer | null | undefined
  paid?: Customer | null | undefined
}): Customer | undefined {
  return named ?? paying ?? paid ?? undefined
}

/** CREDIT where the owner brings in money from outside (TXN-20). */
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

/** How long a rail takes to settle; every other rail settles at once (TXN-17). */
const SETTLEMENT_SECONDS: ReadonlyMap<string, number> = new Map([
  ['ACH', 86_400],
  ['WIRE', 14_400],
  ['SEPA', 86_400],
  ['SWIFT', 172_800],
  ['NEFT', 7_200],
])

export type SettlementTimeline = Readonly<{
  paymentRail: string
  railSelectionMode: RailSelectionMode
  settlementTimelineSeconds: number
  expectedSettlementAt?: Date
}>

/** The rail and its expected settlement; only payouts to external fiat accounts have them (TXN-17). */
export function settlementTimeline({
  paymentRail,
  railSelectionMode,
  createdAt,
}: {
  paymentRail: string
  railSelectionMode: RailSelectionMode
  createdAt: Date
}): SettlementTimeline {
  const seconds = SETTLEMENT_SECONDS.get(paymentRail) ?? 0
  return {
    paymentRail,
    railSelectionMode,
    settlementTimelineSeconds: seconds,
    ...(seconds > 0 && { expectedSettlementAt: addMs(createdAt, seconds * SECOND_MS) }),
  }
}
