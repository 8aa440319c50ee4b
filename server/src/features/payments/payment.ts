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
  endsOf,
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

/** A payment out with all that a step of it needs to know. */
export type Payment = Readonly<{
  platformId: Id<'platform'>
  /** As it was before the step. */
  transaction: OutgoingTransaction
  paying: PayingSide
  receiving: ReceivingSide
  /** The platform's account in the sending currency, where its fee goes (FEE-5); undefined where there is none. */
  feeAccountId: Id<'internalAccount'> | undefined
  /** Where just-in-time coins go back to (TXN-8); or the platform's account, which has paid for the payment. */
  refundAccountId?: Id<'internalAccount'> | undefined
  /** The refund is the platform's, whatever the payment was made from (PROV-67). */
  refundsPlatform?: boolean
  /** What the platform has paid of the payment, which goes back to it before the rest is refunded (PROV-67). */
  borne?: Readonly<{ accountId: Id<'internalAccount'>; amount: bigint }> | undefined
}>

/** What was priced, as the book sees it. */
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

/** The part of the world that money to and from UMA addresses passes through. */
export const UMA_RAIL = 'UMA'

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

/** The account that a payment is pulled from, as a provider is chosen for it. */
export function pullLegOf({ paying }: Pick<Payment, 'paying'>): RailLeg | undefined {
  return paying.kind === 'external' ? collectionLegOf(paying.account) : undefined
}

export function collectionLegOf(account: SideAccount): RailLeg {
  const { currency, accountType, paymentSuffix } = account
  const rail = pullRailOf({ kind: 'external', account })
  return { query: { port: 'rails', rail, currency, accountType }, paymentSuffix }
}

/** The account outside that a payment is paid to. */
export function payoutLegOf({ receiving, transaction }: LegSides): RailLeg | undefined {
  if (receiving.kind !== 'external') return undefined
  const { currency, accountType, paymentSuffix } = receiving.account
  const rail = payoutRailOf(receiving, transaction)
  return { query: { port: 'rails', rail, currency, accountType }, paymentSuffix }
}

/** A balance as it will be once the journals are posted. */
export function balanceAfter(book: Book, journals: readonly Journal[], key: BalanceKey): bigint {
  return journals
    .flatMap(({ postings }) => postings)
    .filter(({ account, currency }) => account === key.account && currency === key.currency)
    .reduce((sum, { amount }) => sum + amount, book.balanceOf(key))
}

/** Whether an account takes a credit: with what is held it has no more than any balance may (CORE-6). */
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

type Ends = Pick<Payment, 'platformId' | 'paying' | 'receiving' | 'feeAccountId'>

/** What taking the money and delivering it may touch. Credits to a platform's account repay what it owes (L14). */
export function deliveryKeysOf({
  platformId,
  paying,
  receiving,
  feeAccountId,
}: Ends): BalanceKey[] {
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

/** What holding the money while it is authorized touches. */
export function heldKeysOf({
  platformId,
  paying,
}: Pick<Ends, 'platformId' | 'paying'>): BalanceKey[] {
  if (paying.kind !== 'internal') return []
  const { id, currency } = paying.account
  return [availableOf(id), heldOf(id)].map((account) => ({ platformId, account, currency }))
}

/** What any later step may touch beside: the money under way, a refund's target, a refund that fails. */
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
  /** What the platform has paid of it, where that is a part. */
  borne?: bigint
}>

/**
 * A stored payment with all that its next step needs. The caller holds its lock, and says where no step can give money
 * back: an account is made for coins that come back, not for those that are delivered.
 */
export async function loadPayment(
  work: Work,
  transaction: OutgoingTransaction,
  { mayRefund = true, refundsPlatform = false, borne = 0n }: RefundOption = {},
): Promise<Payment> {
  const { tx, platform } = work
  const own = { customerId: null, currency: transaction.sent.currency }
  const sides = await findSides(tx, wantedSidesOf(platform.id, transaction))
  const ends = endsOf(platform.id, transaction, sides)
  return {
    platformId: platform.id,
    transaction,
    ...ends,
    feeAccountId:
      (transaction.platformFees ?? 0n) > 0n ? await findOwnAccount(work, own) : undefined,
    refundAccountId: refundsPlatform
      ? await mustOwn(work, own)
      : mayRefund
        ? await coinAccountOf(work, ends.paying)
        : undefined,
    refundsPlatform,
    borne: borne > 0n ? { accountId: await mustOwn(work, own), amount: borne } : undefined,
  }
}

async function mustOwn(work: Work, owned: Owned): Promise<Id<'internalAccount'>> {
  const id = await ownedAccount(work, owned)
  invariant(id, 'A platform has an account in the currency that it paid.')
  return id
}

type Owned = Readonly<{ customerId: Id<'customer'> | null; currency: string }>

async function findOwnAccount(
  { tx, platform }: Work,
  owned: Owned,
): Promise<Id<'internalAccount'> | undefined> {
  const [found] = await listAccountsOfOwners(tx, [{ platformId: platform.id, ...owned }])
  return found?.id
}

/** TXN-8: just-in-time coins go back to their owner's account of the coin, made where there is none. */
export async function coinAccountOf(
  work: Work,
  paying: PayingSide,
): Promise<Id<'internalAccount'> | undefined> {
  if (paying.kind !== 'realtime' || !isCrypto(paying.currency)) return undefined
  const { currency, payer } = paying
  return ownedAccount(work, { customerId: payer?.id ?? null, currency })
}

/** The account of an owner in a currency, made where there is none. */
async function ownedAccount(work: Work, owned: Owned): Promise<Id<'internalAccount'> | undefined> {
  const { customerId, currency } = owned
  const found = await findOwnAccount(work, owned)
  if (found) return found
  const customer = customerId ? await findOwner(work, customerId) : undefined
  const holderName = customer ? displayName(customer) : work.platform.name
  const owner = { customerId: customer?.id, holderName, currencies: [currency] }
  await createInternalAccounts(work, [owner])
  const made = await findOwnAccount(work, owned)
  if (made && customer?.isDeleted)
    await closeRefundAccount(work, { customerId: customer.id, id: made })
  return made
}
