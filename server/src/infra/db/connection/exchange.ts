import pg from 'pg'
import { serialize } from 'pg-protocol'
import type { FieldDef, PoolClient, Submittable } from 'pg'
import { readRow, toColumns, type Columns } from '../statement/rows.ts'
import type { Statement } from '../statement/sql.ts'
import { expectAnswer } from './silence.ts'
import { toFailure } from './unavailable.ts'

export type Answer = Readonly<{ rows: readonly unknown[]; count: number; command: string }>

/** A statement on its way to the server, and who waits for it. */
export type Asked = Readonly<{
  statement: Statement
  /** Called as soon as it has run, when nothing of the exchange is final yet. */
  ran?: (() => void) | undefined
  answered?: (answer: Answer) => void
  failed?: (error: Error) => void
}>

/** The driver lets a query of one's own write its messages itself and hands it the answers; its types do not tell. */
type Connection = Readonly<{ stream: NodeJS.WritableStream }>
type Handlers = Readonly<{
  submit(connection: Connection): null
  handleRowDescription(message: { fields: FieldDef[] }): void
  handleDataRow(message: { fields: (string | null)[] }): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}>
const { Query } = pg as unknown as { Query: { prototype: object } }
/** Where the address of the database has a time limit for answers, the driver puts there what ends it. */
type Query = { callback?: () => void }

/** What a connection has of a statement: its columns once it has run, doubt where that was not heard of. */
type Prepared = { columns?: Columns | 'none'; isDoubtful?: boolean }
const preparedOn = new WeakMap<object, Map<string, Prepared>>()

function preparedBy(connection: object): Map<string, Prepared> {
  const known = preparedOn.get(connection) ?? new Map<string, Prepared>()
  preparedOn.set(connection, known)
  return known
}

/**
 * Sends statements with one synchronization behind them all: the server answers in one go, and both sides wake once
 * instead of once per statement. Outside of a transaction they are one. Where one fails those behind it are not run
 * and fail as it did. Resolves when the server has ended the exchange. Past the limit the connection is closed.
 */
export function exchange(
  client: PoolClient,
  asked: readonly Asked[],
  limitMs?: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = Object.create(Query.prototype) as Query
    const answered = limitMs === undefined ? undefined : expectAnswer(client, limitMs)
    const handlers = handlersOf(asked, (error) => {
      query.callback?.()
      answered?.()
      if (error) reject(error)
      else resolve()
    })
    client.query(Object.assign(query, handlers, { asked }) as unknown as Submittable)
  })
}

function handlersOf(asked: readonly Asked[], ended: (error?: Error) => void): Handlers {
  const answers: Answer[] = []
  let prepared = new Map<string, Prepared>()
  let rows: unknown[] = []
  const current = (): Asked | undefined => asked[answers.length]
  const ofCurrent = (): Prepared => prepared.get(current()?.statement.name ?? '') ?? {}
  const tell = (): void => answers.forEach((answer, index) => asked[index]?.answered?.(answer))
  return {
    submit(connection) {
      prepared = preparedBy(connection)
      const messages = asked.flatMap((one) => messagesOf(one, prepared))
      connection.stream.write(Buffer.concat([...messages, serialize.sync()]))
      return null
    },
    handleRowDescription({ fields }) {
      ofCurrent().columns = toColumns(fields)
    },
    handleDataRow({ fields }) {
      const { columns } = ofCurrent()
      if (columns && columns !== 'none') rows.push(readRow(columns, fields))
    },
    handleCommandComplete({ text }) {
      ofCurrent().columns ??= 'none'
      current()?.ran?.()
      answers.push({ rows, ...tagOf(text) })
      rows = []
    },
    handleError(error) {
      const failure = toFailure(error)
      const behind = asked.slice(answers.length)
      for (const { statement } of behind) doubt(prepared.get(statement.name))
      tell()
      for (const { failed } of behind) failed?.(failure)
      ended(failure)
    },
    handleReadyForQuery() {
      tell()
      ended()
    },
  }
}

/** What was done and to how many rows, as in `INSERT 0 5` and `UPDATE 5`; `BEGIN` and `CREATE TABLE` have no number. */
function tagOf(text: string): Readonly<{ command: string; count: number }> {
  const end = text.indexOf(' ')
  if (end === -1) return { command: text, count: 0 }
  const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  return { command: text.slice(0, end), count }
}

/** A statement that was never heard to run may have been prepared or not: it is closed first when it comes again. */
function doubt(prepared: Prepared | undefined): void {
  if (prepared && !prepared.columns) prepared.isDoubtful = true
}

function messagesOf({ statement, ran }: Asked, prepared: Map<string, Prepared>): Buffer[] {
  const { name, text, values } = statement
  const known = prepared.get(name)
  const isNew = !known || known.isDoubtful
  if (isNew) prepared.set(name, {})
  return [
    ...(known?.isDoubtful ? [serialize.close({ type: 'S', name })] : []),
    ...(isNew ? [serialize.parse({ name, text })] : []),
    serialize.bind({ statement: name, values }),
    ...(known?.columns ? [] : [serialize.describe({ type: 'P', name: '' })]),
    serialize.execute(),
    ...(ran ? [serialize.flush()] : []),
  ]
}
