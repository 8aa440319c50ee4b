import { fail } from '../kernel/errors.ts'
import { formatId, newUuid, type Id } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'
import { failOutOfRange } from '../kernel/money/amount-range.ts'
import { AMOUNT_MAX, maxOf } from '../kernel/money/money.ts'
import { amountToWire } from '../kernel/money/wire-money.ts'
import type { Sql } from '../infra/db/statement/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { AccountBalance } from '../infra/work/internal-events.ts'
import type { BalanceMemory, Lease, LeaseOutcome } from './balances/balance-memory.ts'
import {
  lockIfUnchanged,
  lockBalances,
  nameOf,
  openBalances,
  readBalances,
  type BalanceChange,
  type BalanceKey,
  type BalanceRow,
} from './balances/balance-rows.ts'
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

/**
 * Balances locked in one transaction, and the journals decided against them. Nothing reaches the database before
 * `toWrite` is run, so a journal that does not fit leaves no trace.
 */
export type Book = Readonly<{
  balanceOf(key: BalanceKey): bigint
  /** Applies all journals, or none. Fails: INSUFFICIENT_BALANCE, AMOUNT_OUT_OF_RANGE, CONFLICT. */
  mustApply(platformId: Id<'platform'>, at: Date, journals: readonly Journal[]): void
  /** One statement that writes all applied journals; undefined where there are none. */
  toWrite(): Sql | undefined
  /** The internal accounts whose balances the applied journals changed, with the new balances. */
  changedAccounts(platformId: Id<'platform'>): AccountBalance[]
  postingCount(): number
  /** Gives the pending balances to the next batch; no journal may follow. */
  publishPending(): void
  /**
   * Queues the statement that locks remembered balances and verifies them, so that it is sent in front of the journals and
   * after that of the batch before. What is queued already is sent while it waits for that one.
   */
  lockRemembered(): Promise<void>
  /** Ends the lease of the memory; after a commit the memory keeps the new balances. */
  release(outcome: LeaseOutcome): void
}>

/** The stored balances that these journals touch; `summed` accounts have none. */
export function storedKeys(platformId: Id<'platform'>, journals: readonly Journal[]): BalanceKey[] {
  return journals.flatMap(({ postings }) =>
    postings
      .filter(({ account }) => balanceRuleOf(account) !== 'summed')
      .map(({ account, currency }) => ({ platformId, account, currency })),
  )
}

/** Keyed by the names of the balances (nameOf). */
type Keys = ReadonlyMap<string, BalanceKey>
type Rows = ReadonlyMap<string, BalanceRow>
type KeysToFetch = Readonly<{ locked: Keys; read: Keys }>

/**
 * Every change of either part of an internal account locks its `available` row, so that the lock protects a read of both
 * parts.
 */
function withSiblings(keys: readonly BalanceKey[]): KeysToFetch {
  const locked = new Map<string, BalanceKey>()
  const read = new Map<string, BalanceKey>()
  for (const key of keys) {
    locked.set(nameOf(key), key)
    const internal = internalAccountOf(key.account)
    if (!internal) continue
    const available = { ...key, account: availableOf(internal.id) }
    locked.set(nameOf(available), available)
    const held = { ...key, account: heldOf(internal.id) }
    read.set(nameOf(held), held)
  }
  for (const name of locked.keys()) read.delete(name)
  return { locked, read }
}

/** Both statements are sent together, and the second starts after the first has its locks, so its rows cannot change. */
async function lockAndReadRows(tx: Tx, { locked, read }: KeysToFetch): Promise<Rows> {
  const [lockedRows, readRows] = await Promise.all([
    lockBalances(tx, [...locked.values()]),
    readBalances(tx, [...read.values()]),
  ])
  return new Map([...readRows, ...lockedRows].map((row) => [nameOf(row), row]))
}

/** A missing row cannot be locked, so it is inserted first. A transaction's own account needs no lock. */
async function lockAll(tx: Tx, keys: KeysToFetch): Promise<Rows> {
  if (keys.locked.size === 0) return new Map()
  const rows = await lockAndReadRows(tx, keys)
  const missing = [...keys.locked].filter(
    ([name, { account }]) => !isOfOneTransaction(account) && !rows.has(name),
  )
  if (missing.length === 0) return rows
  await tx.run(openBalances(missing.map(([, key]) => key)))
  return lockAndReadRows(tx, keys)
}

/** Locks the balances, or takes them from the memory: those are locked and verified before the journals are written. */
export async function openBook(
  tx: Tx,
  keys: readonly BalanceKey[],
  remembering?: Readonly<{ memory: BalanceMemory; locksFirst: boolean }>,
): Promise<Book> {
  const keysToFetch = withSiblings(keys)
  const { locked, read } = keysToFetch
  const lease = await remembering?.memory.lease([...locked.keys(), ...read.keys()], remembering)
  const rows = lease?.rows ?? (await lockInTurn(tx, keysToFetch, lease))
  const balances = new Map<string, bigint>()
  for (const [name, { amount }] of rows) balances.set(name, amount)
  return {
    ...bookOn({ balances, locked, stored: rows }),
    publishPending: () => lease?.publishPending(rowsAfterCommit(rows, balances)),
    async lockRemembered() {
      if (!lease?.rows) return
      if (lease.turn) await Promise.all([tx.flush(), lease.turn])
      tx.queueWrite(lockIfUnchanged([...lease.rows.values()]), { onRun: lease.locked })
    },
    release: (outcome) => lease?.end(outcome),
  }
}

/** Locks balances that are not remembered before anything is decided, after the batches before have locked them. */
async function lockInTurn(tx: Tx, keys: KeysToFetch, lease: Lease | undefined): Promise<Rows> {
  try {
    await lease?.turn
    const rows = await lockAll(tx, keys)
    lease?.locked()
    return rows
  } catch (error) {
    lease?.end('failed')
    throw error
  }
}

/** Leaves out the rows of one transaction, which no later batch uses. */
function rowsAfterCommit(rows: Rows, balances: ReadonlyMap<string, bigint>): Rows {
  const left = new Map<string, BalanceRow>()
  for (const [name, row] of rows) {
    if (isOfOneTransaction(row.account)) continue
    left.set(name, { ...row, amount: balances.get(name) ?? 0n })
  }
  return left
}

type Opened = Readonly<{
  /** After the applied journals. */
  balances: Map<string, bigint>
  locked: Keys
  stored: Rows
}>

type OfLease = 'publishPending' | 'lockRemembered' | 'release'

function bookOn({ balances, locked, stored }: Opened): Omit<Book, OfLease> {
  const journals: JournalRow[] = []
  const entries: EntryRow[] = []
  const changes = new Map<string, BalanceChange>()

  return {
    balanceOf: (key) => balances.get(nameOf(key)) ?? 0n,
    mustApply(platformId, at, applied) {
      const staged = stage({ platformId, at, journals: applied, balances, locked })
      for (const [name, balance] of staged.next) balances.set(name, balance)
      journals.push(...staged.journals)
      for (const { name, entry } of staged.lines) {
        entries.push(entry)
        if (entry.after !== null) addChange(changes, name, entry)
      }
    },
    toWrite() {
      if (journals.length === 0) return undefined
      return insertJournals({ journals, entries, ...sortChanges(changes, { balances, stored }) })
    },
    changedAccounts: (platformId) => changedAccounts(platformId, changes, balances),
    postingCount: () => entries.length,
  }
}

type Line = Readonly<{ name: string; entry: EntryRow }>

type Staging = Readonly<{
  platformId: Id<'platform'>
  at: Date
  journals: readonly Journal[]
  balances: ReadonlyMap<string, bigint>
  locked: Keys
}>
type Staged = Readonly<{ next: Map<string, bigint>; journals: JournalRow[]; lines: Line[] }>

/** All lines with the balances after them. Fails as `mustApply` does, before anything is applied. */
function stage(staging: Staging): Staged {
  const { platformId, at } = staging
  const next = new Map<string, bigint>()
  const journals: JournalRow[] = []
  const lines: Line[] = []
  for (const journal of staging.journals) {
    assertBalanced(journal)
    const id = newUuid()
    journals.push({ platformId, at, journal, id })
    for (const [line, { account, currency, amount }] of journal.postings.entries()) {
      const name = nameOf({ platformId, account, currency })
      const after = mustFit(staging, { account, currency, amount, name }, next)
      const entry = { platformId, journalId: id, line, account, currency, amount, after }
      lines.push({ name, entry })
    }
  }
  mustBeBelowMaximum(staging, lines, next)
  return { next, journals, lines }
}

/** The balance after one line; null where none is stored. */
function mustFit(
  { balances, locked }: Staging,
  { account, currency, amount, name }: Posting & Readonly<{ name: string }>,
  next: Map<string, bigint>,
): bigint | null {
  const rule = balanceRuleOf(account)
  if (rule === 'summed') return null
  const isReady = locked.has(name) || isOfOneTransaction(account)
  invariant(isReady, `${account} was locked before posting`)
  const balance = next.get(name) ?? balances.get(name) ?? 0n
  const after = balance + amount
  if (rule === 'not-negative' ? after < 0n : after > 0n) {
    failShort({ account, currency, balance, required: -amount })
  }
  next.set(name, after)
  return after
}

/** Checked after all lines, because money may pass through an account; both parts of an account count together. */
function mustBeBelowMaximum(
  { balances }: Staging,
  lines: readonly Line[],
  next: ReadonlyMap<string, bigint>,
): void {
  const ofName = (name: string): bigint => next.get(name) ?? balances.get(name) ?? 0n
  const at = (key: BalanceKey): bigint => ofName(nameOf(key))
  for (const { name, entry } of lines) {
    const { platformId, account, currency, amount, after } = entry
    if (after === null || amount < 0n) continue
    const key = { platformId, account, currency }
    const internal = internalAccountOf(account)
    const balance = internal
      ? at({ ...key, account: availableOf(internal.id) }) +
        at({ ...key, account: heldOf(internal.id) })
      : ofName(name)
    const room = AMOUNT_MAX - balance + amount
    if (balance > AMOUNT_MAX) failOutOfRange({ maximum: maxOf(room, 0n), currency })
  }
}

type Shortfall = Pick<Posting, 'account' | 'currency'> &
  Readonly<{ balance: bigint; required: bigint }>

/** Only a shortfall of spendable money is the caller's; any other is a conflict. */
function failShort({ account, currency, balance, required }: Shortfall): never {
  const internal = internalAccountOf(account)
  if (internal?.part !== 'available') {
    fail('CONFLICT', undefined, `${account} has ${balance}, asked for ${required}`)
  }
  return fail('INSUFFICIENT_BALANCE', {
    accountId: formatId('internalAccount', internal.id),
    currency,
    available: amountToWire(balance),
    required: amountToWire(required),
  })
}

function addChange(
  changes: Map<string, BalanceChange>,
  name: string,
  { platformId, account, currency, amount }: EntryRow,
): void {
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
      balances.get(nameOf({ platformId, account, currency })) ?? 0n
    found.set(internal.id, {
      accountId: internal.id,
      currency,
      available: part(availableOf(internal.id)),
      held: part(heldOf(internal.id)),
    })
  }
  return [...found.values()]
}
