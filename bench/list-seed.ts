import pg from 'pg'
import type { Served } from './service/checkout.ts'

export const ROWS = 1_000_000
const BATCH = 250_000

/** Rows of a million, newest last. `$2` and `$3` are the first and the last number of a batch, `$4` and `$5` the period. */
const TRANSACTIONS = `
  insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, source_identifier,
    destination, destination_identifier, sent_amount, sent_currency, received_amount, received_currency, fees,
    exchange_rate, settled_at, created_at, updated_at)
  select $1, uuidv7(at - clock_timestamp()), case when n % 5 = 0 then 'INCOMING' else 'OUTGOING' end,
    case when n % 7 = 0 then 'PENDING' else 'COMPLETED' end, md5('customer' || n % 1000)::uuid, 'bench-' || n % 1000,
    source, source->>'accountId', destination, destination->>'accountId', 100, 'USD', 91, 'EUR', 1, 1.08,
    case when n % 7 > 0 then at end, at, at
  from generate_series($2::integer, $3::integer) n,
    lateral (select $4::timestamptz + n * $5::float8 * interval '1 second' as at,
      jsonb_build_object('sourceType', 'ACCOUNT', 'accountId', 'InternalAccount:' || md5('a' || n % 1000)::uuid,
        'currency', 'USD') as source,
      jsonb_build_object('destinationType', 'ACCOUNT', 'accountId', 'ExternalAccount:' || md5('b' || n % 1000)::uuid,
        'currency', 'EUR') as destination) as given`

/** 51,200 names of people, so that each is had by about twenty. */
const NAME = `(array['Ada','Ben','Carla','David','Elena','Farid','Grace','Hugo','Ines','Jonas','Katharina','Liam','Maria',
    'Nadia','Oscar','Priya','Quentin','Rosa','Samuel','Tara','Umberto','Vera','Walter','Ximena','Yusuf','Zoe','Michael',
    'Jennifer','Mohammed','Wei','Sofia','Andrei'])[1 + n % 32] || ' ' || initcap(
      (array['bran','car','dal','ester','fair','gold','har','iver','kel','lin','mar','nor','oak','pem','quin','ros','sand',
      'thorn','under','van','whit','york','zell','ash','black','craw','dun','ever','fitz','green','hal','jack','kings','love',
      'mid','new','old','port','rich','smith'])[1 + (n / 32) % 40] ||
      (array['berg','castle','dale','ellis','ford','gate','hurst','ing','jensen','kins','lace','man','ner','overton','pool',
      'quist','ridge','son','ton','ulm','vale','wood','worth','by','combe','den','field','grove','ham','ley','mont','nell',
      'burn','stein','tree','wall','mann','ovic','sen','rick'])[1 + (n / 1280) % 40])`

const CUSTOMERS = `
  with made as (
    insert into customers (platform_id, id, customer_type, platform_customer_id, uma_address, region, currencies,
      currencies_explicit, status, profile, is_deleted, created_at, updated_at)
    select $1, uuidv7(at - clock_timestamp()), case when n % 10 = 0 then 'BUSINESS' else 'INDIVIDUAL' end, 'list-' || n,
      '$list-' || n || '@bench', (array['US', 'DE', 'MX', 'BR'])[1 + n % 4],
      case when n % 3 = 0 then '{USD,EUR}'::text[] else '{USD}' end, true, 'APPROVED',
      jsonb_build_object('fullName', ${NAME}), n % 50 = 0, at, at + interval '1 hour'
    from generate_series($2::integer, $3::integer) n,
      lateral (select $4::timestamptz + n * $5::float8 * interval '1 second' as at) as given
    returning *
  )
  insert into customer_currencies (platform_id, currency, customer_type, is_deleted, created_at, customer_id, region,
    updated_at)
  select platform_id, currency, customer_type, is_deleted, created_at, id, region, updated_at
  from made, unnest(currencies) as currency`

const INDEXES = `
  select i.indexname as name, i.indexdef as definition from pg_indexes i
  left join pg_constraint c on c.conname = i.indexname
  where i.tablename = any($1) and c.oid is null`

/** When the rows are created: the first, and how far apart. */
type Period = Readonly<{ begin: string; stepSeconds: number }>
const YEAR: Period = { begin: '2025-01-01', stepSeconds: 31 }

/** A million transactions and a million customers. Indexes are made when the rows are there, as a restore does. */
export async function seedLists(
  { databaseUrl, credentials }: Pick<Served, 'databaseUrl' | 'credentials'>,
  { begin, stepSeconds }: Period = YEAR,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '512MB'; set max_parallel_workers = 0`,
  )
  const tables = ['transactions', 'customers', 'customer_currencies']
  const indexes = await client.query<{ name: string; definition: string }>(INDEXES, [tables])
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  const platformId = credentials.platformId.slice('Platform:'.length)
  for (const statement of [TRANSACTIONS, CUSTOMERS]) {
    for (let first = 1; first <= ROWS; first += BATCH) {
      await client.query(statement, [platformId, first, first + BATCH - 1, begin, stepSeconds])
    }
  }
  for (const { definition } of indexes.rows) await client.query(definition)
  for (const table of tables) await client.query(`vacuum analyze ${table}`)
  await client.end()
}
