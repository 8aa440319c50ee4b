import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { startOwnKit } from '../../test/kit/florin.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { ApiError } from '../kernel/errors.ts'
import { formatId, mustParseId, newId, newUuid, type Id } from '../kernel/ids.ts'
import { AMOUNT_MAX } from '../kernel/money/money.ts'
import type { BalanceKey } from './balances/balance-rows.ts'
import { openBook, storedKeys, type Book } from './book.ts'
import {
  availableOf,
  balanceRuleOf,
  CARD_NETWORK,
  cardReserveOf,
  cardShortfallOf,
  FX,
  heldOf,
  LOSS_PROVIDERS,
  RECEIVABLE_PLATFORM,
  REVENUE_FEES,
  STORED_PREFIXES,
  SUSPENSE_REFUND_FAILED,
  SUSPENSE_UNATTRIBUTED,
  transitOf,
  worldOf,
  type LedgerAccount,
} from './chart.ts'
import { post } from './post.ts'
import type { Journal, Posting } from './posting.ts'
import { inPlatform } from '../operator/in-platform.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps
const p = await kit.platform()
const q = await kit.platform()
const platformId = mustParseId('platform', p.platformId)
const otherId = mustParseId('platform', q.platformId)

/** A currency of its own for every run, so that runs do not see each other. */
let runs = 0
const newCurrency = (): string => `RUN${(runs += 1)}`

const at = new Date('2026-01-01T00:00:00.000Z')

/** A payment that may have money on its way. */
async function underWay(...platformIds: readonly Id<'platform'>[]): Promise<Id<'transaction'>> {
  const id = newId('transaction')
  const owners = platformIds.length > 0 ? platformIds : [platformId]
  await db.read.run(
    sql`insert into transactions (platform_id, id, type, status, source, destination, created_at, updated_at)
        select owner, ${id}, 'OUTGOING', 'PROCESSING', '{}', '{}', ${at}, ${at} from unnest(${owners}::uuid[]) as owner`,
  )
  return id
}

const journalOf = (postings: readonly Posting[]): Journal => ({
  type: 'test',
  reference: newUuid(),
  postings,
})

const move = ({ from, to, amount, currency }: Move): Journal =>
  journalOf([
    { account: from, currency, amount: -amount },
    { account: to, currency, amount },
  ])

type Move = Readonly<{ from: LedgerAccount; to: LedgerAccount; amount: bigint; currency: string }>
type Command = readonly Journal[]

function refusalOf(book: Book, id: Id<'platform'>, journals: Command): ApiError | undefined {
  try {
    return void book.mustApply(id, at, journals)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** One transaction for all commands; whether each was taken. */
async function applyTogether(id: Id<'platform'>, commands: readonly Command[]): Promise<boolean[]> {
  return db.transaction(async (tx) => {
    const book = await openBook(tx, storedKeys(id, commands.flat()))
    const taken = commands.map((journals) => refusalOf(book, id, journals) === undefined)
    const written = book.toWrite()
    if (written) tx.queueWrite(written)
    return taken
  })
}

async function applySingly(id: Id<'platform'>, commands: readonly Command[]): Promise<boolean[]> {
  const taken: boolean[] = []
  for (const command of commands) taken.push(...(await applyTogether(id, [command])))
  return taken
}

async function balancesIn(id: Id<'platform'>, currency: string): Promise<Map<string, bigint>> {
  const rows = await db.read.many<{ account: string; amount: bigint }>(
    sql`select account, amount from ledger_balances
        where platform_id = ${id} and currency = ${currency} and amount <> 0 order by account`,
  )
  return new Map(rows.map(({ account, amount }) => [account, amount]))
}

const A = newId('internalAccount')
const B = newId('internalAccount')

describe('applying journals', () => {
  test('LEDG-1 a journal whose lines do not sum to zero, or that has one line, is a bug', async () => {
    const currency = newCurrency()
    const unbalanced = journalOf([
      { account: FX, currency, amount: 5n },
      { account: worldOf('X'), currency, amount: -4n },
    ])
    const acrossCurrencies = journalOf([
      { account: FX, currency, amount: 5n },
      { account: FX, currency: newCurrency(), amount: -5n },
    ])
    const thin = journalOf([{ account: FX, currency, amount: 5n }])
    for (const journal of [unbalanced, acrossCurrencies, thin]) {
      await assert.rejects(applyTogether(platformId, [[journal]]), { name: 'InvariantError' })
    }
  })

  test('LEDG-1 an entry carries id, platform, type, time and reference', async () => {
    const currency = newCurrency()
    const journal = move({ from: worldOf('X'), to: availableOf(A), amount: 7n, currency })
    await applyTogether(platformId, [[journal]])
    const rows = await db.read.many(
      sql`select j.type, j.reference, j.at, e.account, e.amount, e.balance_after
          from ledger_journals j join ledger_entries e on e.platform_id = j.platform_id and e.journal_id = j.id
          where j.platform_id = ${platformId} and j.reference = ${journal.reference} order by e.line`,
    )
    const { type, reference } = journal
    assert.deepEqual(rows, [
      { type, reference, at, account: 'WORLD:X', amount: -7n, balanceAfter: null },
      { type, reference, at, account: availableOf(A), amount: 7n, balanceAfter: 7n },
    ])
  })

  test('LEDG-1 the same step of the same cause is written once', async () => {
    const currency = newCurrency()
    const journal = move({ from: worldOf('X'), to: availableOf(A), amount: 7n, currency })
    await applyTogether(platformId, [[journal]])
    await assert.rejects(applyTogether(platformId, [[journal]]), {
      constraint: 'ledger_journals_once',
    })
    assert.equal((await balancesIn(platformId, currency)).get(availableOf(A)), 7n)
  })

  test('a balance that was not locked cannot be posted to', async () => {
    const journal = move({
      from: worldOf('X'),
      to: availableOf(A),
      amount: 1n,
      currency: newCurrency(),
    })
    await db.transaction(async (tx) => {
      const book = await openBook(tx, [])
      assert.throws(() => book.mustApply(platformId, at, [journal]), { name: 'InvariantError' })
    })
  })

  const refusalsOf = async (commands: readonly Command[]) =>
    db.transaction(async (tx) => {
      const book = await openBook(tx, storedKeys(platformId, commands.flat()))
      return commands.map((journals) => refusalOf(book, platformId, journals))
    })

  test('a shortfall names the balance, what it holds and what was asked', async () => {
    const currency = newCurrency()
    const [first, second] = await refusalsOf([
      [move({ from: worldOf('X'), to: availableOf(A), amount: 5n, currency })],
      [move({ from: availableOf(A), to: transitOf(newId('transaction')), amount: 6n, currency })],
    ])
    assert.equal(first, undefined)
    assert.equal(second?.code, 'INSUFFICIENT_BALANCE')
    const accountId = formatId('internalAccount', A)
    assert.deepEqual(second.details, { accountId, currency, available: 5, required: 6 })
  })

  test('what a platform owes does not turn into what it is owed', async () => {
    const currency = newCurrency()
    const [outcome] = await refusalsOf([
      [move({ from: worldOf('X'), to: RECEIVABLE_PLATFORM, amount: 1n, currency })],
    ])
    assert.equal(outcome?.code, 'CONFLICT')
  })

  test('IACC-13 both parts of an account together stay within what an amount may be', async () => {
    const currency = newCurrency()
    const fill = (to: LedgerAccount, amount: bigint): Command => [
      move({ from: worldOf('X'), to, amount, currency }),
    ]
    const outcomes = await refusalsOf([
      fill(availableOf(A), AMOUNT_MAX - 10n),
      fill(heldOf(A), 11n),
      fill(heldOf(A), 10n),
      // Money that only passes through is not too much.
      [move({ from: availableOf(A), to: heldOf(A), amount: 100n, currency })],
      fill(availableOf(A), 1n),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => outcome?.code),
      [undefined, 'AMOUNT_OUT_OF_RANGE', undefined, undefined, 'AMOUNT_OUT_OF_RANGE'],
    )
  })

  test('both parts of a changed account are told, the one that was not touched as it is stored', async () => {
    const currency = newCurrency()
    await applyTogether(platformId, [
      [move({ from: worldOf('X'), to: heldOf(A), amount: 4n, currency })],
      [move({ from: worldOf('X'), to: availableOf(B), amount: 9n, currency })],
    ])
    await db.transaction(async (tx) => {
      const credit = move({ from: worldOf('X'), to: availableOf(A), amount: 3n, currency })
      const book = await openBook(tx, storedKeys(platformId, [credit]))
      book.mustApply(platformId, at, [credit])
      assert.deepEqual(book.changedAccounts(platformId), [
        { accountId: A, currency, available: 3n, held: 4n },
      ])
      assert.deepEqual(book.changedAccounts(otherId), [])
    })
  })

  test('an account whose movements cancel out did not change', async () => {
    const currency = newCurrency()
    await db.transaction(async (tx) => {
      const there = move({ from: worldOf('X'), to: availableOf(A), amount: 3n, currency })
      const back = move({ from: availableOf(A), to: worldOf('X'), amount: 3n, currency })
      const book = await openBook(tx, storedKeys(platformId, [there, back]))
      book.mustApply(platformId, at, [there, back])
      assert.deepEqual(book.changedAccounts(platformId), [])
      assert.equal(book.postingCount(), 4)
    })
  })
})

describe('what the database enforces', () => {
  const balance = async (account: string, amount: bigint): Promise<void> => {
    const currency = newCurrency()
    await db.read.run(
      sql`insert into ledger_balances (platform_id, account, currency, amount)
          values (${platformId}, ${account}, ${currency}, 0)`,
    )
    await db.read.run(
      sql`update ledger_balances set amount = ${amount}
          where platform_id = ${platformId} and account = ${account} and currency = ${currency}`,
    )
  }

  test('LEDG-3 the sign of every stored balance, whatever the code does', async () => {
    const wrong: readonly (readonly [string, bigint])[] = [
      [availableOf(A), -1n],
      [heldOf(A), -1n],
      [transitOf(newId('transaction')), -1n],
      [SUSPENSE_UNATTRIBUTED, -1n],
      [SUSPENSE_REFUND_FAILED, -1n],
      [cardReserveOf(newId('cardTransaction')), -1n],
      [RECEIVABLE_PLATFORM, 1n],
      [LOSS_PROVIDERS, 1n],
      [cardShortfallOf(newId('cardTransaction')), 1n],
    ]
    const tried = STORED_PREFIXES.filter((prefix) =>
      wrong.some(([name]) => name.startsWith(prefix)),
    )
    assert.deepEqual(tried, STORED_PREFIXES, 'every kind of the chart is tried')
    for (const [account, amount] of wrong) {
      await assert.rejects(balance(account, amount), { constraint: 'ledger_balances_sign' })
    }
  })

  test('LEDG-4 accounts that every payment touches have no row to fight for', async () => {
    const currency = newCurrency()
    await applyTogether(platformId, [
      [
        journalOf([
          { account: worldOf('ACH'), currency, amount: -10n },
          { account: FX, currency, amount: 3n },
          { account: CARD_NETWORK, currency, amount: 1n },
          { account: REVENUE_FEES, currency, amount: 1n },
          { account: availableOf(A), currency, amount: 5n },
        ]),
      ],
    ])
    assert.deepEqual([...(await balancesIn(platformId, currency)).keys()], [availableOf(A)])
  })
})

// A small world in which random movements happen: two customers with both parts, one payment, the rest of the chart.
const transaction = await underWay(platformId, otherId)
const ACCOUNTS = [
  availableOf(A),
  heldOf(A),
  availableOf(B),
  heldOf(B),
  transitOf(transaction),
  SUSPENSE_UNATTRIBUTED,
  LOSS_PROVIDERS,
  RECEIVABLE_PLATFORM,
  FX,
  REVENUE_FEES,
  worldOf('X'),
]

type Step = Readonly<{ from: number; to: number; amount: number }>

const steps = fc.record({
  from: fc.integer({ min: 0, max: ACCOUNTS.length - 1 }),
  to: fc.integer({ min: 0, max: ACCOUNTS.length - 1 }),
  amount: fc.integer({ min: 1, max: 100 }),
})
const commands = fc.array(fc.array(steps, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 12,
})

const toCommands = (drawn: readonly (readonly Step[])[], currency: string): Command[] =>
  drawn
    .map((command) =>
      command
        .filter(({ from, to }) => from !== to)
        .map(({ from, to, amount }) =>
          move({
            from: ACCOUNTS[from] as LedgerAccount,
            to: ACCOUNTS[to] as LedgerAccount,
            amount: BigInt(amount),
            currency,
          }),
        ),
    )
    .filter((command) => command.length > 0)

/** The same rules, written the plainest way. */
function model(commandsToRun: readonly Command[]): {
  taken: boolean[]
  balances: Map<string, bigint>
} {
  let balances = new Map<string, bigint>()
  const taken = commandsToRun.map((command) => {
    const next = new Map(balances)
    for (const { account, amount } of command.flatMap(({ postings }) => postings)) {
      const rule = balanceRuleOf(account)
      const after = (next.get(account) ?? 0n) + amount
      if (rule === 'not-negative' && after < 0n) return false
      if (rule === 'not-positive' && after > 0n) return false
      if (rule !== 'summed') next.set(account, after)
    }
    balances = next
    return true
  })
  const rest = [...balances].filter(([, amount]) => amount !== 0n)
  return { taken, balances: new Map(rest.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

describe('an account of one transaction', () => {
  const rowsOf = (account: string) =>
    db.read.many(
      sql`select amount from ledger_balances where platform_id = ${platformId} and account = ${account}`,
    )

  test('has a row only while there is something on it', async () => {
    const currency = newCurrency()
    const transit = transitOf(await underWay())
    const carry = (from: LedgerAccount, to: LedgerAccount, amount: bigint): Promise<boolean[]> =>
      applyTogether(platformId, [[move({ from, to, amount, currency })]])
    await carry(worldOf('X'), transit, 9n)
    assert.deepEqual(await rowsOf(transit), [{ amount: 9n }])
    await carry(transit, FX, 4n)
    assert.deepEqual(await rowsOf(transit), [{ amount: 5n }])
    await carry(transit, FX, 5n)
    assert.deepEqual(await rowsOf(transit), [])
    assert.deepEqual(await carry(transit, FX, 1n), [false], 'nothing is left to take')
    await carry(worldOf('X'), transit, 2n)
    assert.deepEqual(await rowsOf(transit), [{ amount: 2n }], 'a return brings it back')
  })

  test('of racing settlements exactly one takes what is there', async () => {
    const currency = newCurrency()
    const transit = transitOf(await underWay())
    await applyTogether(platformId, [
      [move({ from: worldOf('X'), to: transit, amount: 9n, currency })],
    ])
    const taken = await Promise.all(
      Array.from({ length: 8 }, () =>
        applyTogether(platformId, [[move({ from: transit, to: FX, amount: 9n, currency })]]),
      ),
    )
    assert.equal(taken.flat().filter(Boolean).length, 1)
  })
})

describe('random movements', () => {
  test('LEDG-3 LEDG-5 LEDG-7 as the plain model has them: nothing made, nothing lost, no floor broken', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (drawn) => {
        const currency = newCurrency()
        const list = toCommands(drawn, currency)
        const expected = model(list)
        assert.deepEqual(await applyTogether(platformId, list), expected.taken)
        const stored = await balancesIn(platformId, currency)
        assert.deepEqual(
          new Map([...stored].toSorted(([a], [b]) => (a < b ? -1 : 1))),
          expected.balances,
        )
        const { sum } = await db.read.one<{ sum: string }>(
          sql`select coalesce(sum(amount), 0)::text as sum from ledger_entries
              where platform_id = ${platformId} and currency = ${currency}`,
        )
        assert.equal(sum, '0')
      }),
      { numRuns: 40 },
    )
  })

  test('a batch of n decides and leaves what n singles do', async () => {
    await fc.assert(
      fc.asyncProperty(commands, async (drawn) => {
        const currency = newCurrency()
        const together = await applyTogether(platformId, toCommands(drawn, currency))
        const singly = await applySingly(otherId, toCommands(drawn, currency))
        assert.deepEqual(together, singly)
        assert.deepEqual(
          await balancesIn(platformId, currency),
          await balancesIn(otherId, currency),
        )
      }),
      { numRuns: 25 },
    )
  })
})

describe('racing transactions', () => {
  const currency = newCurrency()
  const accounts = Array.from({ length: 6 }, () => newId('internalAccount'))

  test('LEDG-4 LEDG-7 many accounts in every order: no deadlock, a total order of each account’s entries', async () => {
    await applyTogether(
      platformId,
      accounts.map((id) => [
        move({ from: worldOf('X'), to: availableOf(id), amount: 1000n, currency }),
      ]),
    )
    const pairs = Array.from({ length: 60 }, (_, n) => ({
      from: accounts[n % 6] as Id<'internalAccount'>,
      to: accounts[(n * 5 + 1) % 6] as Id<'internalAccount'>,
    })).filter(({ from, to }) => from !== to)
    const rounds = pairs.map(({ from, to }) => [
      move({ from: availableOf(from), to: heldOf(to), amount: 7n, currency }),
      move({ from: heldOf(to), to: availableOf(to), amount: 7n, currency }),
    ])
    const before = db.retries()
    const taken = await Promise.all(rounds.map((command) => applyTogether(platformId, [command])))
    assert.ok(taken.flat().every(Boolean))
    assert.equal(db.retries(), before, 'no transaction was retried')
    const total = [...(await balancesIn(platformId, currency)).values()].reduce((a, b) => a + b, 0n)
    assert.equal(total, 6000n)
  })

  test('LEDG-3 a hot account is never overdrawn', async () => {
    const hot = newCurrency()
    const fund = move({ from: worldOf('X'), to: availableOf(A), amount: 100n, currency: hot })
    await applyTogether(platformId, [[fund]])
    const payments = await Promise.all(Array.from({ length: 50 }, () => underWay()))
    const taken = await Promise.all(
      payments.map((id) =>
        applyTogether(platformId, [
          [move({ from: availableOf(A), to: transitOf(id), amount: 3n, currency: hot })],
        ]),
      ),
    )
    assert.equal(taken.flat().filter(Boolean).length, 33)
    assert.equal((await balancesIn(platformId, hot)).get(availableOf(A)), 1n)
  })
})

describe('post', () => {
  const key = (account: LedgerAccount): BalanceKey => ({ platformId, account, currency: 'USD' })
  const inWork = <T>(body: Parameters<typeof inPlatform<T>>[2]): Promise<T> =>
    inPlatform(kit.florin.deps, { platformId: p.platformId, action: 'test' }, body)

  test('a Work that posts twice finds what it posted', async () => {
    const id = newId('transaction')
    const [credit, debit] = [
      move({ from: worldOf('X'), to: transitOf(id), amount: 5n, currency: 'USD' }),
      move({ from: transitOf(id), to: worldOf('X'), amount: 5n, currency: 'USD' }),
    ]
    await inWork(async (work) => {
      await post(work, [credit])
      const book = await openBook(work.tx, [key(transitOf(id))])
      assert.equal(book.balanceOf(key(transitOf(id))), 5n)
      await post(work, [debit])
    })
    assert.equal((await balancesIn(platformId, 'USD')).get(transitOf(id)), undefined)
  })

  test('LEDG-6 a Work that fails later leaves nothing of what it posted', async () => {
    const id = newId('transaction')
    const credit = move({ from: worldOf('X'), to: transitOf(id), amount: 5n, currency: 'USD' })
    const failing = inWork(async (work) => {
      await post(work, [credit])
      throw new RangeError('later')
    })
    await assert.rejects(failing, { message: 'later' })
    const journals = await db.read.many(
      sql`select 1 from ledger_journals where platform_id = ${platformId} and reference = ${credit.reference}`,
    )
    assert.deepEqual(journals, [])
  })

  test('QUOTE-12 too little on an account is told with what there is; on anything else it is a conflict', async () => {
    const poor = newId('internalAccount')
    const spend = (from: LedgerAccount) =>
      inWork((work) => post(work, [move({ from, to: worldOf('X'), amount: 8n, currency: 'USD' })]))
    await assert.rejects(spend(availableOf(poor)), {
      code: 'INSUFFICIENT_BALANCE',
      details: {
        accountId: `InternalAccount:${poor}`,
        currency: 'USD',
        available: 0,
        required: 8,
      },
    })
    await assert.rejects(spend(heldOf(poor)), { code: 'CONFLICT' })
    await assert.rejects(spend(transitOf(newId('transaction'))), { code: 'CONFLICT' })
  })

  test('one telling per account and commit, holding the state after all of it', async () => {
    const { body } = await p.api.get('/platform/internal-accounts', { query: { currency: 'USD' } })
    const [account] = body.data as unknown as { id: string }[]
    const id = mustParseId('internalAccount', account?.id ?? '')
    const credit = (amount: bigint): Journal =>
      move({ from: worldOf('X'), to: availableOf(id), amount, currency: 'USD' })
    await inWork(async (work) => {
      await post(work, [credit(5n)])
      await post(work, [credit(6n)])
    })
    const events = await db.read.many<{ body: string }>(
      sql`select body from events where platform_id = ${platformId} and type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED'`,
    )
    assert.deepEqual(
      events.map((event) => JSON.parse(event.body).data.balance.amount),
      [11],
    )
  })
})
