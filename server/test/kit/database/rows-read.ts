/** What a question costs: the rows that its plan looked at. */
import type { Sql } from '../../../src/infra/db/statement/sql.ts'
import type { Tx } from '../../../src/infra/db/tx.ts'

type Plan = Readonly<{
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: readonly Plan[]
}>

const SCANS = new Set(['Index Scan', 'Index Only Scan', 'Seq Scan', 'Bitmap Heap Scan'])

/** Rows that the plan looked at in tables and indexes, shown or not. */
function rowsRead(plan: Plan): number {
  const own = SCANS.has(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0
  return own + (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)
}

const explained = ({ parts, values }: Sql): Sql => ({
  parts: [`explain (analyze, format json) ${parts[0]}`, ...parts.slice(1)],
  values,
})

/** Runs questions of many rows, and statements that answer none, on `read` as `explain analyze`; the caller gets no rows. */
export async function rowsReadBy(read: Tx, run: (tx: Tx) => Promise<unknown>): Promise<number> {
  let rows = 0
  const explain = async (query: Sql): Promise<void> => {
    const [found] = await read.many<{ 'QUERY PLAN': { Plan: Plan }[] }>(explained(query))
    rows += (found?.['QUERY PLAN'] ?? []).reduce((sum, { Plan }) => sum + rowsRead(Plan), 0)
  }
  const tx: Tx = {
    ...read,
    async many<R>(query: Sql) {
      await explain(query)
      return [] as R[]
    },
    async run(query) {
      await explain(query)
      return 0
    },
  }
  await run(tx)
  return rows
}
