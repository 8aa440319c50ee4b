import pg from 'pg'
import { serialize } from 'pg-protocol'
import type { FieldDef, PoolClient, Submittable } from 'pg'
import { readRow, toColumns, type Columns } from '../statement/rows.ts'
import type { Statement } from '../statement/sql.ts'
import { expectAnswer } from './silence.ts'
import { toFailure } from './unavailable.ts'

export type Answer = Readonly<{ rows: readonly unknown[]; count: number; command: string }>

/** A statement that is sent to the server, and the callbacks for its outcome. */
export type SentStatement = Readonly<{
  statement: Statement
  /** The message with its values. */
  bind: Buffer
  /** Called as soon as it has run, before the exchange is final. */
  onRun?: (() => void) | undefined
  onAnswer?: ((answer: Answer) => void) | undefined
  onError?: ((error: Error) => void) | undefined
}>

/** The driver lets a custom query write its own messages and passes it the answers, which its types do not show. */
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
/** The driver sets the callback where the database's address has a time limit for answers; calling it ends the limit. */
type Query = { callback?: () => void }

/** A prepared statement of a connection: its columns are known once it has run; uncertain where that was not reported. */
type Prepared = { columns?: Columns | 'none'; isUncertain?: boolean }
const preparedOn = new WeakMap<object, Map<string, Prepared>>()

function preparedBy(connection: object): Map<string, Prepared> {
  const known = preparedOn.get(connection) ?? new Map<string, Prepared>()
  preparedOn.set(connection, known)
  return known
}

/**
 * Sends statements with one synchronization behind them all: the server answers them together, and both sides wake once
 * instead of once per statement. Outside of a transaction they form one. If one fails, those behind it are not run and
 * fail with the same error. Resolves when the server has ended the exchange. After `limitMs` the connection is closed.
 */
export function exchange(
  client: PoolClient,
  sent: readonly SentStatement[],
  limitMs?: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = Object.create(Query.prototype) as Query
    const endWatch = limitMs === undefined ? undefined : expectAnswer(client, limitMs)
    const handlers = handlersOf(sent, (error) => {
      query.callback?.()
      endWatch?.()
      if (error) reject(error)
      else resolve()
    })
    client.query(Object.assign(query, handlers, { sent }) as unknown as Submittable)
  })
}

function handlersOf(sent: readonly SentStatement[], onEnd: (error?: Error) => void): Handlers {
  const answers: Answer[] = []
  let prepared = new Map<string, Prepared>()
  let rows: unknown[] = []
  const current = (): SentStatement | undefined => sent[answers.length]
  const ofCurrent = (): Prepared => prepared.get(current()?.statement.name ?? '') ?? {}
  const deliverAnswers = (): void =>
    answers.forEach((answer, index) => sent[index]?.onAnswer?.(answer))
  return {
    submit(connection) {
      prepared = preparedBy(connection)
      const messages: Buffer[] = []
      for (const one of sent) addMessages(messages, one, prepared)
      messages.push(serialize.sync())
      connection.stream.write(Buffer.concat(messages))
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
      current()?.onRun?.()
      answers.push({ rows, ...tagOf(text) })
      rows = []
    },
    handleError(error) {
      const failure = toFailure(error)
      const behind = sent.slice(answers.length)
      for (const { statement } of behind) markUncertain(prepared.get(statement.name))
      deliverAnswers()
      for (const { onError } of behind) onError?.(failure)
      onEnd(failure)
    },
    handleReadyForQuery() {
      deliverAnswers()
      onEnd()
    },
  }
}

/** The command and its number of rows, as in `INSERT 0 5` and `UPDATE 5`; `BEGIN` and `CREATE TABLE` have no number. */
function tagOf(text: string): Readonly<{ command: string; count: number }> {
  const end = text.indexOf(' ')
  if (end === -1) return { command: text, count: 0 }
  const count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  return { command: text.slice(0, end), count }
}

/** A statement that was not reported as run may be prepared or not: it is closed before it is sent again. */
function markUncertain(prepared: Prepared | undefined): void {
  if (prepared && !prepared.columns) prepared.isUncertain = true
}

function addMessages(
  messages: Buffer[],
  { statement: { name, text }, bind, onRun }: SentStatement,
  prepared: Map<string, Prepared>,
): void {
  const known = prepared.get(name)
  if (known?.isUncertain) messages.push(serialize.close({ type: 'S', name }))
  if (!known || known.isUncertain) {
    prepared.set(name, {})
    messages.push(serialize.parse({ name, text }))
  }
  messages.push(bind)
  if (!known?.columns) messages.push(serialize.describe({ type: 'P', name: '' }))
  messages.push(serialize.execute())
  if (onRun) messages.push(serialize.flush())
}
