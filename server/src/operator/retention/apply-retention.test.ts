import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { createCustomer } from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { createKycLink } from '../../../test/kit/onboarding/kyc-links.ts'
import { operate } from '../../../test/kit/operator.ts'
import { newScaCustomer, startSmsLogin } from '../../../test/kit/sca/sca.ts'
import { MATCH, screeningProvider } from '../../../test/kit/setups/screening-provider.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Deps } from '../../infra/deps.ts'
import { addMs, DAY_MS } from '../../kernel/clock.ts'
import { applyRetention } from './apply-retention.ts'
import { startRetention } from './jobs.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { db } = deps

const inDays = (days: number, changes: Partial<Deps> = {}): Deps => ({
  ...deps,
  clock: { now: () => addMs(new Date(), days * DAY_MS) },
  ...changes,
})

/** What the entries of the last run say, by kind. */
async function countsOf(): Promise<Record<string, number>> {
  type Entry = Readonly<{ action: string; note: string; actor: string }>
  const entries = await operate<Entry[]>(kit, 'audit list --action retention --limit 7')
  assert.deepEqual(new Set(entries.map(({ actor }) => actor)), new Set(['system:retention']))
  const counts = entries.map(({ action, note }) => [action.replace('retention ', ''), Number(note)])
  assert.equal(new Set(counts.map(([kind]) => kind)).size, 7, 'one entry per kind')
  return Object.fromEntries(counts.filter(([, count]) => count !== 0)) as Record<string, number>
}

async function runIn(days: number, changes: Partial<Deps> = {}): Promise<Record<string, number>> {
  await applyRetention(inDays(days, changes))
  return countsOf()
}

test('OPER-70 every kind goes when its time is over, and each run says how many', async () => {
  const platform = await kit.platform({ currencies: ['USD', 'EUR'] })
  const { api } = platform
  const screener = await screeningProvider(kit, platform)
  const card = await newCard(platform, { fullName: 'Cornelius Cardigan', funds: 0 })
  expectStatus(await api.patch(`/cards/${card.card.id}`, { state: 'CLOSED' }), 200)
  await createKycLink(kit, platform, await createCustomer(platform))
  const sca = await newScaCustomer(platform, { fullName: 'Factorina Quince' })
  await startSmsLogin(sca)
  for (const id of [card.customerId, sca.customerId]) await screener.decide(id, 'CLEAR', [MATCH])
  const note = `customers legal-hold ${sca.customerId} on`
  await operate(kit, note, '--note', 'why')
  expectStatus(await api.delete(`/customers/${card.customerId}`), 200)

  assert.deepEqual(await runIn(29), {})
  assert.deepEqual(await runIn(32), { links: 1, 'card numbers': 1 })
  assert.deepEqual(await runIn(399), {})
  const orders = await db.read.many(
    sql`select state, reference, own_reference from provider_orders order by id`,
  )
  assert.deepEqual(await runIn(402), { orders: 4, challenges: 1 })
  assert.deepEqual(
    await db.read.many(
      sql`select state, reference, own_reference from provider_orders order by id`,
    ),
    orders,
    'states and references stay',
  )
  assert.deepEqual(
    await db.read.many(sql`select from provider_orders where body is not null
      union all select from order_reports where content is not null`),
    [],
  )
  assert.deepEqual(await runIn(402), {}, 'what is gone is not counted again')
  const [late] = await operate<{ note?: string }[]>(kit, `audit list --resource ${sca.customerId}`)
  assert.equal(late?.note, 'on: why')
  const counts = await runIn(365 * 10 + 4)
  assert.ok((counts['audit notes'] ?? 0) >= 1)
  const [gone] = await operate<{ note?: string }[]>(kit, `audit list --resource ${sca.customerId}`)
  assert.equal(gone?.note, undefined, 'the entry stays without its note')
})

test('OPER-70 a transaction takes at most 1,000 rows', async () => {
  const digests = Array.from({ length: 2_500 }, () => randomBytes(32))
  await db.read.run(
    sql`insert into dashboard_sessions (digest, name, seen_at, expires_at)
        select digest, 'anna', now(), now() from unnest(${digests}::bytea[]) digest`,
  )
  const left: number[] = []
  const watched: Deps['db'] = {
    ...db,
    async transaction(body, options) {
      const result = await db.transaction(body, options)
      const { count } = await db.read.one<{ count: number }>(
        sql`select count(*)::integer as count from dashboard_sessions`,
      )
      if (count !== left.at(-1)) left.push(count)
      return result
    },
  }
  const counts = await runIn(31, { db: watched })
  assert.equal(counts['sessions'], 2_500)
  assert.deepEqual(left, [2_500, 1_500, 500, 0])
})

test('OPER-70 customers are only counted as erasable, unless RETENTION_ERASE is automatic', async () => {
  const platform = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD'] })
  const customers = [
    await createCustomer(platform, { fullName: 'Erasable' }),
    await createCustomer(platform, { fullName: 'Held' }),
  ]
  const [erasable, held] = customers
  for (const { id } of customers) expectStatus(await platform.api.delete(`/customers/${id}`), 200)
  await operate(kit, `customers legal-hold ${held?.id} on`, '--note', 'x')
  const days = 365 * 5 + 3
  const counted = (await runIn(days))['customers'] ?? 0
  assert.ok(counted >= 1)
  expectStatus(await platform.api.get(`/customers/${erasable?.id}`), 200)
  const settings = { ...deps.settings, retentionErase: 'automatic' as const }
  assert.equal((await runIn(days, { settings }))['customers'], counted)
  expectError(await platform.api.get(`/customers/${erasable?.id}`), 404, 'USER_NOT_FOUND')
  expectStatus(await platform.api.get(`/customers/${held?.id}`), 200)
  assert.equal((await runIn(days))['customers'], undefined)
})

test('OPER-70 the job runs at the start and every day after it, once', async () => {
  const waiting = () =>
    db.read.many<{ dueAt: Date }>(
      sql`select due_at from jobs where name = 'retention.apply' and state = 'WAITING'`,
    )
  const runs = async () =>
    (await operate<unknown[]>(kit, 'audit list --action retention --limit 1000')).length
  const before = await runs()
  await Promise.all([startRetention(deps), startRetention(deps)])
  await eventually(async () => {
    assert.equal(await runs(), before + 7)
    const [next, ...more] = await waiting()
    assert.deepEqual(more, [])
    assert.ok(next && next.dueAt.getTime() > Date.now() + DAY_MS / 2)
  })
  await startRetention(deps)
  assert.equal((await waiting()).length, 1)
})
