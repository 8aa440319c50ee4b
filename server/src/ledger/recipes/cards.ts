import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Money } from '../../kernel/money/money.ts'
import {
  availableOf,
  CARD_NETWORK,
  cardReserveOf,
  cardShortfallOf,
  FX,
  heldOf,
  REVENUE_FEES,
  type LedgerAccount,
} from '../chart.ts'
import type { Journal, Posting } from '../posting.ts'
import { journal, move } from './journal.ts'

/** One card message. A transaction may have the same step again, under the next sequence number. */
export type CardMessage = Readonly<{
  transactionId: Id<'cardTransaction'>
  sequence: number
  accountId: Id<'internalAccount'>
  currency: string
}>

const referenceOf = ({ transactionId, sequence }: CardMessage): string =>
  `${transactionId}/${sequence}`

type Path = Readonly<{ type: string; from: LedgerAccount; to: LedgerAccount }>

const moved = (message: CardMessage, amount: bigint, path: Path): Journal =>
  move({ ...path, reference: referenceOf(message), money: { amount, currency: message.currency } })

/**
 * K1, K3: the amount of a purchase that is not cleared yet is taken from the account.
 *
 *   IA:available   −X
 *   CARD_RESERVE         +X
 */
export const pullFunds = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.pulled',
    from: availableOf(message.accountId),
    to: cardReserveOf(message.transactionId),
  })

/**
 * K1p: a pull is requested but not confirmed: the account still has the amount, and cannot spend it.
 *
 *   IA:available   −X
 *   IA:held              +X
 */
export const holdPull = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.pull_held',
    from: availableOf(message.accountId),
    to: heldOf(message.accountId),
  })

/**
 * K1c: the pull is confirmed.
 *
 *   IA:held        −X
 *   CARD_RESERVE         +X
 */
export const confirmPull = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.pull_confirmed',
    from: heldOf(message.accountId),
    to: cardReserveOf(message.transactionId),
  })

/**
 * K1f, and K4 while the pull is pending: the held amount can be spent again.
 *
 *   IA:held        −X
 *   IA:available         +X
 */
export const releasePull = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.pull_released',
    from: heldOf(message.accountId),
    to: availableOf(message.accountId),
  })

/** A clearing in a currency other than the card's: the amount for the network, and the fees in the price (CTXN-22). */
export type ForeignClearing = Readonly<{
  money: Money
  serviceFees: bigint
  platformFees: bigint
  /** The platform's account in the card's currency; needed where there is a platform fee. */
  platformAccountId: Id<'internalAccount'> | undefined
}>

/**
 * K2: the network collects. K3f: more than could be pulled, and the service bears the rest.
 *
 *   CARD_RESERVE     −R
 *   CARD_SHORTFALL   −S
 *   CARD_NETWORK           +(R+S)
 *
 * K8: in another currency, at a price in the card's.
 *
 *   card's currency                      clearing currency
 *   CARD_RESERVE             −R          FX             −X
 *   CARD_SHORTFALL           −S          CARD_NETWORK        +X
 *   REVENUE:fees                  +Sf
 *   IA(platform):available        +Pf
 *   FX                            +net
 */
export function clear(
  message: CardMessage,
  { reserved, short, foreign }: { reserved: bigint; short: bigint; foreign?: ForeignClearing },
): Journal {
  const cleared = reserved + short
  return journal({
    type: short > 0n ? 'card.cleared_short' : 'card.cleared',
    reference: referenceOf(message),
    lines: [
      line(message, cardReserveOf(message.transactionId), -reserved),
      line(message, cardShortfallOf(message.transactionId), -short),
      ...(foreign ? converted(message, cleared, foreign) : [line(message, CARD_NETWORK, cleared)]),
    ],
  })
}

function converted(message: CardMessage, cleared: bigint, foreign: ForeignClearing): Posting[] {
  const { money, serviceFees, platformFees, platformAccountId } = foreign
  const net = cleared - serviceFees - platformFees
  invariant(net >= 1n && money.amount >= 1n, 'Fees leave something to pay the network with.')
  invariant(platformFees === 0n || platformAccountId, 'A platform fee has an account to go to.')
  return [
    line(message, REVENUE_FEES, serviceFees),
    ...(platformAccountId ? [line(message, availableOf(platformAccountId), platformFees)] : []),
    line(message, FX, net),
    line(money, FX, -money.amount),
    line(money, CARD_NETWORK, money.amount),
  ]
}

const line = (
  { currency }: Readonly<{ currency: string }>,
  account: LedgerAccount,
  amount: bigint,
) => ({ account, currency, amount })

/**
 * K3r: the operator takes an amount that the service bore from the account after all.
 *
 *   IA:available     −X
 *   CARD_SHORTFALL         +X
 */
export const recoverShortfall = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.shortfall_recovered',
    from: availableOf(message.accountId),
    to: cardShortfallOf(message.transactionId),
  })

/**
 * K4: an amount that was pulled and never cleared goes back.
 *
 *   CARD_RESERVE   −X
 *   IA:available         +X
 */
export const releaseReserve = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.released',
    from: cardReserveOf(message.transactionId),
    to: availableOf(message.accountId),
  })

/**
 * K5: the merchant refunds; the shortfall that the service bore is repaid first.
 *
 *   CARD_NETWORK     −(B+X)
 *   CARD_SHORTFALL            +B
 *   IA:available              +X
 */
export const creditReturn = (
  message: CardMessage,
  { repaid, credited }: { repaid: bigint; credited: bigint },
): Journal =>
  journal({
    type: 'card.returned',
    reference: referenceOf(message),
    lines: [
      line(message, CARD_NETWORK, -(repaid + credited)),
      line(message, cardShortfallOf(message.transactionId), repaid),
      line(message, availableOf(message.accountId), credited),
    ],
  })

/**
 * K6: a return is undone.
 *
 *   IA:available   −X
 *   CARD_NETWORK         +X
 */
export const reverseReturn = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.return_reversed',
    from: availableOf(message.accountId),
    to: CARD_NETWORK,
  })

/**
 * K6f: a return is undone, and the account cannot pay it back.
 *
 *   CARD_SHORTFALL   −X
 *   CARD_NETWORK           +X
 */
export const bearReversal = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.return_reversed_short',
    from: cardShortfallOf(message.transactionId),
    to: CARD_NETWORK,
  })

/**
 * K7: money that the network pays out to the cardholder.
 *
 *   CARD_NETWORK   −X
 *   IA:available         +X
 */
export const creditFromNetwork = (message: CardMessage, amount: bigint): Journal =>
  moved(message, amount, {
    type: 'card.credited',
    from: CARD_NETWORK,
    to: availableOf(message.accountId),
  })
