import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Body } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { emitEvents } from '../../../test/kit/outside/emit-event.ts'
import { connect, openReceiver } from '../../../test/kit/outside/connect-receiver.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { asCaller, operate, operatorNamed } from '../../../test/kit/operator.ts'
import { fund, payee, payer, quote } from '../../../test/kit/payments.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import { mustParseId } from '../../kernel/ids.ts'
import type { Answer } from '../command.ts'
import type { figureCommands } from '../commands/money/figures.ts'
import { startFigures } from './jobs.ts'
import { refreshFigures } from './refresh.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { db } = deps

type Figures = Answer<typeof figureCommands.list>

const refresh = (aheadMs = 0): Promise<void> =>
  refreshFigures({ db, clock: { now: () => addMs(deps.clock.now(), aheadMs) } })

const figuresOf = ({ platformId }: TestPlatform, range = '7d'): Promise<Figures> =>
  operate<Figures>(kit, `figures list --range ${range} --platform ${platformId}`)

/** All hours of a platform's figures together. */
async function totals(platform: TestPlatform, range?: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { name, count } of (await figuresOf(platform, range)).figures)
    if (count > 0) sums[name] = (sums[name] ?? 0) + count
  return sums
}

const payments = async (platform: TestPlatform, range?: string) =>
  Object.fromEntries(
    Object.entries(await totals(platform, range)).filter(([name]) => /^(out|in)\./.test(name)),
  )

const advance = async ({ api }: TestPlatform, ms: number): Promise<void> => {
  expectStatus(await api.post('/sandbox/clock', { advanceSeconds: ms / 1000 }), 200)
}

async function pay(platform: TestPlatform, from: string, suffix = '000'): Promise<string> {
  const to = await payee(platform, 'EUR_ACCOUNT', { suffix })
  const asked = { from, to, amount: 5_000, immediatelyExecute: true }
  return expectStatus(await quote(platform, asked), 201).transactionId
}

test('OPER-110 payments are summed by outcome and currency, the same however often it is done', async () => {
  const platform = await kit.platform()
  const { account } = await payer(platform)
  await pay(platform, account)
  await pay(platform, account, '002')
  await advance(platform, 2 * DAY_MS)
  await refresh()
  const { figures } = await figuresOf(platform)
  const sent = figures.find(({ name }) => name === 'out.completed')
  assert.deepEqual([sent?.currency, sent?.amount], ['USD', '5000'])
  const ended = { 'in.completed': 1, 'out.completed': 1, 'out.failed': 1 }
  assert.deepEqual(await payments(platform), ended)
  // Repeated, and by two at once, it says the same.
  await Promise.all([refresh(), refresh()])
  assert.deepEqual(await payments(platform), ended)
})

test('OPER-110 a later outcome changes the hour of the payment, also one that is long past', async () => {
  const platform = await kit.platform()
  const { account } = await payer(platform)
  const id = (await pay(platform, account)).replace('Transaction:', '')
  await advance(platform, 2 * DAY_MS)
  const become = (status: string, reason: string | null = null) =>
    db.read.run(
      sql`update transactions set status = ${status}, failure_reason = ${reason} where id = ${id}`,
    )
  await become('PROCESSING')
  await refresh()
  assert.deepEqual(await payments(platform), { 'in.completed': 1, 'out.pending': 1 })
  // The marks move on once everything that was begun before has ended.
  for (const minutes of [3, 6, 9]) await refresh(minutes * MINUTE_MS)
  await become('COMPLETED')
  await refresh(12 * MINUTE_MS)
  assert.deepEqual(await payments(platform), { 'in.completed': 1, 'out.completed': 1 })
  await become('FAILED', 'PAYOUT_RETURNED')
  await refresh(15 * MINUTE_MS)
  assert.deepEqual(await payments(platform), { 'in.completed': 1, 'out.failed': 1 })
  await become('COMPLETED')
})

test('OPER-110 a sandbox clock that leaps leaves each payment at its own time', async () => {
  const platform = await kit.platform()
  const { account } = await payer(platform)
  await advance(platform, 20 * DAY_MS)
  await fund(platform, account, 100)
  await advance(platform, 40 * DAY_MS)
  await fund(platform, account, 100)
  await refresh()
  assert.deepEqual(await payments(platform, '24h'), { 'in.completed': 1 })
  assert.deepEqual(await payments(platform, '30d'), { 'in.completed': 1 })
  assert.deepEqual(await payments(platform, '90d'), { 'in.completed': 3 })
  const { figures } = await figuresOf(platform, '90d')
  const days = figures.filter(({ name }) => name === 'in.completed').map(({ at }) => Date.parse(at))
  assert.deepEqual(
    days.slice(1).map((at, n) => Math.round((at - (days[n] ?? 0)) / DAY_MS)),
    [20, 40],
  )
  await advance(platform, 60 * DAY_MS)
  await refresh()
  assert.deepEqual(await payments(platform, '90d'), { 'in.completed': 1 })
})

test('OPER-110 changes of balances add up to what the book holds, also after a run was cut short', async () => {
  const platform = await kit.platform()
  const { account } = await payer(platform)
  const held = async (range: string): Promise<number> => {
    const { openingBalances, figures } = await figuresOf(platform, range)
    const changes = figures.filter(({ name }) => name === 'balance')
    return [...openingBalances, ...changes].reduce((sum, { amount }) => sum + Number(amount), 0)
  }
  const broken = new Error('cut short')
  const failing = {
    ...db,
    transaction: (async (body, options) =>
      db.transaction(async (tx) => {
        await body(tx)
        throw broken
      }, options)) as typeof db.transaction,
  }
  const later = { now: () => addMs(deps.clock.now(), HOUR_MS) }
  await assert.rejects(refreshFigures({ db: failing, clock: later }), broken)
  for (const range of ['24h', '90d']) assert.equal(await held(range), 0)
  // What was posted two minutes ago has committed; here that is everything.
  await refresh(2 * MINUTE_MS)
  for (const range of ['24h', '90d']) assert.equal(await held(range), 100_000)
  await advance(platform, 100 * DAY_MS)
  await fund(platform, account, 500)
  await refresh(2 * MINUTE_MS)
  // What is older than everything that is shown was summed up.
  for (const range of ['24h', '90d']) assert.equal(await held(range), 100_500)
})

test('OPER-110 webhooks, answers to cards and what waits are counted', async () => {
  const platform = await kit.platform()
  const receiver = await openReceiver()
  await connect(platform, receiver)
  const before = (await totals(platform))['events.delivered'] ?? 0
  assert.equal(before, 0)
  receiver.answer(500)
  await emitEvents(kit, platform, [{}, {}])
  await eventually(async () => {
    await refresh()
    const sums = await totals(platform)
    assert.ok((sums['events.pending'] ?? 0) >= 2 && (sums['webhooks.waiting'] ?? 0) >= 1)
  })
  const card = await newCard(platform, { funds: 2_000 })
  await card.authorize(1_200)
  await card.authorize(900_000)
  await db.read.run(
    sql`insert into jobs (platform_id, id, name, payload, due_at, state, attempts, created_at)
        values (${platform.platformId.replace('Platform:', '')}, ${crypto.randomUUID()}, 'nobody.runs.this', '{}',
          ${new Date(0)}, 'DEAD', 25, ${new Date(0)})`,
  )
  await refresh()
  const sums = await totals(platform)
  assert.equal(sums['cards.approved'], 1)
  assert.equal(sums['cards.declined'], 1)
  assert.equal(sums['jobs.dead'], 1)
})

test('OPER-3 OPER-110 an operator limited to platforms gets the figures of these alone', async () => {
  const [own, foreign] = [await kit.platform(), await kit.platform()]
  for (const platform of [own, foreign]) await payer(platform)
  await refresh()
  const limited = {
    ...operatorNamed('Petra', 'VIEWER'),
    platforms: [mustParseId('platform', own.platformId)],
  }
  const all = await operate<Figures>(asCaller(kit, limited), 'figures list --range 24h')
  const counted = all.figures.filter(({ name }) => name === 'in.completed')
  assert.deepEqual(
    counted.map(({ count }) => count),
    [1],
  )
  await assert.rejects(
    operate<Body>(asCaller(kit, limited), `figures list --platform ${foreign.platformId}`),
  )
})

test('OPER-110 the job runs at the start and again a minute after it, once', async () => {
  const waiting = () =>
    db.read.many<{ dueAt: Date }>(
      sql`select due_at from jobs where name = 'figures.refresh' and state = 'WAITING'`,
    )
  await Promise.all([startFigures(deps), startFigures(deps)])
  await eventually(async () => {
    const [next, ...more] = await waiting()
    assert.deepEqual(more, [])
    assert.ok(next && next.dueAt.getTime() > Date.now() + 30_000)
  })
})
