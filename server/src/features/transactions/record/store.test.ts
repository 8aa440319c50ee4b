import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { rowsReadBy } from '../../../../test/kit/database/rows-read.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { mustParseId, newId } from '../../../kernel/ids.ts'
import { listTransactionsOfAll, type TransactionFilters } from './store.ts'

const kit = await startOwnKit()
const { read } = kit.florin.deps.db
const platforms = await Promise.all([kit.platform(), kit.platform(), kit.platform()])
const platformIds = platforms.map(({ platformId }) => mustParseId('platform', platformId))

const EACH = 5_000
const START = new Date('2026-01-01T00:00:00.000Z')
const customerId = newId('customer')

/** Transaction n of each platform is made in second n; every thousandth failed, every hundredth is the customer's. */
for (const platformId of platformIds) {
  await read.run(
    sql`insert into transactions (platform_id, id, type, status, failure_reason, customer_id, source, destination,
          sent_amount, sent_currency, created_at, updated_at)
        select ${platformId}, gen_random_uuid(), 'OUTGOING',
          case when n % 1000 = 0 then 'FAILED' else 'COMPLETED' end,
          case when n % 1000 = 0 then 'QUOTE_EXECUTION_FAILED' end,
          case when n % 100 = 0 then ${customerId}::uuid end, '{}', '{}', 100, 'USD',
          ${START}::timestamptz + n * interval '1 second', ${START}
        from generate_series(1, ${EACH}) n`,
  )
}
await read.run(sql`analyze transactions`)

const LIMIT = 20
const CASES: readonly (readonly [name: string, filters: TransactionFilters])[] = [
  ['no filter', {}],
  ['a rare status', { status: 'FAILED' }],
  ['the usual status', { status: 'COMPLETED' }],
  ['a type', { type: 'OUTGOING' }],
  ['a type that none has', { type: 'CARD' }],
  ['a customer', { customerId }],
]

for (const [name, filters] of CASES) {
  test(`CORE-52 a page over all platforms reads little more than it shows, wherever it lies: ${name}`, async () => {
    for (const second of [EACH + 1, EACH / 2]) {
      const createdAt = new Date(START.getTime() + second * 1000).toISOString()
      const after = { createdAt, id: '00000000-0000-7000-8000-000000000000' }
      const list = (tx: Tx) => listTransactionsOfAll(tx, null, { filters, after, fetch: LIMIT })
      const rows = await list(read)
      const times = rows.map(({ transaction }) => transaction.createdAt.getTime())
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
      )
      const cost = await rowsReadBy(read, list)
      assert.ok(cost <= (platformIds.length + 2) * LIMIT, `${cost} rows read from second ${second}`)
    }
  })
}

test('CORE-52 a page over all platforms has the newest of each', async () => {
  const page = { filters: {}, after: undefined, fetch: 6 }
  const rows = await listTransactionsOfAll(read, null, page)
  const found = new Set(rows.map(({ platformId }) => platformId))
  assert.deepEqual([...found].toSorted(), platformIds.toSorted())
  const only = platformIds.slice(0, 1)
  const narrowed = await listTransactionsOfAll(read, only, page)
  assert.ok(narrowed.length === 6 && narrowed.every(({ platformId }) => only.includes(platformId)))
})
