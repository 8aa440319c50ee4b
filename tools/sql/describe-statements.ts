import pg from 'pg'
import type { FieldDef, Submittable } from 'pg'
import { serialize } from 'pg-protocol'
import { camel } from '../../server/src/infra/db/statement/rows.ts'

/** A column that a statement answers with. */
export type Column = Readonly<{
  name: string
  /** As PostgreSQL calls it: `text`, `_int8` for an array. */
  type: string
  /** Undefined where it is no column of a table but an expression. */
  source: Readonly<{ table: string; column: string; isNullable: boolean }> | undefined
}>

export type Description = Readonly<{ columns: readonly Column[] }> | Readonly<{ error: string }>

/** Prepares each statement, as the service would, and tells its columns; none of them is run. */
export async function describeStatements(
  url: string,
  texts: Iterable<string>,
): Promise<Map<string, Description>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const types = await readTypes(client)
    const sources = await readSources(client)
    const toColumn = ({ name, dataTypeID, tableID, columnID }: FieldDef): Column => ({
      name: camel(name),
      type: types.get(dataTypeID) ?? 'unknown',
      source: sources.get(`${tableID}.${columnID}`),
    })
    const described = new Map<string, Description>()
    for (const text of texts) {
      const answer = await prepare(client, text)
      const isRefused = answer instanceof Error
      described.set(text, isRefused ? { error: answer.message } : { columns: answer.map(toColumn) })
    }
    return described
  } finally {
    await client.end()
  }
}

/** The driver lets a query write its own messages (infra/db/connection/exchange.ts does so too). */
function prepare(client: pg.Client, text: string): Promise<FieldDef[] | Error> {
  return new Promise((resolve) => {
    let columns: FieldDef[] = []
    const query = {
      submit(connection: { stream: NodeJS.WritableStream }) {
        const messages = [serialize.parse({ text }), serialize.describe({ type: 'S', name: '' })]
        connection.stream.write(Buffer.concat([...messages, serialize.sync()]))
      },
      handleRowDescription({ fields }: { fields: FieldDef[] }) {
        columns = fields
      },
      handleError: resolve,
      handleReadyForQuery: () => resolve(columns),
    }
    client.query(query as unknown as Submittable)
  })
}

async function readTypes(client: pg.Client): Promise<Map<number, string>> {
  const { rows } = await client.query<{ oid: number; typname: string }>(
    'select oid, typname from pg_type',
  )
  return new Map(rows.map(({ oid, typname }) => [oid, typname]))
}

/** A column of a view is taken for null where the column of this name is, in a table that it reads. */
async function readSources(client: pg.Client): Promise<Map<string, NonNullable<Column['source']>>> {
  const { rows } = await client.query<{
    place: string
    table: string
    column: string
    isNullable: boolean
  }>(
    `select format('%s.%s', a.attrelid, a.attnum) as place, c.relname as "table", a.attname as "column",
       case c.relkind when 'r' then not a.attnotnull else exists (
         select from information_schema.view_table_usage u join pg_class k on k.relname = u.table_name
           join pg_attribute t on t.attrelid = k.oid
         where u.view_name = c.relname and t.attname = a.attname and not t.attnotnull) end as "isNullable"
     from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attnum > 0 and c.relkind in ('r', 'v')`,
  )
  return new Map(rows.map(({ place, ...source }) => [place, source]))
}
