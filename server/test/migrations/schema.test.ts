import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { describeSchema } from '../../../tools/sql/describe-schema.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { cloneDatabase, keyring } from '../kit/database/database.ts'
import { silentLog } from '../kit/processes/silent-log.ts'

const SNAPSHOT = new URL('../../migrations/schema.sql', import.meta.url)

/** The tables that hold no platform's data, and whose they are. */
const NOBODYS: Readonly<Record<string, string>> = {
  providers: 'the operator: who answers for the ports, for all platforms',
  provider_messages: 'the providers: what they sent already',
  provider_health: 'the providers: whether they answer',
  provider_calls: 'the providers: how they answered lately',
  screening_lists: 'the providers: the version of their lists',
  platforms: 'the tenants themselves',
  schema_migrations: 'the database: what was done to it',
  rate_buckets: 'the processes: who may call how often, addresses without a platform among them',
  uma_providers: 'the operator: the directory that all platforms see',
  end_user_terms: 'the operator: one set of terms for all',
  market_prices: 'the operator: the prices of production',
  network_fees: 'the operator: what networks cost in production',
  provider_prices: 'the providers: the prices that they state',
  provider_network_fees: 'the providers: what networks cost as they state it',
  audit_sink_lease: 'the processes: which of them sends to the audit sink',
  known_settings: 'the installation: what its settings were at the last start',
  key_checks: 'the installation: proofs of its master keys',
  dashboard_links: 'the operator: addresses that sign in to the dashboard',
  dashboard_sessions: 'the operator: who is signed in to the dashboard',
  oidc_sign_ins: 'the operator: sign-ins that are under way at their issuer',
  operators: 'the operator: who runs the service',
  operator_tokens: 'the operator: by what programs act for them',
  saved_filters: 'the operator: lists as each keeps them for themselves',
  operator_volumes: 'the operator: what each moved without a second one',
  wallet_signers: 'the installation: the keys that vouch for its wallets',
}

const database = await cloneDatabase()
const db = openDatabase({ url: database.url, poolSize: 2, log: silentLog, keyring })
after(async () => {
  await db.close()
  await database.drop()
})

test('CORE-81 schema.sql shows what the migrations make', async () => {
  assert.equal(
    await describeSchema(database.url),
    await readFile(SNAPSHOT, 'utf8'),
    'run npm run generate',
  )
})

type Table = Readonly<{ name: string; hasPlatform: boolean; key: string[] }>

const readTables = (): Promise<Table[]> =>
  db.read.many<Table>(
    sql`select c.relname as name,
          exists (select from pg_attribute a
                  where a.attrelid = c.oid and a.attname = 'platform_id' and a.attnotnull) as has_platform,
          array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality as k (attnum, place)
                join pg_attribute a on a.attnum = k.attnum
                where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.place) as key
        from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
  )

test('CORE-23 every table of platform data is keyed by its platform first', async () => {
  const tables = await readTables()
  assert.ok(tables.length > 10, 'the tables are found')
  const wrong = tables
    .filter(({ name }) => !(name in NOBODYS))
    .filter(({ hasPlatform, key }) => !hasPlatform || key[0] !== 'platform_id')
  assert.deepEqual(wrong, [])
})

test('CORE-23 a table that is excepted exists and holds no platform', async () => {
  const byName = new Map((await readTables()).map((table) => [table.name, table]))
  for (const name of Object.keys(NOBODYS)) assert.equal(byName.get(name)?.hasPlatform, false, name)
})
