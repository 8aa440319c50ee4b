import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../../src/infra/db/migrate.ts'
import { emptyDatabase } from '../kit/database/database.ts'

const database = await emptyDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const OWN = 87
const PLATFORM = '00000000-0000-7000-8000-000000000001'
const CUSTOMER = '00000000-0000-7000-8000-000000000002'
const CREATED = '2026-01-01T00:00:00.000Z'
const CHANGED = '2026-01-02T00:00:00.000Z'
const LATER = '2026-01-03T00:00:00.000Z'

/** As a process does that was built before the migration. */
const insertCurrency = (currency: string) =>
  client.query(
    `insert into customer_currencies (platform_id, currency, customer_type, is_deleted, created_at, customer_id)
     values ($1, $2, 'INDIVIDUAL', false, $3, $4)`,
    [PLATFORM, currency, CREATED, CUSTOMER],
  )

async function timesOfChange(): Promise<Record<string, string>> {
  const { rows } = await client.query<{ currency: string; updated_at: Date }>(
    'select currency, updated_at from customer_currencies order by currency',
  )
  return Object.fromEntries(rows.map((row) => [row.currency, row.updated_at.toISOString()]))
}

test('CORE-81 CUST-41 lists know when customers were changed, also by processes of an older release', async () => {
  const migrations = await readMigrations()
  for (const { version, text } of migrations) if (version < OWN) await client.query(text)
  await client.query(
    `insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, currencies,
       currencies_explicit, status, profile, is_deleted, created_at, updated_at)
     values ($1, $2, 'INDIVIDUAL', 'p1', '$p1@example.com', '{USD,EUR}', true, 'APPROVED', '{}', false, $3, $4)`,
    [PLATFORM, CUSTOMER, CREATED, CHANGED],
  )
  await insertCurrency('USD')
  for (const { version, text } of migrations) if (version === OWN) await client.query(text)
  assert.deepEqual(await timesOfChange(), { USD: CHANGED }, 'of those that were there')
  await insertCurrency('EUR')
  assert.deepEqual(await timesOfChange(), { EUR: CHANGED, USD: CHANGED }, 'of a new currency')
  await client.query('update customers set updated_at = $1', [LATER])
  assert.deepEqual(await timesOfChange(), { EUR: LATER, USD: LATER }, 'of a later change')
})
