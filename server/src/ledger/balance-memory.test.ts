import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../test/kit/florin.ts'
import { watchRoundTrips } from '../../test/kit/round-trips.ts'
import { sql } from '../infra/db/sql.ts'
import { reply } from '../infra/http/reply.ts'
import { findPlatform } from '../infra/platforms.ts'
import { ApiError } from '../kernel/errors.ts'
import { mustParseId, newUuid } from '../kernel/ids.ts'
import { invariant } from '../kernel/invariant.ts'
import { createBalanceMemory } from './balance-memory.ts'
import { command, createLane, type Lane, type LaneKind } from './lane.ts'
import { failShort } from './post.ts'

const kit = await startKit()
const { deps } = kit.florin
const platformId = mustParseId('platform', (await kit.platform()).platformId)
const platform = await findPlatform(deps.db.read, platformId)
invariant(platform, 'the platform is there')

const CURRENCY = 'TST'

type Change = Readonly<{ account: string; amount: bigint }>

/** An amount comes from the world to an account, or goes there. */
const change: LaneKind<Change, undefined, undefined> = {
  name: 'test.change',
  load: async (_tx, inputs) => inputs.map(() => undefined),
  keys: (_caller, { account }) => [{ platformId, account, currency: CURRENCY }],
  decide({ now }, { account, amount }, _loaded, book) {
    const postings = [
      { account, currency: CURRENCY, amount },
      { account: 'WORLD:test', currency: CURRENCY, amount: -amount },
    ]
    const journal = { type: 'test', reference: newUuid(), postings }
    const short = book.apply(platformId, now, [journal])
    if (short) failShort(short)
    return { reply: reply(200, {}), row: undefined }
  },
  save: () => undefined,
}

/** What became of it: ok, or the code of the refusal. */
async function submit(lane: Lane, account: string, amount: bigint): Promise<string> {
  const caller = { actor: { kind: 'system', name: 'test' }, action: 'test' } as const
  const at = { platform: platform as NonNullable<typeof platform>, now: new Date() }
  try {
    await lane.submit(command(change, { account, amount }), {
      ...caller,
      ...at,
      requestId: newUuid(),
    })
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

const newAccount = (): string => `SUSPENSE:test-${newUuid()}`
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
  assert.equal(trip[0], 'begin')
  assert.match(trip[1] ?? '', GUARD)
  assert.equal(trip.at(-1), 'commit')
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

test('what a running batch holds is known to nobody else, and to nobody after two held it at once', () => {
  const memory = createBalanceMemory()
  const key = { platformId, account: newAccount(), currency: CURRENCY }
  const row = { ...key, amount: 5n }
  memory.lease([key]).end([row])
  const first = memory.lease([key])
  assert.deepEqual(first.rows, [row])
  const second = memory.lease([key])
  assert.equal(second.rows, undefined)
  first.end([row])
  assert.equal(memory.lease([key]).rows, undefined, 'the second is still under way')
})

test('a commit that failed leaves nothing to rely on', () => {
  const memory = createBalanceMemory()
  const key = { platformId, account: newAccount(), currency: CURRENCY }
  memory.lease([key]).end([{ ...key, amount: 5n }])
  memory.lease([key]).end()
  assert.equal(memory.lease([key]).rows, undefined)
})
