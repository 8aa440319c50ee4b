import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { watchRoundTrips } from '../../../test/kit/database/round-trips.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { reply } from '../../infra/http/reply.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { ApiError } from '../../kernel/errors.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { createBalanceMemory } from './balance-memory.ts'
import { nameOf, type BalanceRow } from './balance-rows.ts'
import { parseLedgerAccount, worldOf, type LedgerAccount } from '../chart.ts'
import { createLane, type Lane, type LaneKind } from '../lane.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const platformId = mustParseId('platform', (await kit.platform()).platformId)
const platform = await findPlatform(deps.db.read, platformId)
invariant(platform, 'the platform is there')

const CURRENCY = 'TST'

type Change = Readonly<{ account: LedgerAccount; amount: bigint }>

/** An amount comes from the world to an account, or goes there. */
const change: LaneKind<Change, undefined, undefined> = {
  name: 'test.change',
  load: async (_tx, inputs) => inputs.map(() => undefined),
  keys: (_caller, { account }) => [{ platformId, account, currency: CURRENCY }],
  decide({ now }, { account, amount }, _loaded, { book }) {
    const postings = [
      { account, currency: CURRENCY, amount },
      { account: worldOf('test'), currency: CURRENCY, amount: -amount },
    ]
    const journal = { type: 'test', reference: newUuid(), postings }
    book.mustApply(platformId, now, [journal])
    return { reply: reply(200, {}), row: undefined }
  },
  save: () => undefined,
}

function submitOf(kind: typeof change, lane: Lane, input: Change): Promise<unknown> {
  return lane.submit(
    { kind, input },
    {
      actor: { kind: 'system', name: 'test' },
      action: 'test',
      platform: platform as NonNullable<typeof platform>,
      now: new Date(),
      requestId: newUuid(),
    },
  )
}

/** What became of it: ok, or the code of the refusal. */
async function submit(lane: Lane, account: LedgerAccount, amount: bigint): Promise<string> {
  try {
    await submitOf(change, lane, { account, amount })
    return 'ok'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

async function balanceOf(account: string): Promise<bigint | undefined> {
  const row = await deps.db.read.maybe<{ amount: bigint }>(
    sql`select amount from ledger_balances where platform_id = ${platformId} and account = ${account}`,
  )
  return row?.amount
}

const newAccount = (): LedgerAccount => parseLedgerAccount(`SUSPENSE:test-${newUuid()}`)
const GUARD = /1 \/ \(count\(\*\)/

test('a balance that the last commit left is not asked for: everything travels at once', async () => {
  const lane = createLane({ deps })
  const account = newAccount()
  assert.equal(await submit(lane, account, 10n), 'ok')
  const watch = watchRoundTrips()
  assert.equal(await submit(lane, account, -4n), 'ok')
  watch.stop()
  const [trip = [], ...further] = watch.transactionWith(GUARD)
  assert.deepEqual(further, [])
  assert.match(trip[0] ?? '', GUARD)
  assert.match(trip[1] ?? '', /insert into ledger_journals/)
  assert.equal(await balanceOf(account), 6n)
})

test('LEDG-3 money that came by another way is seen before a command is refused for want of it', async () => {
  const [lane, other] = [createLane({ deps }), createLane({ deps })]
  const account = newAccount()
  assert.equal(await submit(lane, account, 10n), 'ok')
  assert.equal(await submit(other, account, 100n), 'ok')
  assert.equal(await submit(lane, account, -50n), 'ok')
  assert.equal(await balanceOf(account), 60n)
})

test('LEDG-3 money that went another way is not spent again', async () => {
  const [lane, other] = [createLane({ deps }), createLane({ deps })]
  const account = newAccount()
  assert.equal(await submit(lane, account, 10n), 'ok')
  assert.equal(await submit(other, account, -9n), 'ok')
  assert.equal(await submit(lane, account, -10n), 'CONFLICT')
  assert.equal(await submit(lane, account, -1n), 'ok')
  assert.equal(await balanceOf(account), 0n)
})

test('LEDG-3 LEDG-4 two lanes that take turns on one account lose and make nothing', async () => {
  const lanes = [createLane({ deps }), createLane({ deps })] as const
  const accounts = [newAccount(), newAccount()] as const
  for (const account of accounts) await submit(lanes[0], account, 40n)
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, async (_, n) => {
      for (let wait = 0; wait < n % 7; wait += 1) await balanceOf(accounts[0])
      return submit(lanes[n % 2 === 0 ? 0 : 1], accounts[n % 3 === 0 ? 0 : 1], -1n)
    }),
  )
  const left = await Promise.all(accounts.map((account) => balanceOf(account)))
  assert.deepEqual(left, [0n, 0n])
  assert.equal(outcomes.filter((outcome) => outcome === 'ok').length, 80)
})

/** Holds an advisory lock until told to let go. */
async function holdGate(): Promise<Readonly<{ key: bigint; open: () => Promise<void> }>> {
  const key = BigInt(randomInt(2 ** 40))
  const [held, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = deps.db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${key})`)
    held.resolve()
    await opened.promise
  })
  await held.promise
  return {
    key,
    async open() {
      opened.resolve()
      await ended
    },
  }
}

for (const [becomes, statement, left] of [
  ['commits', sql`select 1`, 5n],
  ['fails', sql`select 'none'::integer`, 8n],
] as const) {
  test(`LEDG-3 a batch is decided while the one before it is written, and stands if that one ${becomes}`, async () => {
    const lane = createLane({ deps })
    const account = newAccount()
    assert.equal(await submit(lane, account, 10n), 'ok')
    const gate = await holdGate()
    const seen: bigint[] = []
    const watched: typeof change = {
      ...change,
      name: 'test.watched',
      decide(caller, input, loaded, batch) {
        seen.push(batch.book.balanceOf({ platformId, account, currency: CURRENCY }))
        return change.decide(caller, input, loaded, batch)
      },
    }
    const gated: typeof change = {
      ...watched,
      name: 'test.gated',
      save(tx) {
        tx.queueWrite(sql`select pg_advisory_xact_lock(${gate.key})`)
        tx.queueWrite(statement)
      },
    }
    const first = submitOf(gated, lane, { account, amount: -3n })
    await eventually(() => assert.deepEqual(seen, [10n]))
    const second = submitOf(watched, lane, { account, amount: -2n })
    await eventually(() => assert.deepEqual(seen, [10n, 7n]))
    const ended = Promise.allSettled([first, second])
    await gate.open()
    const outcomes = await ended
    assert.equal(outcomes[0].status, becomes === 'commits' ? 'fulfilled' : 'rejected')
    assert.equal(outcomes[1].status, 'fulfilled')
    assert.equal(await balanceOf(account), left)
    assert.deepEqual(seen, becomes === 'commits' ? [10n, 7n] : [10n, 7n, 10n])
  })
}

test('LEDG-3 rows of a batch are written while the one before it holds the balances, its journals after that', async () => {
  const lane = createLane({ deps })
  const account = newAccount()
  assert.equal(await submit(lane, account, 10n), 'ok')
  const gate = await holdGate()
  const gated: typeof change = {
    ...change,
    name: 'test.gated',
    save: (tx) => tx.queueWrite(sql`select pg_advisory_xact_lock(${gate.key})`),
  }
  const early: typeof change = {
    ...change,
    name: 'test.early',
    savesBeforeLock: true,
    save: (tx) => tx.queueWrite(sql`select 'early'`),
  }
  const watch = watchRoundTrips()
  const first = submitOf(gated, lane, { account, amount: -3n })
  await eventually(() => assert.match(watch.transactionWith(GUARD).flat().join(), /advisory/))
  const second = submitOf(early, lane, { account, amount: -2n })
  await eventually(() => assert.notDeepEqual(watch.transactionWith(/'early'/), []))
  await gate.open()
  await Promise.all([first, second])
  watch.stop()
  const texts = watch.transactionWith(/'early'/).flat()
  const at = (statement: RegExp): number => texts.findIndex((text) => statement.test(text))
  assert.ok(at(/'early'/) < at(GUARD) && at(GUARD) < at(/insert into ledger_journals/))
  assert.equal(await balanceOf(account), 5n)
})

function aRow(amount: bigint): Readonly<{ name: string; left: Map<string, BalanceRow> }> {
  const row = { platformId, account: newAccount(), currency: CURRENCY, amount }
  return { name: nameOf(row), left: new Map([[nameOf(row), row]]) }
}

test('the next batch waits until the one before it has published its balances, or ended', async () => {
  const memory = createBalanceMemory()
  const { name, left } = aRow(5n)
  const first = await memory.lease([name])
  assert.equal(first.rows, undefined)
  let isLeased = false
  const second = memory.lease([name]).finally(() => (isLeased = true))
  await setImmediate()
  assert.equal(isLeased, false)
  first.publishPending(left)
  assert.deepEqual((await second).rows, left)
  const third = memory.lease([name])
  ;(await second).end('failed')
  assert.equal((await third).rows, undefined, 'the second has failed and published nothing')
})

test('the next batch locks its balances after the one before it, or after the end of that one', async () => {
  const memory = createBalanceMemory()
  const { name, left } = aRow(5n)
  for (const becomes of ['locked', 'ended'] as const) {
    const first = await memory.lease([name])
    first.publishPending(left)
    const second = await memory.lease([name])
    let hasTurn = false
    const turn = second.turn?.finally(() => (hasTurn = true))
    await setImmediate()
    assert.equal(hasTurn, false)
    if (becomes === 'locked') first.locked()
    else first.end('failed')
    await turn
    assert.equal(hasTurn, true)
    second.end('committed')
  }
  const only = await memory.lease([name])
  assert.equal(only.turn, undefined)
})

test('a commit that failed leaves nothing to rely on', async () => {
  const memory = createBalanceMemory()
  const { name, left } = aRow(5n)
  const failing = await memory.lease([name])
  failing.publishPending(left)
  failing.end('failed')
  assert.equal((await memory.lease([name])).rows, undefined)
})

test('a batch that locks first gets no remembered balances', async () => {
  const memory = createBalanceMemory()
  const { name, left } = aRow(5n)
  const before = await memory.lease([name])
  before.publishPending(left)
  before.end('committed')
  const asking = await memory.lease([name], { locksFirst: true })
  assert.equal(asking.rows, undefined)
})

test('what was wrong is relied on again later, and later each time', async () => {
  const memory = createBalanceMemory()
  const { name, left } = aRow(5n)
  const leasesUntilKnown = async (): Promise<number> => {
    for (let count = 0; ; count += 1) {
      const lease = await memory.lease([name])
      lease.publishPending(left)
      lease.end('committed')
      if (lease.rows) return count
    }
  }
  assert.equal(await leasesUntilKnown(), 1, 'the first time nothing is known')
  memory.invalidate()
  const first = await leasesUntilKnown()
  memory.invalidate()
  assert.ok((await leasesUntilKnown()) > first)
})
