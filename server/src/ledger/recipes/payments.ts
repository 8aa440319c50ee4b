import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { minOf, type Money } from '../../kernel/money/money.ts'
import { availableOf, FX, RECEIVABLE_PLATFORM, REVENUE_FEES, transitOf, worldOf } from '../chart.ts'
import type { LedgerAccount } from '../chart.ts'
import type { Journal, Posting } from '../posting.ts'
import type { PayerAmount } from './holds.ts'
import { journal, move } from './journal.ts'

/** The amounts of a priced payment: sending = serviceFees + platformFees + net. */
export type PricedPayment = Readonly<{
  transactionId: Id<'transaction'>
  sending: Money
  receiving: Money
  serviceFees: bigint
  platformFees: bigint
  /** The platform's account in the sending currency; needed where there is a platform fee (FEE-7). */
  platformAccountId?: Id<'internalAccount'> | undefined
}>

/**
 * L2: a quote is executed, a transfer goes out. The money has left the payer and is in transit.
 *
 *   IA:available   −S
 *   TRANSIT               +S
 */
export const debitPayer = ({ transactionId, accountId, money }: PayerAmount): Journal =>
  move({
    type: 'payment.debited',
    reference: transactionId,
    from: availableOf(accountId),
    to: transitOf(transactionId),
    money,
  })

export type OverRail = Readonly<{ transactionId: Id<'transaction'>; rail: string; money: Money }>

/**
 * L3: funds for a just-in-time quote arrive, of any amount.
 *
 *   WORLD:rail   −X
 *   TRANSIT             +X
 */
export const receiveFunding = ({ transactionId, rail, money }: OverRail): Journal =>
  move({
    type: 'payment.funded',
    reference: transactionId,
    from: worldOf(rail),
    to: transitOf(transactionId),
    money,
  })

/**
 * L4: the source account outside was pulled.
 *
 *   WORLD:rail   −S
 *   TRANSIT             +S
 */
export const recordPull = ({ transactionId, rail, money }: OverRail): Journal =>
  move({
    type: 'payment.pulled',
    reference: transactionId,
    from: worldOf(rail),
    to: transitOf(transactionId),
    money,
  })

/**
 * L5: delivered outside. Fees are earned here and not earlier (FEE-5); the fraction of a unit stays in FX.
 *
 *   sending currency                     receiving currency
 *   TRANSIT                 −S           FX           −R
 *   REVENUE:fees                 +Sf     WORLD:rail        +R
 *   IA(platform):available       +Pf
 *   FX                           +net
 */
export const deliverOutside = (payment: PricedPayment & { rail: string }): Journal =>
  delivered(payment, worldOf(payment.rail))

/**
 * L6: delivered to an internal account of the same book.
 *
 *   sending currency                     receiving currency
 *   TRANSIT                 −S           FX                           −R
 *   REVENUE:fees                 +Sf     IA(destination):available         +R
 *   IA(platform):available       +Pf
 *   FX                           +net
 */
export const deliverInside = (
  payment: PricedPayment & { destinationAccountId: Id<'internalAccount'> },
): Journal => delivered(payment, availableOf(payment.destinationAccountId))

function delivered(payment: PricedPayment, destination: LedgerAccount): Journal {
  const { transactionId, sending, receiving, serviceFees, platformFees } = payment
  const { currency } = sending
  return journal({
    type: 'payment.delivered',
    reference: transactionId,
    lines: [
      { account: transitOf(transactionId), currency, amount: -sending.amount },
      { account: REVENUE_FEES, currency, amount: serviceFees },
      ...platformLine(payment, platformFees),
      { account: FX, currency, amount: netOf(payment) },
      { account: FX, currency: receiving.currency, amount: -receiving.amount },
      { account: destination, currency: receiving.currency, amount: receiving.amount },
    ],
  })
}

/**
 * L7: the receiving bank returns a delivered payment. All of S is in transit to its refund again: the service fee is
 * given back, the platform fee is taken from its account as far as the balance goes (p), the rest is owed (FEE-6).
 *
 *   receiving currency                   sending currency
 *   WORLD:rail   −R                      FX                       −net
 *   FX                +R                 REVENUE:fees             −Sf
 *                                        IA(platform):available   −p
 *                                        RECEIVABLE:platform      −(Pf − p)
 *                                        TRANSIT                        +S
 */
export function returnDelivery(
  payment: PricedPayment & { rail: string; platformAvailable: bigint; returned?: PartlyReturned },
): Journal {
  const { transactionId, sending, receiving, serviceFees, platformFees, platformAvailable } =
    payment
  const { currency } = sending
  const { delivered = 0n, credited = 0n } = payment.returned ?? {}
  const left = receiving.amount - delivered
  const given = minOf(platformAvailable, platformFees)
  return journal({
    type: 'payment.returned',
    reference: transactionId,
    lines: [
      { account: worldOf(payment.rail), currency: receiving.currency, amount: -left },
      { account: FX, currency: receiving.currency, amount: left },
      { account: FX, currency, amount: credited - netOf(payment) },
      { account: REVENUE_FEES, currency, amount: -serviceFees },
      ...platformLine(payment, -given),
      { account: RECEIVABLE_PLATFORM, currency, amount: given - platformFees },
      { account: transitOf(transactionId), currency, amount: sending.amount - credited },
    ],
  })
}

/** The sums of earlier partial returns: taken back from the delivery, credited to the payer (V2). */
export type PartlyReturned = Readonly<{ delivered: bigint; credited: bigint }>

/**
 * V2: a part X of a delivery comes back and is given to the payer at the payment's own rate, without fees.
 *
 *   receiving currency                   sending currency
 *   WORLD:rail   −X                      FX             −Y
 *   FX                +X                 IA:available        +Y
 */
export function returnPart({
  payment,
  rail,
  returned,
  accountId,
  reference,
}: Readonly<{
  payment: PricedPayment
  rail: string
  returned: bigint
  accountId: Id<'internalAccount'>
  /** The incoming transaction that the payer sees. */
  reference: Id<'transaction'>
}>): Readonly<{ journal: Journal; credited: Money }> {
  const { sending, receiving } = payment
  const credited = (returned * netOf(payment)) / receiving.amount
  const { currency } = sending
  const posted = journal({
    type: 'payment.returned.part',
    reference,
    lines: [
      { account: worldOf(rail), currency: receiving.currency, amount: -returned },
      { account: FX, currency: receiving.currency, amount: returned },
      { account: FX, currency, amount: -credited },
      { account: availableOf(accountId), currency, amount: credited },
    ],
  })
  return { journal: posted, credited: { amount: credited, currency } }
}

function netOf({ sending, serviceFees, platformFees }: PricedPayment): bigint {
  const net = sending.amount - serviceFees - platformFees
  invariant(
    serviceFees >= 0n && platformFees >= 0n && net >= 1n,
    'Fees leave something to pay out.',
  )
  return net
}

function platformLine(payment: PricedPayment, amount: bigint): Posting[] {
  if (payment.platformFees === 0n) return []
  invariant(payment.platformAccountId, 'A platform fee has an account to go to.')
  const account = availableOf(payment.platformAccountId)
  return [{ account, currency: payment.sending.currency, amount }]
}
