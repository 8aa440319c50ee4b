import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import ts from 'typescript'
import { cloneDatabase, type ClonedDatabase } from '../../server/test/kit/database/database.ts'
import { checkStatements, type Report } from './check-statements.ts'

const SAMPLE = join(import.meta.dirname, '../../server/src/infra/db/sample.ts')

/** Read once for all programs. */
const others = new Map<string, ts.SourceFile | undefined>()

/** A program of one more file beside the `sql` tag. */
function programOf(text: string): ts.Program {
  const options: ts.CompilerOptions = {
    ...{ target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext, strict: true },
    ...{ types: ['node'], allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true },
  }
  const host = ts.createCompilerHost(options, true)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => name === SAMPLE || fileExists(name)
  host.readFile = (name) => (name === SAMPLE ? text : readFile(name))
  host.getSourceFile = (name, language) => {
    if (name === SAMPLE) return ts.createSourceFile(name, text, language, true)
    const known = others.get(name) ?? getSourceFile(name, language)
    others.set(name, known)
    return known
  }
  return ts.createProgram([SAMPLE], options, host)
}

let database: ClonedDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

const check = (body: string, accepted: Record<string, string> = {}): Promise<Report> =>
  checkStatements(
    programOf(`
      import { given, type Columns } from './statement/given.ts'
      import { sql, when, type Sql } from './statement/sql.ts'
      import type { Tx } from './tx.ts'
      ${body}`),
    database.url,
    accepted,
  )

const problemsOf = ({ problems }: Report): string[] =>
  problems.map(({ name, problem }) => `${name} ${problem}`)

test('a claim that agrees with the columns passes, whatever it is composed of', async () => {
  const report = await check(`
    const COLUMNS = sql\`t.id, t.created_at\`
    const ofPlatform = (id: string): Sql => sql\`t.platform_id = \${id}\`
    const TABLES = { one: sql\`cards t\`, other: sql\`quotes t\` }
    type Key = { id: string }
    const KEY: Columns<Key> = { id: ['uuid', (key) => key.id] }
    type Row = { id: string; createdAt: Date; isNew: boolean; sum: bigint; list: string[] }

    export const list = (tx: Tx, kind: 'one' | 'other', keys: Key[], after?: Date) => {
      const conditions = [ofPlatform('a'), ...when(after, (at) => sql\`t.created_at < \${at}\`)]
      return tx.many<Row>(
        sql\`select \${COLUMNS}, true as is_new, count(*) as sum, array['a'] as list
            from \${TABLES[kind]} join \${given('k', KEY, keys)} on k.id = t.id
            where \${sql.and(conditions)} group by t.id, t.created_at\`,
      )
    }`)
  assert.deepEqual(problemsOf(report), [])
  assert.equal(report.claims, 1)
  // Plain rows or arrays, either table, with or without a bound: each at least once.
  assert.ok(report.texts >= 4)
})

test('a claim that does not agree is refused, column by column', async () => {
  const report = await check(`
    type Row = { id: number; createdAt: string; missing: string; last4: string; spent?: bigint }
    export const find = (tx: Tx) => tx.maybe<Row>(sql\`select id, created_at, last4 from cards\`)`)
  assert.deepEqual(problemsOf(report), [
    'find: id is uuid, and claimed to be number',
    'find: createdAt is timestamptz, and claimed to be string',
    'find: missing is claimed, but no column',
    'find: last4 can be null, which is not claimed',
  ])
})

test('a column that the statement asks to be there is not null; one of a left join may be', async () => {
  const report = await check(`
    export const held = (tx: Tx) =>
      tx.many<{ last4: string }>(sql\`select last4 from cards where last4 is not null\`)
    export const joined = (tx: Tx) =>
      tx.many<{ region: string | null; email: string | null; id: string }>(
        sql\`select c.id, c.region, c.email from cards k left join customers c on c.id = k.customer_id\`)`)
  assert.deepEqual(problemsOf(report), ['joined: id can be null, which is not claimed'])
})

test('a statement that the database refuses in one of its forms is refused', async () => {
  const report = await check(`
    export const remove = (tx: Tx, id: string, isAll: boolean) =>
      tx.run(sql\`delete from cards where \${isAll ? sql\`true\` : sql\`identity = \${id}\`}\`)`)
  assert.deepEqual(problemsOf(report), ['remove: sql column "identity" does not exist'])
})

test('conditions on the same value are met together', async () => {
  const report = await check(`
    export const count = (tx: Tx, currency?: string) => {
      const from = currency === undefined ? sql\`customers\` : sql\`customer_currencies\`
      const conditions = when(currency, (value) => sql\`currency = \${value}\`)
      return tx.one<{ count: bigint }>(sql\`select count(*) from \${from} where \${sql.and(conditions)}\`)
    }`)
  assert.deepEqual(problemsOf(report), [])
})

test('a fragment that is a parameter is taken from the callers', async () => {
  const report = await check(`
    const count = (tx: Tx, table: Sql) => tx.one<{ count: bigint }>(sql\`select count(*) from \${table}\`)
    export const cards = (tx: Tx) => count(tx, sql\`cards\`)
    export const others = (tx: Tx) => count(tx, sql\`card_decks\`)`)
  assert.deepEqual(problemsOf(report), ['count: sql relation "card_decks" does not exist'])
})

test('what cannot be followed is refused unless it is accepted, and accepted in vain is told', async () => {
  const queued = `
    declare const queue: { take(): Sql }
    export const write = (tx: Tx) => { const query = queue.take(); return tx.run(query) }
    export const unused = sql\`some_column = 1\``
  const accepted = { 'write: query': 'is checked elsewhere', 'gone: query': 'no more' }
  assert.deepEqual(problemsOf(await check(queued)), [
    'write: query cannot follow `query`',
    ': sql is in no statement that can be followed',
  ])
  const report = await check(queued, accepted)
  assert.deepEqual(problemsOf(report), [': sql is in no statement that can be followed'])
  assert.deepEqual(report.unused, ['gone: query'])
})
