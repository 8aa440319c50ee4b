import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { silentLog } from '../../../../test/kit/processes/silent-log.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { openDatabase, type DatabaseOptions } from '../database.ts'
import { sql } from '../statement/sql.ts'

const kit = await startOwnKit()
const { db, keyring } = kit.florin.deps
const watch = watchRoundTrips()
after(() => watch.stop())

await db.read.run(sql`create table marks (name text primary key)`)

const mark = (name: string) => sql`insert into marks values (${name})`
const isMarked = async (name: string): Promise<boolean> =>
  (await db.read.maybe(sql`select from marks where name = ${name}`)) !== undefined

test('statements of one turn make one round trip, with begin in front and the commit behind', async () => {
  const [first, second] = [newUuid(), newUuid()]
  const rows = await db.transaction(async (tx) => {
    const [, found] = await Promise.all([
      tx.run(mark(first)),
      tx.many(sql`select name from marks where name = ${first} /* one turn */`),
    ])
    tx.queueWrite(mark(second))
    return found
  })
  assert.deepEqual(rows, [{ name: first }])
  assert.equal(await isMarked(second), true)
  const trips = watch.transactionWith(/one turn/)
  assert.deepEqual(
    trips.map((trip) => [trip[0], trip.at(-1)]),
    [
      ['begin', trips[0]?.at(-1)],
      ['insert into marks values ($1)', 'commit'],
    ],
  )
})

test('look-ups by key of one turn make one round trip, each with its own answer', async () => {
  const [one, other, missing] = [newUuid(), newUuid(), newUuid()]
  await db.transaction(async (tx) => [one, other].forEach((name) => tx.queueWrite(mark(name))))
  const lookUp = (name: string) =>
    db.read.find(sql`select name from marks where name = ${name} /* by key */`)
  assert.deepEqual(await Promise.all([one, missing, other].map(lookUp)), [
    { name: one },
    undefined,
    { name: other },
  ])
  assert.deepEqual(
    watch.transactionWith(/by key/).map((trip) => trip.length),
    [3],
  )
})

test('a look-up that fails does so alone, and those behind it are answered', async () => {
  const name = newUuid()
  await db.read.run(mark(name))
  const lookUp = (divisor: number) =>
    db.read.find(sql`select name from marks where name = ${name} and 1 / ${divisor}::integer = 1`)
  const outcomes = await Promise.allSettled([1, 0, 1].map(lookUp))
  assert.deepEqual(
    outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code,
    ),
    [{ name }, '22012', { name }],
  )
})

test('queued writes alone are one transaction without begin and commit: all of it or nothing', async () => {
  const [first, second] = [newUuid(), newUuid()]
  const both = (...names: string[]): Promise<void> =>
    db.transaction(async (tx) => names.forEach((name) => tx.queueWrite(mark(name))))
  await assert.rejects(both(first, second, first), { code: '23505' })
  assert.deepEqual([await isMarked(first), await isMarked(second)], [false, false])
  await both(first, second)
  assert.deepEqual([await isMarked(first), await isMarked(second)], [true, true])
})

test('whatever stands behind a statement that fails is not run and fails as it did', async () => {
  const [first, behind] = [newUuid(), newUuid()]
  const outcomes = await db.transaction(async (tx) => {
    await tx.run(sql`savepoint start`)
    const settled = await Promise.allSettled([
      tx.run(mark(first)),
      tx.run(sql`select 1 / ${0}::integer`),
      tx.run(mark(behind)),
    ])
    await tx.run(sql`rollback to savepoint start`)
    return settled
  })
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
    [1, '22012', '22012'],
  )
  assert.deepEqual([await isMarked(first), await isMarked(behind)], [false, false])
})

test('a statement that was not heard to run the first time runs the next time', async () => {
  // Each text is new to every connection: it is prepared in the very exchange that fails.
  for (const position of ['before', 'at', 'behind']) {
    const fails = sql`select 1 / ${0}::integer`
    const text = (name: string) =>
      sql`insert into marks select ${name} where ${position} <> '' ${{ parts: [`/* ${newUuid()} */`], values: [] }}`
    const name = newUuid()
    const asked = text(name)
    const malformed = sql`insert into marks select ${null}::text`
    const order = { before: [asked, fails], at: [malformed, asked], behind: [fails, asked] }
    const run = (queries: readonly (typeof asked)[]): Promise<unknown> =>
      db.transaction((tx) => Promise.all(queries.map((query) => tx.run(query))))
    await assert.rejects(run(order[position as 'at']))
    for (let again = 0; again < 30; again += 1) {
      await db.transaction(async (tx) => {
        await tx.run(asked)
        await tx.run(sql`delete from marks where name = ${name}`)
      })
    }
  }
})

test('a commit that became a rollback is reported', async () => {
  const name = newUuid()
  const swallowing = db.transaction(async (tx) => {
    await tx.run(mark(name))
    await tx.run(mark(name)).catch(() => undefined)
  })
  await assert.rejects(swallowing, { name: 'InvariantError' })
  assert.equal(await isMarked(name), false)
})

test('a queued write is reported as run before those behind it have run', async () => {
  const key = BigInt(`0x${newUuid().slice(0, 8)}`)
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${key})`)
    held.resolve()
    await release.promise
  })
  await held.promise
  const ran = Promise.withResolvers<void>()
  const waiting = db.transaction(async (tx) => {
    tx.queueWrite(mark(newUuid()), { onRun: ran.resolve })
    tx.queueWrite(sql`select pg_advisory_xact_lock(${key})`)
  })
  await ran.promise
  release.resolve()
  await Promise.all([holding, waiting])
})

test('an error of the database names the caller of the query', async () => {
  const askedHere = (): Promise<unknown> => db.read.run(sql`select 1 / ${0}::integer`)
  const error: unknown = await askedHere().catch((thrown: unknown) => thrown)
  assert.match((error as Error).stack ?? '', /exchange\.test\.ts/)
})

async function onOwnDatabase(
  options: Partial<DatabaseOptions>,
  use: (own: typeof db) => Promise<void>,
): Promise<void> {
  const given = { url: kit.databaseUrl, poolSize: 1, log: silentLog, keyring, ...options }
  const own = openDatabase(given)
  try {
    await use(own)
  } finally {
    await own.close()
  }
}

const withParameter = (name: string, value: string): string => {
  const url = new URL(kit.databaseUrl)
  url.searchParams.set(name, value)
  return url.href
}

test('a time limit for answers ends with the answer', async () => {
  await onOwnDatabase({ url: withParameter('query_timeout', '50') }, async (own) => {
    const process = () => own.read.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const before = await process()
    await db.read.run(sql`select pg_sleep(0.1)`)
    assert.deepEqual(await process(), before, 'the connection is the same')
  })
})

test('options in the address stand beside our own', async () => {
  const url = withParameter('options', '-c work_mem=54321kB')
  await onOwnDatabase({ url }, async (own) => {
    const settings = await own.read.one(
      sql`select current_setting('work_mem') as given, current_setting('plan_cache_mode') as own`,
    )
    assert.deepEqual(settings, { given: '54321kB', own: 'force_generic_plan' })
  })
})

test('a transaction that waits too long for a lock releases its own locks and is retried', async () => {
  const key = BigInt(`0x${newUuid().slice(0, 8)}`)
  const lock = sql`select pg_advisory_xact_lock(${key})`
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await tx.run(lock)
    held.resolve()
    await release.promise
  })
  await held.promise
  await onOwnDatabase({ lockTimeoutMs: 20 }, async (own) => {
    let tries = 0
    await own.transaction(async (tx) => {
      tries += 1
      if (tries === 3) release.resolve()
      if (tries >= 3) await holding
      await tx.run(lock)
    })
    assert.deepEqual([tries, own.retries()], [3, 2])
  })
})

test('a transaction that has ended is asked nothing more by a branch that was left behind', async () => {
  const name = newUuid()
  const behind = Promise.withResolvers<void>()
  let late: Promise<unknown> = Promise.resolve()
  const failing = db.transaction(async (tx) => {
    late = behind.promise.then(() => tx.run(mark(name)))
    await Promise.all([late, tx.run(sql`select 1 / ${0}::integer`)])
  })
  await assert.rejects(failing, { code: '22012' })
  behind.resolve()
  await assert.rejects(late, { name: 'InvariantError' })
  assert.equal(await isMarked(name), false)
})
