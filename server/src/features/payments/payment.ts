import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { BalanceKey } from '../../ledger/balances/balance-rows.ts'
import type { Book } from '../../ledger/book.ts'
import {
  availableOf,
  heldOf,
  RECEIVABLE_PLATFORM,
  SUSPENSE_REFUND_FAILED,
  transitOf,
  UMA_RAIL,
  type LedgerAccount,
} from '../../ledger/chart.ts'
import type { Journal } from '../../ledger/posting.ts'
import type { PricedPayment } from '../../ledger/recipes/payments.ts'
import { networkOf, type SideAccount } from '../external-accounts/index.ts'
import type { RailLeg, RailOrder } from '../../providers/rails/rails.ts'
import {
  currencyOfSide,
  type PayingSide,
  type ReceivingSide,
  bothSidesOf,
  findSides,
  wantedSidesOf,
} from '../payment-terms/index.ts'
import type { OutgoingTransaction } from '../transactions/index.ts'
import { isCrypto } from '../../kernel/money/currency.ts'
import { AMOUNT_MAX, type Money } from '../../kernel/money/money.ts'
import type { Work } from '../../infra/work/work.ts'
import { displayName, findOwner } from '../customers/index.ts'
import {
  closeRefundAccount,
  createInternalAccounts,
  listAccountsOfOwners,
} from '../internal-accounts/index.ts'

/** A payment out with everything that its next step needs. */
export type Payment = Readonly<{
  platformId: Id<'platform'>
  /** Before the step. */
  transaction: OutgoingTransaction
  paying: PayingSide
  receiving: ReceivingSide
  /** The platform's account in the sending currency, which gets its fee (FEE-5). */
  feeAccountId: Id<'internalAccount'> | undefined
  /** The account to which just-in-time coins are refunded (TXN-8); with `refundsPlatform` the platform's. */
  refundAccountId?: Id<'internalAccount'> | undefined
  /** The platform has borne the payment, so it gets the refund instead of the payer (PROV-67). */
  refundsPlatform?: boolean
  /** The part that the platform has borne, which it gets back before the payer gets the rest (PROV-67). */
  borne?: Readonly<{ accountId: Id<'internalAccount'>; amount: bigint }> | undefined
}>

/** The price of a payment, as the recipes of the ledger take it. */
export function pricedPayment({ transaction, feeAccountId }: Payment): PricedPayment {
  const { id, sent, received, fees, platformFees } = transaction
  invariant(received && fees !== null, 'A payment out is priced.')
  return {
    transactionId: id,
    sending: sent,
    receiving: received,
    serviceFees: fees - (platformFees ?? 0n),
    platformFees: platformFees ?? 0n,
    platformAccountId: feeAccountId,
  }
}

/** The rail that an external account is pulled over. */
export const pullRailOf = ({ account }: Extract<PayingSide, { kind: 'external' }>): string =>
  account.paymentRails[0] ?? account.accountType

/** The rail or network that a payee outside is paid over. */
export function payoutRailOf(
  receiving: Extract<ReceivingSide, { kind: 'external' | 'uma' }>,
  { paymentRail }: Pick<OutgoingTransaction, 'paymentRail'>,
): string {
  if (receiving.kind === 'uma') return UMA_RAIL
  const { account } = receiving
  return paymentRail ?? networkOf(account) ?? account.accountType
}

export function railOrderOf(payment: LegSides, kind: RailOrder['kind']): RailOrder {
  return { kind, pull: pullLegOf(payment), payout: payoutLegOf(payment) }
}

type LegSides = Pick<Payment, 'paying' | 'receiving' | 'transaction'>

/** The query that chooses the provider of the pull. */
export function pullLegOf({ paying }: Pick<Payment, 'paying'>): RailLeg | undefined {
  return paying.kind === 'external' ? collectionLegOf(paying.account) : undefined
}

export function collectionLegOf(account: SideAccount): RailLeg {
  const { currency, accountType, paymentSuffix } = account
  const rail = pullRailOf({ kind: 'external', account })
  return { query: { port: 'rails', rail, currency, accountType }, paymentSuffix }
}

/** The query that chooses the provider of the payout. */
export function payoutLegOf({ receiving, transaction }: LegSides): RailLeg | undefined {
  if (receiving.kind !== 'external') return undefined
  const { currency, accountType, paymentSuffix } = receiving.account
  const rail = payoutRailOf(receiving, transaction)
  return { query: { port: 'rails', rail, currency, accountType }, paymentSuffix }
}

/** A balance after the journals, which are not posted yet. */
export function balanceAfter(book: Book, journals: readonly Journal[], key: BalanceKey): bigint {
  return journals
    .flatMap(({ postings }) => postings)
    .filter(({ account, currency }) => account === key.account && currency === key.currency)
    .reduce((sum, { amount }) => sum + amount, book.balanceOf(key))
}

/** Whether an account has room for a credit: available and held together stay within AMOUNT_MAX (CORE-6). */
export function hasRoom(
  book: Book,
  journals: readonly Journal[],
  { platformId, accountId, money }: Credit,
): boolean {
  const after = [availableOf(accountId), heldOf(accountId)].map((account) =>
    balanceAfter(book, journals, { platformId, account, currency: money.currency }),
  )
  return after.reduce((sum, part) => sum + part, money.amount) <= AMOUNT_MAX
}

type Credit = Readonly<{
  platformId: Id<'platform'>
  accountId: Id<'internalAccount'>
  money: Money
}>

export const transitKeyOf = ({ platformId, transaction }: Payment): BalanceKey => ({
  platformId,
  account: transitOf(transaction.id),
  currency: transaction.sent.currency,
})

type TouchedSides = Pick<Payment, 'platformId' | 'paying' | 'receiving' | 'feeAccountId'>

/** The balances that a debit and a delivery may touch. A credit to a platform repays its debt first (L14). */
export function deliveryKeysOf({
  platformId,
  paying,
  receiving,
  feeAccountId,
}: TouchedSides): BalanceKey[] {
  const keys: BalanceKey[] = []
  const touch = (account: LedgerAccount, currency: string): void =>
    void keys.push({ platformId, account, currency })
  const sending = currencyOfSide(paying)
  if (paying.kind === 'internal') touch(availableOf(paying.account.id), sending)
  if (feeAccountId) {
    touch(availableOf(feeAccountId), sending)
    touch(RECEIVABLE_PLATFORM, sending)
  }
  if (receiving.kind === 'internal') {
    const { id, currency, customerId } = receiving.account
    touch(availableOf(id), currency)
    if (customerId === null) touch(RECEIVABLE_PLATFORM, currency)
  }
  return keys
}

/** The balances that a hold for authorization touches. */
export function heldKeysOf({
  platformId,
  paying,
}: Pick<TouchedSides, 'platformId' | 'paying'>): BalanceKey[] {
  if (paying.kind !== 'internal') return []
  const { id, currency } = paying.account
  return [availableOf(id), heldOf(id)].map((account) => ({ platformId, account, currency }))
}

/** The balances that any later step may touch: also the transit account, the target of a refund and its suspense. */
export function settlementKeysOf(payment: Payment): BalanceKey[] {
  const { platformId, transaction, refundAccountId, borne } = payment
  const { currency } = transaction.sent
  const accounts = [
    SUSPENSE_REFUND_FAILED,
    RECEIVABLE_PLATFORM,
    ...[refundAccountId, borne?.accountId].flatMap((id) => (id ? [availableOf(id)] : [])),
  ]
  return [
    ...deliveryKeysOf(payment),
    ...(transaction.status === 'PENDING_AUTHORIZATION' ? heldKeysOf(payment) : []),
    transitKeyOf(payment),
    ...accounts.map((account) => ({ platformId, account, currency })),
  ]
}

export type RefundOption = Readonly<{
  mayRefund?: boolean
  refundsPlatform?: boolean
  /** The part that the platform has borne. */
  borne?: bigint
}>

/**
 * Loads a stored payment, whose lock the caller holds, with everything that its next step needs. With `mayRefund:
 * false` no account is opened for coins that would be refunded.
 */
export async function loadPayment(
  work: Work,
  transaction: OutgoingTransaction,
  { mayRefund = true, refundsPlatform = false, borne = 0n }: RefundOption = {},
): Promise<Payment> {
  const { tx, platform } = work
  const own = { customerId: null, currency: transaction.sent.currency }
  const sides = await findSides(tx, wantedSidesOf(platform.id, transaction))
  const both = bothSidesOf(platform.id, transaction, sides)
  return {
    platformId: platform.id,
    transaction,
    ...both,
    feeAccountId:
      (transaction.platformFees ?? 0n) > 0n ? await findAccountOf(work, own) : undefined,
    refundAccountId: refundsPlatform
      ? await mustHaveAccount(work, own)
      : mayRefund
        ? await refundAccountOf(work, both.paying)
        : undefined,
    refundsPlatform,
    borne: borne > 0n ? { accountId: await mustHaveAccount(work, own), amount: borne } : undefined,
  }
}

export async function mustHaveAccount(
  work: Work,
  owned: AccountOwner,
): Promise<Id<'internalAccount'>> {
  const id = await findOrOpenAccount(work, owned)
  invariant(id, 'The owner of what was paid has an account in that currency.')
  return id
}

type AccountOwner = Readonly<{ customerId: Id<'customer'> | null; currency: string }>

async function findAccountOf(
  { tx, platform }: Work,
  owned: AccountOwner,
): Promise<Id<'internalAccount'> | undefined> {
  const [found] = await listAccountsOfOwners(tx, [{ platformId: platform.id, ...owned }])
  return found?.id
}

/** Just-in-time coins are refunded to their owner's account of the coin, which is opened if needed (TXN-8). */
export async function refundAccountOf(
  work: Work,
  paying: PayingSide,
): Promise<Id<'internalAccount'> | undefined> {
  if (paying.kind !== 'realtime' || !isCrypto(paying.currency)) return undefined
  const { currency, payer } = paying
  return findOrOpenAccount(work, { customerId: payer?.id ?? null, currency })
}

/** The owner's account in a currency, opened if needed; for a deleted customer it is closed at once. */
async function findOrOpenAccount(
  work: Work,
  owned: AccountOwner,
): Promise<Id<'internalAccount'> | undefined> {
  const { customerId, currency } = owned
  const found = await findAccountOf(work, owned)
  if (found) return found
  const customer = customerId ? await findOwner(work, customerId) : undefined
  const holderName = customer ? displayName(customer) : work.platform.name
  const owner = { customerId: customer?.id, holderName, currencies: [currency] }
  await createInternalAccounts(work, [owner])
  const made = await findAccountOf(work, owned)
  if (made && customer?.isDeleted)
    await closeRefundAccount(work, { customerId: customer.id, id: made })
  return made
}
