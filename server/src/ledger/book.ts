import { newUuid, type Id } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'
import { AMOUNT_MAX } from '../kernel/money.ts'
import { sql } from '../infra/db/sql.ts'
import type { Tx } from '../infra/db/tx.ts'
import type { AccountBalance } from '../infra/internal-events.ts'
import {
  availableOf,
  balanceRuleOf,
  heldOf,
  internalAccountOf,
  type LedgerAccount,
} from './chart.ts'
import { assertBalanced, type Journal, type Posting } from './posting.ts'

/** One balance: an account of one platform's book in one currency. */
export type BalanceKey = Readonly<{
  platformId: Id<'platform'>
  account: LedgerAccount
  currency: string
}>

/** Why a journal cannot be posted: this balance would break its sign, or pass what any balance may hold. */
export type Shortfall = Readonly<{
  key: BalanceKey
  balance: bigint
  change: bigint
  kind: 'below-floor' | 'above-ceiling'
}>

export type Posted = Readonly<{ platformId: Id<'platform'>; at: Date; journal: Journal }>

/**
 * Balances locked in one transaction, and the journals decided against them. Nothing reaches the database before
 * `write`, so a journal that does not fit leaves no trace.
 */
export type Book = Readonly<{
  balanceOf(key: BalanceKey): bigint
  /** Applies all of the journals, or none and says why. */
  apply(platformId: Id<'platform'>, at: Date, journals: readonly Journal[]): Shortfall | undefined
  /** Queues everything applied for the commit: one statement. */
  write(tx: Tx): void
  /** The internal accounts whose balances the applied journals changed, as they are after them. */
  changedAccounts(platformId: Id<'platform'>): AccountBalance[]
  postingCount(): number
}>

type Row = BalanceKey & { amount: bigint }
type EntryRow = BalanceKey & {
  journalId: string
  line: number
  amount: bigint
  after: bigint | null
}

const text = ({ platformId, account, currency }: BalanceKey): string =>
  `${platformId}|${account}|${currency}`

const isTransit = ({ account }: BalanceKey): boolean => account.startsWith('TRANSIT:')

/** The balances that these journals touch and that are stored; `summed` accounts have none. */
export function storedKeys(platformId: Id<'platform'>, journals: readonly Journal[]): BalanceKey[] {
  return journals.flatMap(({ postings }) =>
    postings
      .filter(({ account }) => balanceRuleOf(account) !== 'summed')
      .map(({ account, currency }) => ({ platformId, account, currency })),
  )
}

/**
 * Whoever changes either part of an internal account locks its `available` row, so that both parts may be read
 * together while it is held.
 */
function withSiblings(keys: readonly BalanceKey[]): { locked: BalanceKey[]; read: BalanceKey[] } {
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

const keyColumns = (keys: readonly BalanceKey[]) =>
  sql`unnest(${keys.map((key) => key.platformId)}::uuid[], ${keys.map((key) => key.account)}::text[],
    ${keys.map((key) => key.currency)}::text[]) as k(platform_id, account, currency)`

/** In one order everywhere, so that two transactions never wait for each other. */
const lockRows = (tx: Tx, keys: readonly BalanceKey[]): Promise<Row[]> =>
  tx.many<Row>(
    sql`select b.platform_id, b.account, b.currency, b.amount
        from ledger_balances b join ${keyColumns(keys)} using (platform_id, account, currency)
        order by b.platform_id, b.account, b.currency for no key update of b`,
  )

const readRows = (tx: Tx, keys: readonly BalanceKey[]): Promise<Row[]> =>
  keys.length === 0
    ? Promise.resolve([])
    : tx.many<Row>(
        sql`select b.platform_id, b.account, b.currency, b.amount
            from ledger_balances b join ${keyColumns(keys)} using (platform_id, account, currency)`,
      )

/** A row that does not exist cannot be locked, so it is made first. A transaction's own TRANSIT needs no lock. */
async function lockAll(tx: Tx, keys: readonly BalanceKey[]): Promise<Row[]> {
  const rows = await lockRows(tx, keys)
  const found = new Set(rows.map(text))
  const missing = keys.filter((key) => !isTransit(key) && !found.has(text(key)))
  if (missing.length === 0) return rows
  await tx.run(
    sql`insert into ledger_balances (platform_id, account, currency, amount)
        select k.platform_id, k.account, k.currency, 0 from ${keyColumns(missing)}
        order by 1, 2, 3 on conflict do nothing`,
  )
  return lockRows(tx, keys)
}

export async function openBook(tx: Tx, keys: readonly BalanceKey[]): Promise<Book> {
  const { locked, read } = withSiblings(keys)
  // The second statement starts when the first one has its locks: what it reads cannot change any more.
  const [lockedRows, readOnly] = await Promise.all([lockAll(tx, locked), readRows(tx, read)])
  const balances = new Map(locked.map((key) => [text(key), 0n]))
  for (const row of [...readOnly, ...lockedRows]) balances.set(text(row), row.amount)
  return bookOn(balances, {
    lockedNames: new Set(locked.map(text)),
    storedNames: new Set(lockedRows.map(text)),
  })
}

type Names = Readonly<{ lockedNames: ReadonlySet<string>; storedNames: ReadonlySet<string> }>

function bookOn(balances: Map<string, bigint>, { lockedNames, storedNames }: Names): Book {
  const journals: (Posted & { id: string })[] = []
  const entries: EntryRow[] = []
  const changes = new Map<string, BalanceKey & { change: bigint }>()

  const stage = (platformId: Id<'platform'>, staged: readonly Journal[]): Staged | Shortfall => {
    const next = new Map<string, bigint>()
    const lines: (Omit<EntryRow, 'journalId'> & { journal: Journal })[] = []
    for (const journal of staged) {
      assertBalanced(journal)
      for (const [line, posting] of journal.postings.entries()) {
        const outcome = fit({ platformId, posting, balances, next, lockedNames })
        if (typeof outcome === 'object' && outcome !== null) return outcome
        lines.push({ platformId, ...posting, journal, line, after: outcome })
      }
    }
    return { next, lines }
  }

  return {
    balanceOf: (key) => balances.get(text(key)) ?? 0n,
    apply(platformId, at, staged) {
      const outcome = stage(platformId, staged)
      if ('key' in outcome) return outcome
      for (const [name, balance] of outcome.next) balances.set(name, balance)
      const ids = new Map(staged.map((journal) => [journal, newUuid()]))
      for (const journal of staged) {
        journals.push({ platformId, at, journal, id: ids.get(journal) as string })
      }
      for (const { journal, ...line } of outcome.lines) {
        entries.push({ ...line, journalId: ids.get(journal) as string })
        if (line.after !== null) addChange(changes, line)
      }
      return undefined
    },
    write(tx) {
      if (journals.length === 0) return
      const moved = [...changes].filter(([, { change }]) => change !== 0n)
      const [stored, fresh] = [true, false].map((known) =>
        moved.filter(([name]) => storedNames.has(name) === known).map(([, change]) => change),
      )
      tx.trail(insertAll({ journals, entries, stored: stored ?? [], fresh: fresh ?? [] }))
    },
    changedAccounts: (platformId) => changedAccounts(platformId, changes, balances),
    postingCount: () => entries.length,
  }
}

type Staged = Readonly<{
  next: Map<string, bigint>
  lines: (Omit<EntryRow, 'journalId'> & { journal: Journal })[]
}>

type Fit = Readonly<{
  platformId: Id<'platform'>
  posting: Posting
  balances: ReadonlyMap<string, bigint>
  next: Map<string, bigint>
  lockedNames: ReadonlySet<string>
}>

/** The balance after one line, null where none is stored, or why it does not fit. */
function fit({ platformId, posting, balances, next, lockedNames }: Fit): bigint | null | Shortfall {
  const rule = balanceRuleOf(posting.account)
  if (rule === 'summed') return null
  const key = { platformId, account: posting.account, currency: posting.currency }
  const name = text(key)
  invariant(lockedNames.has(name) || isTransit(key), `${posting.account} was locked before posting`)
  const balance = next.get(name) ?? balances.get(name) ?? 0n
  const after = balance + posting.amount
  const wrong = { key, balance, change: posting.amount }
  if (rule === 'not-negative' ? after < 0n : after > 0n) return { ...wrong, kind: 'below-floor' }
  if (after > AMOUNT_MAX) return { ...wrong, kind: 'above-ceiling' }
  next.set(name, after)
  return after
}

function addChange(
  changes: Map<string, BalanceKey & { change: bigint }>,
  line: Omit<EntryRow, 'journalId'>,
): void {
  const { platformId, account, currency } = line
  const name = text(line)
  const change = (changes.get(name)?.change ?? 0n) + line.amount
  changes.set(name, { platformId, account, currency, change })
}

function changedAccounts(
  platformId: Id<'platform'>,
  changes: ReadonlyMap<string, BalanceKey & { change: bigint }>,
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

type Change = BalanceKey & { change: bigint }

type Written = Readonly<{
  journals: readonly (Posted & { id: string })[]
  entries: readonly EntryRow[]
  /** Balances that have a row, which is locked. */
  stored: readonly Change[]
  /** A transaction's own TRANSIT, whose row is made now. */
  fresh: readonly Change[]
}>

const changeColumns = (changes: readonly Change[]) =>
  sql`unnest(${changes.map((row) => row.platformId)}::uuid[], ${changes.map((row) => row.account)}::text[],
    ${changes.map((row) => row.currency)}::text[], ${changes.map((row) => row.change)}::bigint[])`

/** One statement whatever the number of journals. Balances change by their difference, never by assignment. */
function insertAll({ journals, entries, stored, fresh }: Written) {
  return sql`
    with new_journals as (
      insert into ledger_journals (platform_id, id, type, reference, at)
      select * from unnest(${journals.map((row) => row.platformId)}::uuid[], ${journals.map((row) => row.id)}::uuid[],
        ${journals.map((row) => row.journal.type)}::text[], ${journals.map((row) => row.journal.reference)}::text[],
        ${journals.map((row) => row.at)}::timestamptz[])
    ), new_entries as (
      insert into ledger_entries (platform_id, journal_id, line, account, currency, amount, balance_after)
      select platform_id, journal_id, line, account, currency, amount, balance_after
      from unnest(${entries.map((row) => row.platformId)}::uuid[],
        ${entries.map((row) => row.journalId)}::uuid[], ${entries.map((row) => row.line)}::smallint[],
        ${entries.map((row) => row.account)}::text[], ${entries.map((row) => row.currency)}::text[],
        ${entries.map((row) => row.amount)}::bigint[], ${entries.map((row) => row.after)}::bigint[])
        with ordinality as e(platform_id, journal_id, line, account, currency, amount, balance_after, n)
      order by n
    ), new_balances as (
      insert into ledger_balances (platform_id, account, currency, amount)
      select * from ${changeColumns(fresh)}
    )
    update ledger_balances b set amount = b.amount + c.change
    from ${changeColumns(stored)} as c(platform_id, account, currency, change)
    where b.platform_id = c.platform_id and b.account = c.account and b.currency = c.currency`
}
