import { failNotFound, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work.ts'
import { openBook } from '../../ledger/book.ts'
import { availableOf, cardReserveOf, cardShortfallOf, heldOf } from '../../ledger/chart.ts'
import { postInto } from '../../ledger/post.ts'
import { emit } from '../../webhooks/emit.ts'
import { shareAccounts, type SharedAccount } from '../internal-accounts/index.ts'
import type { CardTransaction, DeclineReason } from './card-transaction.ts'
import { findCardOf, lockRow } from './card-transaction-store.ts'
import { cardTransactionToWire } from './card-transaction-wire.ts'
import type { Step } from './follow-up.ts'
import { saveCardTransaction } from './save-card-transaction.ts'
import { shareCards, type SharedCard } from './store.ts'

export type Locked = Readonly<{ card: SharedCard; transaction: CardTransaction }>

/**
 * A card transaction of a card, or of whichever card it is, locked; its card stays as it is. Everybody takes them in
 * this order: card, transaction, account, balances.
 * Fails: REFERENCE_NOT_FOUND on the card, TRANSACTION_NOT_FOUND.
 */
export async function lockCardTransaction(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  { cardId, id }: { cardId?: Id<'card'>; id: Id<'cardTransaction'> | undefined },
): Promise<Locked> {
  const of = cardId ?? (id && (await findCardOf(tx, platform.id, id)))
  const [card] = of ? await shareCards(tx, [{ platformId: platform.id, id: of }]) : []
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
}>

/** CARD-29, CARD-32: from a wallet nothing is pulled without an active key, however it was when it was authorized. */
function obstacleOf(card: SharedCard, account: SharedAccount): Obstacle | undefined {
  if (card.state === 'CLOSED') return 'CARD_CLOSED'
  if (account.status !== 'ACTIVE') return 'FUNDING_SOURCE_UNAVAILABLE'
  const hasKey = card.delegatedAccountIds.includes(account.id)
  const isForbidden = account.type === 'EMBEDDED_WALLET' && !hasKey
  return isForbidden ? 'FUNDING_SOURCE_NOT_AUTHORIZED' : undefined
}

/**
 * Takes a transaction one step further: books it, saves it, tells of it. The balances are locked before `decide` sees
 * them.
 */
export async function applyStep(
  work: Work,
  { card, transaction }: Locked,
  decide: (means: AccountMeans) => Step,
): Promise<CardTransaction> {
  const { tx, platform, now } = work
  const { accountId, currency, id } = transaction
  const [account] = await shareAccounts(tx, [{ platformId: platform.id, id: accountId }])
  invariant(account, 'A card transaction is of an account that there is.')
  const key = { platformId: platform.id, account: availableOf(accountId), currency }
  const names = [heldOf(accountId), cardReserveOf(id), cardShortfallOf(id)]
  const keys = [key, ...names.map((name) => ({ ...key, account: name }))]
  const book = await openBook(tx, keys)
  const available = account.status === 'ACTIVE' ? book.balanceOf(key) : 0n
  const obstacle = obstacleOf(card, account)
  const step = decide({ now, available, pullable: obstacle ? 0n : available, obstacle })
  await postInto(work, book, step.journals)
  saveCardTransaction(tx, { platformId: platform.id, transaction: step.transaction })
  const { status } = step.transaction
  emit(work, `CARD_TRANSACTION.${status}`, cardTransactionToWire(platform.id, step.transaction))
  return step.transaction
}
