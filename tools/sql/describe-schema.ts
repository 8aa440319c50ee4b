import pg from 'pg'

/**
 * The migrated schema as one readable text, the same on every PostgreSQL version: sequences, tables with
 * their columns, constraints and indexes, and views. Kept as server/migrations/schema.sql, so that a reviewer sees what a migration does.
 */
export async function describeSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const tables = await client.query<{ name: string; unlogged: boolean }>(
      `select relname as name, relpersistence = 'u' as unlogged from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    )
    const parts = await textsOf(client, SEQUENCES)
    for (const table of tables.rows) parts.push(await describeTable(client, table))
    parts.push(...(await textsOf(client, VIEWS)))
    return `-- Generated from the migrations by \`npm run generate\`; do not edit.\n\n${parts.join('\n')}`
  } finally {
    await client.end()
  }
}

async function describeTable(
  client: pg.Client,
  { name, unlogged }: { name: string; unlogged: boolean },
): Promise<string> {
  const columns = await textsOf(client, COLUMNS, name)
  const constraints = await textsOf(client, CONSTRAINTS, name)
  const indexes = await textsOf(client, INDEXES, name)
  const lines = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n')
  const create = `create ${unlogged ? 'unlogged ' : ''}table ${name} (\n${lines}\n);\n`
  return `${create}${indexes.map((index) => `${index};\n`).join('')}`
}

async function textsOf(client: pg.Client, query: string, table?: string): Promise<string[]> {
  const about = table === undefined ? [] : [`public.${table}`]
  const { rows } = await client.query<{ text: string }>(query, about)
  return rows.map(({ text }) => text)
}

/** Those that no column owns. */
const SEQUENCES = `
  select format(E'create sequence %I;\\n', relname) as text
  from pg_class c where relkind = 'S' and relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')) order by relname`

/** Their columns alone: versions of PostgreSQL print definitions in different words. */
const VIEWS = `
  select format(E'-- view %s (%s)\n', c.relname, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', '
    order by a.attnum)) as text
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
  where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace group by c.relname order by c.relname`

const COLUMNS = `
  select attname || ' ' || format_type(atttypid, atttypmod)
    || case when attidentity <> '' then ' generated always as identity' else '' end
    || case when attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`

const CONSTRAINTS = `
  select 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) as text
  from pg_constraint where conrelid = $1::regclass and contype <> 'n' order by contype = 'p' desc, conname`

const INDEXES = `
  select pg_get_indexdef(i.indexrelid) as text
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid = $1::regclass
    and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid) order by c.relname`
