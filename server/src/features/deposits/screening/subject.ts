import { isOutOfRange } from '../../../kernel/money/amount-range.ts'
import { mustParseId, parseId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { attempt } from '../../../infra/work/attempt.ts'
import type { Work } from '../../../infra/work/work.ts'
import { commandInWork } from '../../../ledger/command-in-work.ts'
import type { Order } from '../../../orders/index.ts'
import { findCustomer, partyOfCustomer } from '../../customers/index.ts'
import { lockAccountsForShare } from '../../internal-accounts/index.ts'
import { findLateFunds, fundQuote } from '../../quotes/index.ts'
import type { SubjectKind } from '../../screening/index.ts'
import { attributeDeposit, leavingHouse } from '../attribute-deposit.ts'
import type { Deposit } from '../deposit.ts'
import { saved } from '../own-transaction.ts'
import { releaseDeposit } from '../held/release-deposit.ts'
import { lockDeposit } from '../store.ts'
import type { ScreenedOwner } from './ask.ts'

const idOf = ({ subject }: Order): Id<'transaction'> => mustParseId('transaction', subject ?? '')
const ownerOf = ({ request }: Order) => request['owner'] as ScreenedOwner

/** What a verdict leaves held stays so until an operator releases or returns it; nothing goes back by itself. */
export const depositSubject: SubjectKind = {
  covers: ({ subject, request }) =>
    parseId('transaction', subject ?? '') !== undefined && request['direction'] === 'INCOMING',
  lock: ({ tx }, order) => lockDeposit(tx, idOf(order)),
  async describe(work, order) {
    const deposit = await lockDeposit(work.tx, idOf(order))
    invariant(deposit, 'A deposit that is screened is there.')
    const customerId = parseId('customer', ownerOf(order).customerId ?? '')
    const customer = customerId && (await findCustomer(work, customerId))
    const { name } = work.platform
    const owner = customer ? partyOfCustomer(customer) : { type: 'BUSINESS', name }
    const { sender } = deposit.report
    const payer = sender === null ? [] : [{ type: 'INDIVIDUAL', name: sender }]
    const members = { subjectType: 'PAYMENT', direction: 'INCOMING' } as const
    return { ...members, subject: order.subject, parties: [...payer, owner] }
  },
  async act(work, order, { verdict, before }) {
    // A verdict that comes after the window finds the deposit with the operator (PROV-109).
    const isFree = order.request['mayRelease'] === true && before === undefined
    if (verdict !== 'CLEAR' || !isFree) return
    const deposit = await lockDeposit(work.tx, idOf(order))
    if (deposit?.status === 'HELD') await releaseDeposit(work, deposit.id)
    const isParked = deposit?.status === 'UNATTRIBUTED' && deposit.reason === 'UNDER_REVIEW'
    if (isParked) await placeCleared(work, deposit, ownerOf(order))
  },
}

/** Funds of a quote that has ended meanwhile, and what an account cannot take any more, are left to the operator. */
async function placeCleared(work: Work, deposit: Deposit, owner: ScreenedOwner): Promise<void> {
  const { id, money, report } = deposit
  if (owner.kind === 'internalAccount') {
    const key = { platformId: work.platform.id, id: owner.id }
    const [account] = await lockAccountsForShare(work.tx, [key])
    if (account?.status !== 'ACTIVE') {
      saved(work, { ...deposit, reason: 'ACCOUNT_NOT_ACTIVE' })
      return
    }
    const attribute = (inner: Work) => attributeDeposit(inner, { id, accountId: owner.id })
    const { ok } = await attempt(work, attribute, isOutOfRange)
    if (!ok) saved(work, { ...deposit, reason: 'ACCOUNT_FULL' })
    return
  }
  const quoteId = owner.id
  const { isOwnCurrency, late } = await findLateFunds(work, { quoteId, currency: money.currency })
  if (!isOwnCurrency || late) return
  const { transaction } = await commandInWork(work, fundQuote, {
    action: 'deposits receive',
    input: { quoteId, ...money, report },
    beside: leavingHouse(deposit, work.now),
  })
  const taken = { status: 'TAKEN', reason: null, transactionId: transaction.id } as const
  saved(work, { ...deposit, ...taken, ownerPlatformId: work.platform.id })
}
