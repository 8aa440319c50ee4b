import { randomBytes } from 'node:crypto'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { openBook } from '../../../ledger/book.ts'
import { availableOf, RECEIVABLE_PLATFORM, type LedgerAccount } from '../../../ledger/chart.ts'
import { listJournalLines } from '../../../ledger/reports/list-journal-lines.ts'
import { postInto } from '../../../ledger/post.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import { returnBalance as returned } from '../../../ledger/recipes/returns.ts'
import { lockAnyCustomer, type Customer } from '../../customers/index.ts'
import type { InternalAccount } from '../record/internal-account.ts'
import { listAccountsOfOwners } from '../record/owner-store.ts'
import { insertReturn, type ReturnCause } from './store.ts'
import { referenceOf } from '../funding/sandbox-values/bank-identifiers.ts'
import { findAccount, lockAccountsForShare, type AccountSnapshot } from '../record/store.ts'

const REFERENCE = { prefix: 'RET-', length: 10 }
const REFERENCE_BYTES = 16

/** Undefined where the owner can still use the account (IACC-17). */
function returnCauseOf(
  { isDeleted, status }: Pick<Customer, 'isDeleted' | 'status'>,
  account: Pick<InternalAccount, 'status'>,
): ReturnCause | undefined {
  if (isDeleted) return 'DELETED'
  if (status === 'REJECTED') return 'REJECTED'
  return account.status === 'CLOSED' ? 'CLOSED' : undefined
}

export type BalanceReturn = Readonly<{
  id: Id<'internalAccount'>
  reason: string
  /** Undefined: a new one is generated. */
  reference: string | undefined
}>

export type ReturnedBalance = Readonly<{
  accountId: Id<'internalAccount'>
  platformAccountId: Id<'internalAccount'>
  money: Money
  reference: string
  journalId: string
}>

/**
 * Returns the whole available balance of a rejected or deleted customer's account to the platform's own account, at the
 * operator's command (IACC-17). Held money stays. This is the only debit of a wallet without its owner's signature
 * (SIGN-21).
 * Fails: REFERENCE_NOT_FOUND; CONFLICT with `details.reason` NOT_RETURNABLE, NOTHING_TO_RETURN, NO_PLATFORM_ACCOUNT or
 * DUPLICATE_REFERENCE; AMOUNT_OUT_OF_RANGE.
 */
export async function returnBalance(
  work: Work,
  { id, reason, reference = newReference() }: BalanceReturn,
): Promise<ReturnedBalance> {
  const { tx, platform, now: at } = work
  const { account, own } = await lockEnds(work, id)
  const { currency } = account
  const keyOf = (name: LedgerAccount) => ({ platformId: platform.id, account: name, currency })
  const owed = keyOf(RECEIVABLE_PLATFORM)
  const from = keyOf(availableOf(id))
  const book = await openBook(tx, own ? [from, keyOf(availableOf(own.id)), owed] : [from])
  const money = { amount: book.balanceOf(from), currency }
  if (money.amount === 0n) fail('CONFLICT', { reason: 'NOTHING_TO_RETURN' })
  if (own?.status !== 'ACTIVE') return fail('CONFLICT', { reason: 'NO_PLATFORM_ACCOUNT' })
  const isNew = await insertReturn(tx, platform.id, { reference, accountId: id, reason, at })
  if (!isNew) fail('CONFLICT', { reason: 'DUPLICATE_REFERENCE' })
  const platformAccountId = own.id
  const credit = returned({ reference, accountId: id, platformAccountId, money })
  const repaid = repayReceivable({
    credit,
    platformAccountId,
    credited: money,
    owed: -book.balanceOf(owed),
  })
  await postInto(work, book, repaid ? [credit, repaid] : [credit])
  const journalId = await findJournalId(work, credit)
  return { accountId: id, platformAccountId, money, reference, journalId }
}

const newReference = (): string => referenceOf(randomBytes(REFERENCE_BYTES), REFERENCE)

type Ends = Readonly<{ account: AccountSnapshot; own: AccountSnapshot | undefined }>

/** Locks the accounts before the customer, as a deletion does, so that the two neither overlap nor deadlock. */
async function lockEnds(work: Work, id: Id<'internalAccount'>): Promise<Ends> {
  const { tx, platform } = work
  const found = (await findAccount(tx, platform.id, id)) ?? failNotFound('internalAccount')
  const { customerId, currency } = found
  if (!customerId) return failNotReturnable(id)
  const [wanted] = await listAccountsOfOwners(tx, [
    { platformId: platform.id, customerId: null, currency },
  ])
  const keys = [id, ...(wanted ? [wanted.id] : [])].map((one) => ({
    platformId: platform.id,
    id: one,
  }))
  const shared = new Map((await lockAccountsForShare(tx, keys)).map((one) => [one.id, one]))
  const account = shared.get(id)
  invariant(account, 'An internal account is never gone.')
  const customer = await lockAnyCustomer(work, customerId)
  if (!customer || !returnCauseOf(customer, account)) return failNotReturnable(id)
  return { account, own: wanted && shared.get(wanted.id) }
}

const failNotReturnable = (id: Id<'internalAccount'>): never =>
  fail('CONFLICT', { reason: 'NOT_RETURNABLE', accountId: formatId('internalAccount', id) })

async function findJournalId(
  { tx, platform }: Work,
  { type, reference }: Pick<Journal, 'type' | 'reference'>,
): Promise<string> {
  const lines = await listJournalLines(tx, platform.id, [reference])
  const line = lines.find((one) => one.type === type)
  invariant(line, 'What was posted is in the book.')
  return line.journalId
}
