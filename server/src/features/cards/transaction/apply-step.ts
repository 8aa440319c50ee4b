import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { openBook } from '../../../ledger/book.ts'
import {
  availableOf,
  cardReserveOf,
  cardShortfallOf,
  heldOf,
  RECEIVABLE_PLATFORM,
  type LedgerAccount,
} from '../../../ledger/chart.ts'
import { postInto } from '../../../ledger/post.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../../internal-accounts/index.ts'
import type { CardTransaction, DeclineReason } from './card-transaction.ts'
import { findCardOfTransaction, lockRow } from './store.ts'
import { emitStatus } from './emit-status.ts'
import type { Step } from './steps.ts'
import { insertCardTransactions, saveCardTransaction } from './save-card-transaction.ts'
import { lockCardForShare } from '../record/find-card.ts'
import type { CardSnapshot } from '../record/store.ts'

export type LockedTransaction = Readonly<{ card: CardSnapshot; transaction: CardTransaction }>

/**
 * Locks a card transaction, of a given card or of any, and its card for share. Locks are taken in one order everywhere:
 * card, transaction, account, balances.
 * Fails: REFERENCE_NOT_FOUND on the card, TRANSACTION_NOT_FOUND.
 */
export async function lockCardTransaction(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  { cardId, id }: { cardId?: Id<'card'>; id: Id<'cardTransaction'> | undefined },
): Promise<LockedTransaction> {
  const { tx, platform } = work
  const ofCard = cardId ?? (id && (await findCardOfTransaction(tx, platform.id, id)))
  const card = ofCard && (await lockCardForShare(work, ofCard))
  if (!card) return failNotFound(cardId ? 'card' : 'cardTransaction')
  const transaction = id && (await lockRow(tx, platform.id, id))
  if (transaction?.cardId !== card.id) return failNotFound('cardTransaction')
  return { card, transaction }
}

/** Why a card can pull nothing more from the account of a transaction. */
export type Obstacle = Extract<
  DeclineReason,
  'CARD_CLOSED' | 'FUNDING_SOURCE_UNAVAILABLE' | 'FUNDING_SOURCE_NOT_AUTHORIZED'
>

/** The available balance of the account, and how much of it may still be pulled. */
export type AccountFunds = Readonly<{
  now: Date
  available: bigint
  pullable: bigint
  obstacle: Obstacle | undefined
  /** The platform's debt, which its fees repay first. */
  owedByPlatform: bigint
}>

/** A wallet needs an active key at every pull, not only at the authorization (CARD-29, CARD-32). */
function obstacleOf(card: CardSnapshot, account: AccountSnapshot): Obstacle | undefined {
  if (card.state === 'CLOSED') return 'CARD_CLOSED'
  if (account.status !== 'ACTIVE') return 'FUNDING_SOURCE_UNAVAILABLE'
  const hasKey = card.delegatedAccountIds.includes(account.id)
  const isForbidden = account.type === 'EMBEDDED_WALLET' && !hasKey
  return isForbidden ? 'FUNDING_SOURCE_NOT_AUTHORIZED' : undefined
}

type BookedAccounts = Readonly<{
  card: CardSnapshot
  accountId: Id<'internalAccount'>
  currency: string
  /** The transaction's own ledger accounts; none before its first step. */
  own: readonly LedgerAccount[]
  /** The platform's account that receives its fee. */
  feeAccountId: Id<'internalAccount'> | undefined
}>

type Decide = (funds: AccountFunds, account: AccountSnapshot) => Step

/** Books a step, with the balances locked before `decide` reads them. */
async function bookStep(work: Work, place: BookedAccounts, decide: Decide): Promise<Step> {
  const { tx, platform, now } = work
  const { card, accountId, currency, own, feeAccountId } = place
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id: accountId }])
  invariant(account, 'The account of a card transaction exists.')
  const keyOf = (name: LedgerAccount) => ({ platformId: platform.id, account: name, currency })
  const ofFee = feeAccountId ? [availableOf(feeAccountId), RECEIVABLE_PLATFORM] : []
  const names = [availableOf(accountId), heldOf(accountId), ...own, ...ofFee]
  const book = await openBook(tx, names.map(keyOf))
  const balance = book.balanceOf(keyOf(availableOf(accountId)))
  const available = account.status === 'ACTIVE' ? balance : 0n
  const obstacle = obstacleOf(card, account)
  const pullable = obstacle ? 0n : available
  const owedByPlatform = feeAccountId ? -book.balanceOf(keyOf(RECEIVABLE_PLATFORM)) : 0n
  const step = decide({ now, available, pullable, obstacle, owedByPlatform }, account)
  await postInto(work, book, step.journals)
  return step
}

/** Takes a transaction one step further: books the step, saves the transaction, emits its status. */
export async function applyStep(
  work: Work,
  { card, transaction: { id, accountId, currency } }: LockedTransaction,
  decide: Decide,
  { feeAccountId }: Partial<Pick<BookedAccounts, 'feeAccountId'>> = {},
): Promise<CardTransaction> {
  const own = [cardReserveOf(id), cardShortfallOf(id)]
  const place = { card, accountId, currency, own, feeAccountId }
  const { transaction } = await bookStep(work, place, decide)
  saveCardTransaction(work.tx, { platformId: work.platform.id, transaction })
  emitStatus(work, transaction)
  return transaction
}

/** Creates a transaction by its first step, on the card's first funding source. */
export async function applyFirstStep(
  work: Work,
  card: CardSnapshot,
  decide: Decide,
  { feeAccountId }: Partial<Pick<BookedAccounts, 'feeAccountId'>> = {},
): Promise<CardTransaction> {
  const [accountId] = card.fundingAccountIds
  invariant(accountId !== undefined, 'A card has a funding source.')
  const place = { card, accountId, currency: card.currency, own: [], feeAccountId }
  const { transaction } = await bookStep(work, place, decide)
  insertCardTransactions(work.tx, [{ platformId: work.platform.id, transaction }])
  emitStatus(work, transaction)
  return transaction
}
