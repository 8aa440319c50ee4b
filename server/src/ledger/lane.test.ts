import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { startOwnKit } from '../../test/kit/florin.ts'
import { loseAnswerTo } from '../../test/kit/processes/lose-answer.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { reply, type Reply } from '../infra/http/reply.ts'
import type { KeyedRequest } from '../infra/work/idempotency.ts'
import type { Submitter } from '../infra/work/lane-command.ts'
import { findPlatform } from '../infra/platforms.ts'
import { DAY_MS } from '../kernel/clock.ts'
import { fail } from '../kernel/errors.ts'
import { mustParseId, newId, newUuid, type Id } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'
import { createFlorin } from '../app/florin.ts'
import { availableOf, worldOf, type LedgerAccount } from './chart.ts'
import { createLane, type Lane, type LaneKind, type LaneOptions } from './lane.ts'
import { move } from './recipes/journal.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { db } = deps
const p = await kit.platform()
const platformId = mustParseId('platform', p.platformId)
const platform = await findPlatform(db.read, platformId)
invariant(platform, 'the platform is there')

type Transfer = Readonly<{
  from?: Id<'internalAccount'>
  to?: Id<'internalAccount'>
  amount: bigint
  /** What goes wrong, besides the balance. */
  mishap?: 'refused' | 'bug' | 'bug in load' | 'refused after posting'
}>

const CURRENCY = 'TST'
const key = (account: LedgerAccount) => ({ platformId, account, currency: CURRENCY })

/** A kind of command of our own: an amount from one account, or the world, to another. */
const transfer: LaneKind<Transfer, undefined, never> = {
  name: 'transfer',
  async load(_tx, inputs) {
    invariant(!inputs.some(({ input }) => input.mishap === 'bug in load'), 'loading went wrong')
    return inputs.map(() => undefined)
  },
  keys: (_caller, { from, to }) =>
    [from, to].flatMap((id) => (id === undefined ? [] : [key(availableOf(id))])),
  decide({ now }, { from, to, amount, mishap }, _loaded, { book }) {
    if (mishap === 'refused') fail('CONFLICT')
    invariant(mishap !== 'bug', 'deciding went wrong')
    const journal = move({
      type: 'test',
      reference: newUuid(),
      from: from === undefined ? worldOf('X') : availableOf(from),
      to: to === undefined ? worldOf('Y') : availableOf(to),
      money: { amount, currency: CURRENCY },
    })
    book.mustApply(platformId, now, [journal])
    if (mishap === 'refused after posting') fail('CONFLICT')
    const shown = from ?? to
    const balance = shown === undefined ? 0n : book.balanceOf(key(availableOf(shown)))
    return { reply: reply(200, { balance: balance.toString() }), row: undefined as never }
  },
  save: () => undefined,
}

const caller = (now = new Date()): Submitter => ({
  platform,
  actor: { kind: 'system', name: 'test' },
  now,
  requestId: newUuid(),
  action: 'test',
})

const keyed = (name: string, what = 'same'): KeyedRequest => ({
  platformId,
  scope: 'platform',
  key: name,
  fingerprint: Buffer.from(what),
})

function newLane(options: Partial<LaneOptions> = {}): Lane & { batches(): number } {
  let batches = 0
  const counting: typeof db = {
    ...db,
    async transaction(body) {
      const result = await db.transaction(body)
      batches += 1
      return result
    },
  }
  const lane = createLane({ ...options, deps: { ...deps, db: counting } })
  return { ...lane, batches: () => batches }
}

type Outcome = { ok: true; reply: Reply } | { ok: false; code: string }

const outcome = (submitted: Promise<Reply>): Promise<Outcome> =>
  submitted.then(
    (answer) => ({ ok: true, reply: answer }) as const,
    (error: { code?: string; name: string }) =>
      ({ ok: false, code: error.code ?? error.name }) as const,
  )

const run = (lane: Lane, input: Transfer, request?: KeyedRequest, now?: Date): Promise<Outcome> =>
  outcome(lane.submit({ kind: transfer, input }, caller(now), { keyed: request }))

const codes = (outcomes: readonly Outcome[]): string[] =>
  outcomes.map((one) => (one.ok ? 'ok' : one.code))

async function balanceOf(id: Id<'internalAccount'>): Promise<bigint> {
  const row = await db.read.maybe<{ amount: bigint }>(
    sql`select amount from ledger_balances
        where platform_id = ${platformId} and account = ${availableOf(id)} and currency = ${CURRENCY}`,
  )
  return row?.amount ?? 0n
}

async function funded(amount: bigint): Promise<Id<'internalAccount'>> {
  const id = newId('internalAccount')
  await run(newLane(), { to: id, amount })
  return id
}

describe('batches', () => {
  test('what arrives while a batch commits goes together in the next one', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => run(lane, { to: id, amount: 1n })),
    )
    assert.deepEqual(new Set(codes(answers)), new Set(['ok']))
    assert.ok(lane.batches() <= 3, `${lane.batches()} commits for 200 commands`)
    assert.equal(await balanceOf(id), 200n)
    const shown = answers.map((one) => one.ok && (one.reply.body as { balance: string }).balance)
    assert.deepEqual(
      shown,
      Array.from({ length: 200 }, (_, n) => String(n + 1)),
      'in order of arrival',
    )
  })

  test('a second batch begins beside another one only with as many commands', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const some = (length: number): Promise<Outcome>[] =>
      Array.from({ length }, () => run(lane, { to: id, amount: 1n }))
    const sent = some(10)
    for (let n = 0; n < 3; n += 1) {
      await nextTurn()
      sent.push(...some(3))
    }
    await Promise.all(sent)
    assert.equal(lane.batches(), 2)
    assert.equal(await balanceOf(id), 19n)
  })

  test('nobody waits for a batch that is replayed one by one', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const ended: string[] = []
    const send = async (name: string, mishap?: 'bug in load'): Promise<unknown> => {
      await run(lane, { to: id, amount: 1n, ...(mishap && { mishap }) })
      return ended.push(name)
    }
    const spoiled = Array.from({ length: 30 }, (_, n) =>
      send('replayed', n === 0 ? 'bug in load' : undefined),
    )
    await nextTurn()
    await Promise.all([...spoiled, send('other')])
    assert.ok(ended.indexOf('other') < 20, `${ended.indexOf('other')} came first`)
  })

  test('an answer leaves after the commit, so its reader sees the effect', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    for (let n = 1n; n <= 5n; n += 1n) {
      await run(lane, { to: id, amount: 1n })
      assert.equal(await balanceOf(id), n)
    }
  })

  test('a refused command leaves its neighbours alone', async () => {
    const id = await funded(10n)
    const lane = newLane()
    const outcomes = await Promise.all([
      run(lane, { from: id, amount: 6n }),
      run(lane, { from: id, amount: 6n }),
      run(lane, { from: id, amount: 1n, mishap: 'refused' }),
      run(lane, { from: id, amount: 4n }),
      run(lane, { from: id, amount: 1n }),
    ])
    assert.deepEqual(codes(outcomes), [
      'ok',
      'INSUFFICIENT_BALANCE',
      'CONFLICT',
      'ok',
      'INSUFFICIENT_BALANCE',
    ])
    assert.equal(lane.batches(), 1)
    assert.equal(await balanceOf(id), 0n)
  })

  for (const mishap of ['bug', 'bug in load', 'refused after posting'] as const) {
    test(`a batch that fails as a whole (${mishap}) is replayed one by one`, async () => {
      const id = await funded(10n)
      const lane = newLane()
      const outcomes = await Promise.all([
        run(lane, { from: id, amount: 3n }),
        run(lane, { from: id, amount: 3n, mishap }),
        run(lane, { from: id, amount: 3n }),
      ])
      assert.deepEqual(codes(outcomes), ['ok', 'InvariantError', 'ok'])
      assert.equal(await balanceOf(id), 4n, 'nothing of the failed one, all of the others')
    })
  }

  for (const code of ['ECONNRESET', 'EHOSTUNREACH', 'ERR_SSL_WRONG_VERSION_NUMBER']) {
    test(`CORE-44 a batch whose commit is not heard of (${code}) is not made again`, async () => {
      const id = await funded(10n)
      const lane = newLane()
      loseAnswerTo(/insert into ledger_journals/, Object.assign(new Error('gone'), { code }))
      const outcomes = await Promise.all([
        run(lane, { from: id, amount: 3n }),
        run(lane, { from: id, amount: 3n }),
      ])
      assert.deepEqual(codes(outcomes), ['DatabaseUnavailable', 'DatabaseUnavailable'])
      assert.equal(await balanceOf(id), 4n, 'it was committed, once')
    })
  }

  test('LEDG-2 LEDG-6 when a reaction fails, nothing of the batch remains', async () => {
    const id = await funded(5n)
    const reactions = {
      ...(await deps.reactions()),
      'balances.changed': [() => Promise.reject(new RangeError('reaction'))],
    }
    const lane = createLane({ deps: { ...deps, reactions: () => reactions } })
    const name = newUuid()
    const result = await run(lane, { from: id, amount: 2n }, keyed(name))
    assert.deepEqual(result, { ok: false, code: 'RangeError' })
    assert.equal(await balanceOf(id), 5n)
    const stored = await db.read.many(
      sql`select 1 from idempotency_keys where platform_id = ${platformId} and key = ${name}`,
    )
    assert.deepEqual(stored, [], 'so the caller may try again')
    assert.equal((await run(newLane(), { from: id, amount: 2n }, keyed(name))).ok, true)
  })

  test('CORE-92 every accepted command leaves an audit entry, a refused one none', async () => {
    const id = await funded(1n)
    const lane = newLane()
    const [one, two] = [caller(), caller()]
    await Promise.all([
      outcome(lane.submit({ kind: transfer, input: { from: id, amount: 1n } }, one)),
      outcome(lane.submit({ kind: transfer, input: { from: id, amount: 1n } }, two)),
    ])
    const rows = await db.read.many<{ requestId: string; action: string }>(
      sql`select request_id, action from audit_entries
          where platform_id = ${platformId} and request_id in (${one.requestId}, ${two.requestId})`,
    )
    assert.deepEqual(rows, [{ requestId: one.requestId, action: 'test' }])
  })

  test('a full queue answers 503 with Retry-After, what waits is still served', async () => {
    const lane = newLane({ queueMax: 3 })
    const id = newId('internalAccount')
    const submitted = Array.from({ length: 5 }, () =>
      lane.submit({ kind: transfer, input: { to: id, amount: 1n } }, caller()),
    )
    const settled = await Promise.allSettled(submitted)
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    assert.equal(refused.length, 2)
    for (const error of refused) {
      assert.equal(error.code, 'SERVICE_UNAVAILABLE')
      assert.equal(error.headers['Retry-After'], '1')
    }
    assert.equal(await balanceOf(id), 3n)
  })

  test('idle resolves when nothing waits and nothing is under way', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    await lane.idle()
    const answers = Promise.all(Array.from({ length: 20 }, () => run(lane, { to: id, amount: 1n })))
    await lane.idle()
    assert.equal(await balanceOf(id), 20n)
    await answers
  })
})

describe('CORE-41 CORE-42 idempotency keys', () => {
  test('twice in one batch: one effect, the other is told that the key is in use', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const name = newUuid()
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => run(lane, { to: id, amount: 1n }, keyed(name))),
    )
    assert.deepEqual(codes(outcomes), ['ok', ...Array(3).fill('IDEMPOTENCY_KEY_IN_USE')])
    assert.equal(await balanceOf(id), 1n)
  })

  test('twice in one batch after it was answered: both get the stored answer', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const name = newUuid()
    const first = await run(lane, { to: id, amount: 1n }, keyed(name))
    const again = await Promise.all(
      [1, 2].map(() => run(lane, { to: id, amount: 1n }, keyed(name))),
    )
    for (const one of again) {
      assert.ok(one.ok && first.ok)
      assert.deepEqual(one.reply.body, first.reply.body)
      assert.equal(one.reply.headers?.['Idempotent-Replayed'], 'true')
    }
    assert.equal(await balanceOf(id), 1n)
  })

  test('another request under the key is refused, with a valid neighbour in the batch', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const name = newUuid()
    await run(lane, { to: id, amount: 1n }, keyed(name))
    const outcomes = await Promise.all([
      run(lane, { to: id, amount: 2n }, keyed(name, 'different')),
      run(lane, { to: id, amount: 4n }, keyed(newUuid())),
    ])
    assert.deepEqual(codes(outcomes), ['IDEMPOTENCY_KEY_REUSED', 'ok'])
    assert.equal(await balanceOf(id), 5n)
  })

  test('an expired key can be used again, once', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const name = newUuid()
    const start = new Date()
    const later = new Date(start.getTime() + DAY_MS)
    await run(lane, { to: id, amount: 1n }, keyed(name), start)
    const outcomes = await Promise.all(
      [name, name, newUuid()].map((one) => run(lane, { to: id, amount: 1n }, keyed(one), later)),
    )
    assert.deepEqual(codes(outcomes), ['ok', 'IDEMPOTENCY_KEY_IN_USE', 'ok'])
    assert.equal(await balanceOf(id), 3n)
    const again = await run(lane, { to: id, amount: 1n }, keyed(name), later)
    assert.ok(again.ok && outcomes[0]?.ok)
    assert.deepEqual(again.reply.body, outcomes[0].reply.body)
  })

  test('a refusal is stored too, what may simply be repeated is not', async () => {
    const lane = newLane()
    const id = newId('internalAccount')
    const [poor, busy] = [newUuid(), newUuid()]
    const short = await run(lane, { from: id, amount: 1n }, keyed(poor))
    assert.deepEqual(short, { ok: false, code: 'INSUFFICIENT_BALANCE' })
    await run(lane, { to: id, amount: 1n })
    const again = await run(lane, { from: id, amount: 1n }, keyed(poor))
    assert.ok(again.ok)
    assert.equal(again.reply.status, 400, 'the answer of the first time')
    await run(lane, { from: id, amount: 1n, mishap: 'bug' }, keyed(busy))
    assert.equal((await run(lane, { from: id, amount: 1n }, keyed(busy))).ok, true)
  })
})

describe('two processes on one database', () => {
  test('CORE-44 one key, many at once on both: one effect', async () => {
    const neighbour = await createFlorin({
      settings: {
        ...deps.settings,
        databaseUrl: kit.databaseUrl,
        masterKey: deps.settings.masterKey ?? '',
      },
      log: deps.log,
    })
    try {
      const lanes = [newLane(), createLane({ deps: neighbour.deps })]
      for (let round = 0; round < 5; round += 1) {
        const id = newId('internalAccount')
        const name = newUuid()
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            run(lanes[n % 2] as Lane, { to: id, amount: 1n }, keyed(name)),
          ),
        )
        assert.equal(await balanceOf(id), 1n)
        for (const one of outcomes) {
          if (!one.ok) assert.equal(one.code, 'IDEMPOTENCY_KEY_IN_USE')
        }
      }
    } finally {
      await neighbour.stop()
    }
  })

  test('LEDG-3 LEDG-4 two lanes on one hot account never overdraw it, and every cent is accounted for', async () => {
    const hot = await funded(100n)
    const lanes = [newLane(), newLane()]
    const before = db.retries()
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) => run(lanes[n % 2] as Lane, { from: hot, amount: 3n })),
    )
    const taken = codes(outcomes).filter((code) => code === 'ok').length
    assert.equal(taken, 33)
    assert.deepEqual(new Set(codes(outcomes)), new Set(['ok', 'INSUFFICIENT_BALANCE']))
    assert.equal(await balanceOf(hot), 1n)
    assert.equal(db.retries(), before, 'no transaction was retried')
  })
})

test('random commands over two lanes: what was answered is what happened', async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => funded(50n)))
  const commands = fc.array(
    fc.record({
      lane: fc.integer({ min: 0, max: 1 }),
      from: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
      to: fc.integer({ min: 0, max: 2 }),
      amount: fc.bigInt({ min: 1n, max: 60n }),
      mishap: fc.constantFrom(undefined, undefined, undefined, 'refused', 'bug'),
    }),
    { minLength: 1, maxLength: 30 },
  )
  const lanes = [newLane(), newLane()]
  await fc.assert(
    fc.asyncProperty(commands, async (drawn) => {
      const before = await Promise.all(accounts.map(balanceOf))
      const valid = drawn.filter(({ from, to }) => from !== to)
      const outcomes = await Promise.all(
        valid.map(({ lane, from, to, amount, mishap }) =>
          run(lanes[lane] as Lane, {
            ...(from !== undefined && { from: accounts[from] as Id<'internalAccount'> }),
            to: accounts[to] as Id<'internalAccount'>,
            amount,
            ...(mishap && { mishap: mishap as 'refused' | 'bug' }),
          }),
        ),
      )
      const expected = [...before]
      outcomes.forEach((one, index) => {
        const step = valid[index]
        if (!one.ok || !step) return
        expected[step.to] = (expected[step.to] ?? 0n) + step.amount
        if (step.from !== undefined) expected[step.from] = (expected[step.from] ?? 0n) - step.amount
      })
      const after = await Promise.all(accounts.map(balanceOf))
      assert.deepEqual(after, expected)
      assert.ok(after.every((amount) => amount >= 0n))
    }),
    { numRuns: 15 },
  )
})
