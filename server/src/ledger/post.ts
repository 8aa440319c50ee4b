import type { Work } from '../infra/work/work.ts'
import type { BalanceKey } from './balances/balance-rows.ts'
import { openBook, storedKeys, type Book } from './book.ts'
import type { Journal } from './posting.ts'

/**
 * Posts journals in an ordinary Work, all or none: locks the balances in order, checks their signs, writes the rows and
 * emits the changed internal accounts. The rows are written at once, not with the commit, because the same Work may post
 * again and must read them then.
 * Fails: INSUFFICIENT_BALANCE, AMOUNT_OUT_OF_RANGE, CONFLICT.
 */
export async function post(work: Work, journals: readonly Journal[]): Promise<void> {
  const { tx, platform } = work
  await postInto(work, await openBook(tx, storedKeys(platform.id, journals)), journals)
}

/** Posts journals into an open book, for journals that depend on its balances. */
export async function postInto(
  work: Work,
  book: Book,
  journals: readonly Journal[],
): Promise<void> {
  const { platform, now } = work
  book.mustApply(platform.id, now, journals)
  await write(work, book)
}

/** Posts the journals that `decide` applies to a locked book. */
export async function postWith<T>(
  work: Work,
  keys: readonly BalanceKey[],
  decide: (book: Book) => T,
): Promise<T> {
  const book = await openBook(work.tx, keys)
  const decided = decide(book)
  await write(work, book)
  return decided
}

/**
 * Posts into the books of several platforms in one transaction: all balances are locked in one order, and each platform
 * gets the events of its own accounts.
 */
export async function postAcross<T>(
  works: readonly [Work, ...Work[]],
  keys: readonly BalanceKey[],
  decide: (book: Book) => T,
): Promise<T> {
  const book = await openBook(works[0].tx, keys)
  const decided = decide(book)
  await writeRows(works[0], book)
  const byPlatform = new Map(works.map((work) => [work.platform.id, work]))
  for (const work of byPlatform.values()) await emitBalances(work, book)
  return decided
}

async function write(work: Work, book: Book): Promise<void> {
  await writeRows(work, book)
  await emitBalances(work, book)
}

async function writeRows({ tx }: Work, book: Book): Promise<void> {
  const written = book.toWrite()
  if (written) await tx.run(written)
}

async function emitBalances(work: Work, book: Book): Promise<void> {
  const balances = book.changedAccounts(work.platform.id)
  const accountIds = balances.map(({ accountId }) => accountId)
  if (balances.length > 0) await work.react('balances.changed', { accountIds, balances })
}
