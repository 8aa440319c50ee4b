/**
 * Re-checks a payment that waited for a person: for the customer's proof (SCA-56) or the platform's approval (ACT-21).
 * The checks are those of execution, in one order and with one set of names for both.
 */
import { errorOf, fail, mustPass, type ApiError } from '../../kernel/errors.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockAnyCustomer, mustBeAbleToPay, type Payer } from '../customers/index.ts'
import { isClosed, lockExternalAccountsForShare } from '../external-accounts/index.ts'
import { lockAccountsForShare } from '../internal-accounts/index.ts'
import {
  readPrices,
  readTerms,
  sizeRefusal,
  volumeDayOf,
  volumeRefusal,
  type Prices,
  type Terms,
} from '../rates/index.ts'
import type { OutgoingFailureReason } from '../../kernel/failure-reasons.ts'
import {
  bothSidesOf,
  wantedSidesOf,
  mustBeAbleToReceive,
  mustBeAbleToSend,
  currencyOfSide,
  findSides,
  ownerOfSide,
  type PayingSide,
  type ReceivingSide,
} from '../payment-terms/index.ts'
import type { Transaction } from '../transactions/index.ts'

/** A waiting payment with the locked rows that its re-check reads. */
export type WaitingPayment<T extends Transaction = Transaction> = Readonly<{
  transaction: T
  paying: PayingSide
  receiving: ReceivingSide
  /** The customer who pays; null for the platform. */
  payer: Payer | null
  terms: Terms
  prices: Prices
}>

/**
 * Loads a payment, whose own lock the caller holds, and locks its accounts and payer, so that a freeze, a hold or a
 * deletion comes either before the check or after the debit.
 */
export async function lockWaitingPayment<T extends Transaction>(
  work: Pick<Work, 'tx' | 'platform' | 'now' | 'ports'>,
  transaction: T,
): Promise<WaitingPayment<T>> {
  const { tx, platform, now, ports } = work
  const platformId = platform.id
  const wanted = wantedSidesOf(platformId, transaction)
  const { customerId } = transaction
  // In the order of findSides. The reads below are separate statements, so that they see what a former holder has committed.
  await Promise.all([
    wanted.external.length > 0 ? lockExternalAccountsForShare(tx, wanted.external) : undefined,
    wanted.internal.length > 0 ? lockAccountsForShare(tx, wanted.internal) : [],
    customerId && lockAnyCustomer(work, customerId),
  ])
  const sides = await findSides(tx, wanted)
  const { paying, receiving } = bothSidesOf(platformId, transaction, sides)
  const corridor = {
    platformId,
    sending: currencyOfSide(paying),
    receiving: currencyOfSide(receiving),
    day: transaction.volumeDay ?? volumeDayOf(now),
  }
  const [terms, prices] = await Promise.all([
    readTerms(tx, [{ ...corridor, ports }]),
    readPrices(tx, [work]),
  ])
  const payer = payerOf(transaction, { paying, receiving })
  return { transaction, paying, receiving, payer, terms: terms(corridor), prices: prices(work) }
}

/** A pull into an account is checked against the owner of that account (QUOTE-9, XFER-7). */
function payerOf(
  { type }: Transaction,
  { paying, receiving }: Pick<WaitingPayment, 'paying' | 'receiving'>,
): Payer | null {
  if (type === 'OUTGOING') return ownerOfSide(paying)
  return receiving.kind === 'internal' ? receiving.account.payer : null
}

export const OBSTACLE_REASONS = [
  'ACCOUNT_NOT_ACTIVE',
  'CUSTOMER_NOT_READY',
  'DESTINATION_DELETED',
  'DESTINATION_NOT_USABLE',
  'LIMIT_EXCEEDED',
] as const
type ObstacleReason = (typeof OBSTACLE_REASONS)[number]

/** Why a waiting payment may not continue. */
export type Obstacle = Readonly<{
  reason: ObstacleReason
  /** The failure reason of its transaction. */
  failureReason: OutgoingFailureReason
  /** The error that the platform's own call would get. */
  refusal: ApiError
}>

type Rechecking = Pick<Work, 'platform' | 'now'>

type Check = readonly [
  reason: ObstacleReason,
  failureReason: OutgoingFailureReason,
  /** Fails as execution does. */
  check: (waiting: WaitingPayment, work: Rechecking) => void,
]

/** The first check that fails decides. */
const CHECKS: readonly Check[] = [
  ['ACCOUNT_NOT_ACTIVE', 'COMPLIANCE_REJECTED', ({ paying }) => mustBeAbleToSend(paying)],
  ['CUSTOMER_NOT_READY', 'COMPLIANCE_REJECTED', mustHaveReadyPayer],
  ['DESTINATION_DELETED', 'ACCOUNT_INVALID', mustHaveDestination],
  ['DESTINATION_NOT_USABLE', 'ACCOUNT_CANNOT_RECEIVE', mustHaveUsableDestination],
  ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', mustFitLimits],
]

/** The first obstacle that the payment now has; undefined where there is none. Refuses nothing. */
export function obstacleTo(work: Rechecking, waiting: WaitingPayment): Obstacle | undefined {
  for (const [reason, failureReason, check] of CHECKS) {
    const refusal = errorOf(() => check(waiting, work))
    if (refusal) return { reason, failureReason, refusal }
  }
  return undefined
}

function mustHaveReadyPayer({ payer }: WaitingPayment, { platform }: Rechecking): void {
  if (payer) mustBeAbleToPay(platform, payer)
}

/** An account is deleted together with its customer (EACC-14, CUST-69). */
function mustHaveDestination({ receiving }: WaitingPayment): void {
  if (receiving.kind === 'uma') return
  const isDeleted =
    receiving.kind === 'external'
      ? isClosed(receiving.account)
      : receiving.account.payer?.isDeleted === true
  if (isDeleted) fail('CONFLICT', { reason: 'DESTINATION_DELETED' })
}

function mustHaveUsableDestination({ transaction, receiving, prices }: WaitingPayment): void {
  const received = transaction.received ?? transaction.sent
  if (received) mustBeAbleToReceive(receiving, { received, prices })
}

const ANY_AMOUNT = { min: 0n, max: AMOUNT_MAX }

/**
 * The current limits (LIM-1 to LIM-3). A payment that waits for a proof was counted in the volume, and checked against
 * the platform's range (LIM-2), when its money was held, so neither is repeated.
 */
function mustFitLimits({ transaction, terms }: WaitingPayment, { now }: Rechecking): void {
  const sending = transaction.sent ?? transaction.received
  if (!sending) return
  const { limits, spent } = terms
  const range = transaction.status === 'PENDING_AUTHORIZATION' ? ANY_AMOUNT : terms.range
  const own = transaction.volumeDay === null ? 0n : sending.amount
  const others = { currency: spent.currency - own, corridor: spent.corridor - own }
  mustPass(sizeRefusal({ sending, limits, range }))
  if (transaction.type === 'OUTGOING')
    mustPass(volumeRefusal({ sending, limits, now, spent: others }))
}
