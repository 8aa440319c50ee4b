import { newUuid, type Id } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'
import { AMOUNT_MAX } from '../kernel/money.ts'
import type { Sql } from '../infra/db/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { AccountBalance } from '../infra/internal-events.ts'
import type { BalanceMemory } from './balance-memory.ts'
import {
  holdAsKnown,
  lockBalances,
  openBalances,
  readBalances,
  type BalanceChange,
  type BalanceKey,
  type BalanceRow,
} from './balance-rows.ts'
import {
  availableOf,
  balanceRuleOf,
  heldOf,
  internalAccountOf,
  isOfOneTransaction,
  type LedgerAccount,
} from './chart.ts'
import { insertJournals, sortChanges, type EntryRow, type JournalRow } from './insert-journals.ts'
import { assertBalanced, type Journal, type Posting } from './posting.ts'

/** Why a journal cannot be posted: this balance would break its sign, or pass what any balance may hold. */
export type Shortfall = Readonly<{
  key: BalanceKey
  balance: bigint
  change: bigint
  kind: 'below-floor' | 'above-ceiling'
}>

/**
 * Balances locked in one transaction, and the journals decided against them. Nothing reaches the database before
 * `toWrite` is run, so a journal that does not fit leaves no trace.
 */
export type Book = Readonly<{
  balanceOf(key: BalanceKey): bigint
  /** Applies all of the journals, or none and says why. */
  apply(platformId: Id<'platform'>, at: Date, journals: readonly Journal[]): Shortfall | undefined
  /** One statement that writes everything applied; undefined where nothing was. */
  toWrite(): Sql | undefined
  /** The internal accounts whose balances the applied journals changed, as they are after them. */
  changedAccounts(platformId: Id<'platform'>): AccountBalance[]
  postingCount(): number
  /** Nothing more is applied: the memory may tell the next batch what this one is going to leave. */
  foretell(): void
  /** Ends the hold on what the memory was asked for; after a commit it learns what is there now. */
  release(isCommitted: boolean): void
}>

const text = ({ platformId, account, currency }: BalanceKey): string =>
  `${platformId}|${account}|${currency}`

/** The balances that these journals touch and that are stored; `summed` accounts have none. */
export function storedKeys(platformId: Id<'platform'>, journals: readonly Journal[]): BalanceKey[] {
  return journals.flatMap(({ postings }) =>
    postings
      .filter(({ account }) => balanceRuleOf(account) !== 'summed')
      .map(({ account, currency }) => ({ platformId, account, currency })),
  )
}

type Wanted = Readonly<{ locked: readonly BalanceKey[]; read: readonly BalanceKey[] }>

/**
 * Whoever changes either part of an internal account locks its `available` row, so that both parts may be read
 * together while it is held.
 */
function withSiblings(keys: readonly BalanceKey[]): Wanted {
  const locked = new Map<string, BalanceKey>()
  const read = new Map<string, BalanceKey>()
  for (const key of keys) {
    locked.set(text(key), key)
    const internal = internalAccountOf(key.account)
    if (!internal) continue
    const available = { ...key, account: availableOf(internal.id) }
    locked.set(text(available), available)
    const held = { ...key, account: heldOf(internal.id) }
    read.set(text(held), held)
  }
  for (const name of locked.keys()) read.delete(name)
  return { locked: [...locked.values()], read: [...read.values()] }
}

type Found = Readonly<{ lockedRows: readonly BalanceRow[]; readRows: readonly BalanceRow[] }>

/** Both travel together, and the second starts when the first has its locks: what it reads cannot change any more. */
async function fetchRows(tx: Tx, { locked, read }: Wanted): Promise<Found> {
  const [lockedRows, readRows] = await Promise.all([
    lockBalances(tx, locked),
    readBalances(tx, read),
  ])
  return { lockedRows, readRows }
}

/** A row that does not exist cannot be locked, so it is made first. A transaction's own account needs no lock. */
async function lockAll(tx: Tx, wanted: Wanted): Promise<Found> {
  if (wanted.locked.length === 0) return { lockedRows: [], readRows: [] }
  const found = await fetchRows(tx, wanted)
  const names = new Set(found.lockedRows.map(text))
  const missing = wanted.locked.filter(
    (key) => !isOfOneTransaction(key.account) && !names.has(text(key)),
  )
  if (missing.length === 0) return found
  await tx.run(openBalances(missing))
  return fetchRows(tx, wanted)
}

/** Balances that the memory knows are not asked for: that they are so is proven with the writes. */
export async function openBook(
  tx: Tx,
  keys: readonly BalanceKey[],
  remembering?: Readonly<{ memory: BalanceMemory; locksFirst: boolean }>,
): Promise<Book> {
  const wanted = withSiblings(keys)
  const lease = await remembering?.memory.lease([...wanted.locked, ...wanted.read], remembering)
  const lockedNames = new Set(wanted.locked.map(text))
  const balances = new Map(wanted.locked.map((key) => [text(key), 0n]))
  const foretell = (): void => lease?.foretell(leftOver(rows, balances))
  if (lease?.rows) tx.trail(holdAsKnown(lease.rows), foretell)
  const { lockedRows, readRows } = lease?.rows
    ? { lockedRows: lease.rows.filter((row) => lockedNames.has(text(row))), readRows: lease.rows }
    : await lockAll(tx, wanted).catch((error: unknown) => {
        lease?.end(false)
        throw error
      })
  const rows = lease?.rows ?? [...readRows, ...lockedRows]
  for (const row of rows) balances.set(text(row), row.amount)
  const names = { lockedNames, storedNames: new Set(lockedRows.map(text)) }
  return {
    ...bookOn(balances, names),
    // What was only remembered is locked by the statement that proves it.
    foretell: lease?.rows ? () => undefined : foretell,
    release: (isCommitted) => lease?.end(isCommitted),
  }
}

/** Rows of one transaction go when nothing is left on them, and are nobody's to come back to. */
const leftOver = (
  rows: readonly BalanceRow[],
  balances: ReadonlyMap<string, bigint>,
): BalanceRow[] =>
  rows.flatMap((row) =>
    isOfOneTransaction(row.account) ? [] : [{ ...row, amount: balances.get(text(row)) ?? 0n }],
  )

type Names = Readonly<{ lockedNames: ReadonlySet<string>; storedNames: ReadonlySet<string> }>

function bookOn(
  balances: Map<string, bigint>,
  { lockedNames, storedNames }: Names,
): Omit<Book, 'foretell' | 'release'> {
  const journals: JournalRow[] = []
  const entries: EntryRow[] = []
  const changes = new Map<string, BalanceChange>()

  return {
    balanceOf: (key) => balances.get(text(key)) ?? 0n,
    apply(platformId, at, applied) {
      const staged = stage({ platformId, journals: applied, balances, lockedNames })
      if ('key' in staged) return staged
      for (const [name, balance] of staged.next) balances.set(name, balance)
      const ids = new Map(applied.map((journal) => [journal, newUuid()]))
      for (const journal of applied) {
        journals.push({ platformId, at, journal, id: ids.get(journal) as string })
      }
      for (const { journal, ...line } of staged.lines) {
        entries.push({ ...line, journalId: ids.get(journal) as string })
        if (line.after !== null) addChange(changes, line)
      }
      return undefined
    },
    toWrite() {
      if (journals.length === 0) return undefined
      return insertJournals({
        journals,
        entries,
        ...sortChanges(changes, { balances, storedNames }),
      })
    },
    changedAccounts: (platformId) => changedAccounts(platformId, changes, balances),
    postingCount: () => entries.length,
  }
}

type Line = Omit<EntryRow, 'journalId'> & { journal: Journal }

type Staging = Readonly<{
  platformId: Id<'platform'>
  journals: readonly Journal[]
  balances: ReadonlyMap<string, bigint>
  lockedNames: ReadonlySet<string>
}>

/** All lines with the balances after them, or the first one that does not fit. */
function stage(
  staging: Staging,
): Readonly<{ next: Map<string, bigint>; lines: Line[] }> | Shortfall {
  const next = new Map<string, bigint>()
  const lines: Line[] = []
  for (const journal of staging.journals) {
    assertBalanced(journal)
    for (const [line, posting] of journal.postings.entries()) {
      const after = fit(staging, posting, next)
      if (typeof after === 'object' && after !== null) return after
      lines.push({ platformId: staging.platformId, ...posting, journal, line, after })
    }
  }
  return tooMuch(staging, lines, next) ?? { next, lines }
}

/** The balance after one line, null where none is stored, or why it does not fit. */
function fit(
  { platformId, balances, lockedNames }: Staging,
  { account, currency, amount }: Posting,
  next: Map<string, bigint>,
): bigint | null | Shortfall {
  const rule = balanceRuleOf(account)
  if (rule === 'summed') return null
  const key = { platformId, account, currency }
  const name = text(key)
  invariant(
    lockedNames.has(name) || isOfOneTransaction(account),
    `${account} was locked before posting`,
  )
  const balance = next.get(name) ?? balances.get(name) ?? 0n
  const after = balance + amount
  if (rule === 'not-negative' ? after < 0n : after > 0n) {
    return { key, balance, change: amount, kind: 'below-floor' }
  }
  next.set(name, after)
  return after
}

/** Looked at when all lines are in, because money may pass through an account; both parts of one count together. */
function tooMuch(
  { balances }: Staging,
  lines: readonly Line[],
  next: ReadonlyMap<string, bigint>,
): Shortfall | undefined {
  const at = (key: BalanceKey): bigint => next.get(text(key)) ?? balances.get(text(key)) ?? 0n
  for (const { platformId, account, currency, amount, after } of lines) {
    if (after === null || amount < 0n) continue
    const key = { platformId, account, currency }
    const internal = internalAccountOf(account)
    const balance = internal
      ? at({ ...key, account: availableOf(internal.id) }) +
        at({ ...key, account: heldOf(internal.id) })
      : at(key)
    if (balance > AMOUNT_MAX) return { key, balance, change: amount, kind: 'above-ceiling' }
  }
  return undefined
}

function addChange(
  changes: Map<string, BalanceChange>,
  { platformId, account, currency, amount }: Omit<EntryRow, 'journalId'>,
): void {
  const name = text({ platformId, account, currency })
  const change = (changes.get(name)?.change ?? 0n) + amount
  changes.set(name, { platformId, account, currency, change })
}

function changedAccounts(
  platformId: Id<'platform'>,
  changes: ReadonlyMap<string, BalanceChange>,
  balances: ReadonlyMap<string, bigint>,
): AccountBalance[] {
  const found = new Map<string, AccountBalance>()
  for (const key of changes.values()) {
    const internal = internalAccountOf(key.account)
    if (!internal || key.platformId !== platformId || key.change === 0n) continue
    const { currency } = key
    const part = (account: LedgerAccount) =>
      balances.get(text({ platformId, account, currency })) ?? 0n
    found.set(internal.id, {
      accountId: internal.id,
      currency,
      available: part(availableOf(internal.id)),
      held: part(heldOf(internal.id)),
    })
  }
  return [...found.values()]
}
