import { mustParseId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { availableOf, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { postWith } from '../../../ledger/post.ts'
import { takeBack } from '../../../ledger/recipes/providers.ts'
import { listAccountsOfOwners } from '../../internal-accounts/index.ts'
import { moveIncoming } from '../record/move.ts'
import { saveTransaction } from '../record/store.ts'
import type { IncomingTransaction } from '../record/transaction.ts'
import { creditedAmount } from './credited-amount.ts'

type TakenBack = Readonly<{
  type: string
  reference: string
  rail: string
  money: Money
  outside?: Money
  /** The account that was credited, which pays first. */
  accountId?: Id<'internalAccount'>
}>

/** Posts V3: the credited account pays what it can, then the platform's, and the platform owes the rest. */
export async function postTakenBack(work: Work, { accountId, ...taken }: TakenBack): Promise<void> {
  const { tx, platform, now } = work
  const { currency } = taken.money
  const own = { platformId: platform.id, customerId: null, currency }
  const [platforms] = await listAccountsOfOwners(tx, [own])
  const ids = new Set([accountId, platforms?.id].filter((id) => id !== undefined))
  const keyOf = (account: ReturnType<typeof availableOf>) => ({ ...own, account })
  const names = [...[...ids].map(availableOf), RECEIVABLE_PLATFORM]
  await postWith(work, names.map(keyOf), (book) => {
    const payers = [...ids].map((id) => ({ id, available: book.balanceOf(keyOf(availableOf(id))) }))
    book.mustApply(platform.id, now, [takeBack({ ...taken, payers })])
  })
}

type Reversal = Readonly<{
  transaction: IncomingTransaction
  rail: string
  /** As it came in, and what of it was taken back before. */
  amount: bigint
  before: bigint
}>

/**
 * Takes back what an incoming payment credited, or part of it (PROV-85): converted as it was credited, and the payment fails
 * once all of it is gone. The caller holds the transaction's lock.
 */
export async function reverseCredit(
  work: Work,
  { transaction, rail, amount, before }: Reversal,
): Promise<void> {
  const { id, sent, received, destination } = transaction
  const { amount: total, currency } = sent ?? received
  invariant(before + amount <= total, 'No more is taken back than came.')
  invariant('accountId' in destination, 'What is credited has an account.')
  const upTo = (part: bigint): bigint =>
    creditedAmount({ amount: part, currency }, received.currency).amount
  await postTakenBack(work, {
    type: `payment.reversed.${before + amount}`,
    reference: id,
    rail,
    money: { amount: upTo(before + amount) - upTo(before), currency: received.currency },
    outside: { amount, currency },
    accountId: mustParseId('internalAccount', destination.accountId ?? ''),
  })
  if (before + amount < total) return
  const failed = moveIncoming(work, transaction, 'reverse', { failureReason: 'COLLECTION_FAILED' })
  saveTransaction(work, failed)
}
