import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work.ts'
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
import { emit } from '../../../webhooks/emit.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../../internal-accounts/index.ts'
import type { CardTransaction, DeclineReason } from './card-transaction.ts'
import { findCardOf, lockRow } from './store.ts'
import { cardTransactionToWire } from './wire.ts'
import type { Step } from './steps.ts'
import { insertCardTransactions, saveCardTransaction } from './save-card-transaction.ts'
import { lockCardForShare } from '../record/find-card.ts'
import type { CardSnapshot } from '../record/store.ts'

export type Locked = Readonly<{ card: CardSnapshot; transaction: CardTransaction }>

/**
 * A card transaction of a card, or of whichever card it is, locked; its card stays as it is. Everybody takes them in
 * this order: card, transaction, account, balances.
 * Fails: REFERENCE_NOT_FOUND on the card, TRANSACTION_NOT_FOUND.
 */
export async function lockCardTransaction(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  { cardId, id }: { cardId?: Id<'card'>; id: Id<'cardTransaction'> | undefined },
): Promise<Locked> {
  const { tx, platform } = work
  const of = cardId ?? (id && (await findCardOf(tx, platform.id, id)))
  const card = of && (await lockCardForShare(work, of))
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

/** What the account has, and how much of it may still be pulled. */
export type AccountMeans = Readonly<{
  now: Date
  available: bigint
  pullable: bigint
  obstacle: Obstacle | undefined
  /** What the platform's account for fees has to repay first. */
  owedByPlatform: bigint
}>

/** CARD-29, CARD-32: from a wallet nothing is pulled without an active key, however it was when it was authorized. */
function obstacleOf(card: CardSnapshot, account: AccountSnapshot): Obstacle | undefined {
  if (card.state === 'CLOSED') return 'CARD_CLOSED'
  if (account.status !== 'ACTIVE') return 'FUNDING_SOURCE_UNAVAILABLE'
  const hasKey = card.delegatedAccountIds.includes(account.id)
  const isForbidden = account.type === 'EMBEDDED_WALLET' && !hasKey
  return isForbidden ? 'FUNDING_SOURCE_NOT_AUTHORIZED' : undefined
}

type Place = Readonly<{
  card: CardSnapshot
  accountId: Id<'internalAccount'>
  currency: string
  /** The transaction's own accounts in the book, where it has any yet. */
  own: readonly LedgerAccount[]
  /** The platform's account that a fee goes to. */
  feeAccountId: Id<'internalAccount'> | undefined
}>

type Decide = (means: AccountMeans, account: AccountSnapshot) => Step

/** Books a step. The balances are locked before `decide` sees them. */
async function bookStep(work: Work, place: Place, decide: Decide): Promise<Step> {
  const { tx, platform, now } = work
  const { card, accountId, currency, own, feeAccountId } = place
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id: accountId }])
  invariant(account, 'A card transaction is of an account that there is.')
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

function announce(work: Work, transaction: CardTransaction): CardTransaction {
  const wire = cardTransactionToWire(work.platform.id, transaction)
  emit(work, `CARD_TRANSACTION.${transaction.status}`, wire)
  return transaction
}

/** Takes a transaction one step further: books it, saves it, tells of it. */
export async function applyStep(
  work: Work,
  { card, transaction: { id, accountId, currency } }: Locked,
  decide: Decide,
  { feeAccountId }: Partial<Pick<Place, 'feeAccountId'>> = {},
): Promise<CardTransaction> {
  const own = [cardReserveOf(id), cardShortfallOf(id)]
  const place = { card, accountId, currency, own, feeAccountId }
  const { transaction } = await bookStep(work, place, decide)
  saveCardTransaction(work.tx, { platformId: work.platform.id, transaction })
  return announce(work, transaction)
}

/** Makes a transaction by its first step, on the card's first funding source. */
export async function applyFirstStep(
  work: Work,
  card: CardSnapshot,
  decide: Decide,
  { feeAccountId }: Pick<Place, 'feeAccountId'>,
): Promise<CardTransaction> {
  const [accountId] = card.fundingAccountIds
  invariant(accountId !== undefined, 'A card has a funding source.')
  const place = { card, accountId, currency: card.currency, own: [], feeAccountId }
  const { transaction } = await bookStep(work, place, decide)
  insertCardTransactions(work.tx, [{ platformId: work.platform.id, transaction }])
  return announce(work, transaction)
}
