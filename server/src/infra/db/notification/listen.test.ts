import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTo, createServer, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../../../../test/kit/database/database.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { openDatabaseProxy, throughHosts } from '../../../../test/kit/processes/database-proxy.ts'
import { createHosts } from '../connection/hosts.ts'
import { listen, type Listening } from './listen.ts'

const database = await cloneDatabase()
const LONG_MS = 60_000
const ends: (() => Promise<void>)[] = []
after(async () => {
  for (const end of ends.toReversed()) await end()
  await database.drop()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  ends.push(() => client.end().catch(() => undefined))
  return client
}

async function listener(channel: string, heard: (payload: string) => void): Promise<Listening> {
  const listening = await listen({
    hosts: createHosts(database.url),
    channel,
    heard,
    onError: () => undefined,
  })
  ends.push(() => listening.stop())
  return listening
}

/** Another process that is present, and answers no question by itself. */
async function slowListener(channel: string) {
  const client = await connect()
  await client.query(`listen ${channel}`)
  await client.query('select pg_advisory_lock_shared(hashtext($1), 77)', [channel])
  const asked = once(client, 'notification') as Promise<[pg.Notification]>
  return {
    client,
    question: asked.then(([{ payload }]) => payload?.replace('? ', '')),
    answer: (question: string) =>
      client.query('select pg_notify($1, $2)', [channel, `! ${question} 77`]),
  }
}

const isSettled = async (promise: Promise<void>): Promise<boolean> => {
  let settled = false
  void promise.then(() => (settled = true))
  // Long enough for an answer to have come.
  await (await connect()).query('select 1')
  return settled
}

test('CORE-81 alone, a process has nobody to wait for', async () => {
  const alone = await listener('alone', () => undefined)
  await alone.heardByAll({ withinMs: LONG_MS })
})

test('CORE-81 what was notified has been heard by everybody', async () => {
  const heard: string[] = []
  const one = await listener('everybody', () => undefined)
  await listener('everybody', (payload) => void heard.push(payload))
  const client = await connect()
  for (const n of [1, 2, 3]) {
    await client.query(`select pg_notify('everybody', '${n}')`)
    await one.heardByAll({ withinMs: LONG_MS })
    assert.equal(heard.at(-1), String(n))
  }
  assert.deepEqual(heard, ['1', '2', '3'], 'questions and answers are nobody’s news')
})

test('CORE-81 one that is slow is waited for until it answers', async () => {
  const one = await listener('slow', () => undefined)
  const slow = await slowListener('slow')
  const waiting = one.heardByAll({ withinMs: LONG_MS })
  const question = await slow.question
  assert.equal(await isSettled(waiting), false)
  await slow.answer(question ?? '')
  await waiting
})

test('CORE-81 one that ends is waited for no longer, one that stays silent only so long', async () => {
  const one = await listener('silent', () => undefined)
  const silent = await slowListener('silent')
  await one.heardByAll({ withinMs: 100 })
  const waiting = one.heardByAll({ withinMs: LONG_MS })
  await silent.client.end()
  await waiting
})

test('CORE-81 a lost connection is told, and told again when it is back', async () => {
  const heard: boolean[] = []
  const one = await listener('lost', () => void heard.push(one.isLive()))
  const client = await connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_advisory_lock_shared%'
       and pid in (select pid from pg_locks where locktype = 'advisory')
       and datname = current_database() and pid <> pg_backend_pid()`,
  )
  await eventually(() => assert.deepEqual(heard, [false, true]))
})

test('CORE-81 a connection that a network drops without a word is replaced', async (t) => {
  const proxy = await openDatabaseProxy(database.url)
  const heard: boolean[] = []
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const one = await listen({
    hosts: createHosts(throughHosts(database.url, proxy.host)),
    channel: 'dropped',
    heard: () => void heard.push(one.isLive()),
    onError: () => undefined,
  })
  proxy.pause()
  t.mock.timers.tick(5_000)
  t.mock.timers.tick(3_000)
  t.mock.timers.reset()
  await eventually(() => assert.deepEqual(heard, [false]))
  proxy.resume()
  await eventually(() => assert.deepEqual(heard, [false, true]))
  await one.stop()
})

test('CORE-85 a stopped listener waits no longer than its limit', async () => {
  const one = await listener('stopped', () => undefined)
  await slowListener('stopped')
  await one.stop()
  assert.equal(one.isLive(), false)
  await one.heardByAll({ withinMs: 50 })
})

test('CORE-61 a connection that is dead and does not know it holds nobody up for long', async () => {
  const one = await listener('dead', () => undefined)
  const blocker = await connect()
  await blocker.query('begin')
  await blocker.query('lock table pg_catalog.pg_database in access exclusive mode')
  await one.heardByAll({ withinMs: 50 })
  await blocker.query('rollback')
  await one.heardByAll({ withinMs: LONG_MS })
})

test('a database that is slow to answer at first is waited for', async (t) => {
  const address = new URL(database.url)
  const opened = Promise.withResolvers<void>()
  const slow = createServer((socket) => {
    void opened.promise.then(() => {
      const server = connectTo(Number(address.port), address.hostname)
      socket.pipe(server).pipe(socket)
    })
  })
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  const { port } = slow.address() as AddressInfo
  const hosts = createHosts(String(Object.assign(new URL(address), { port })))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const onError = (): void => undefined
  const begun = listen({ hosts, channel: 'slow', heard: onError, onError })
  await once(slow, 'connection')
  t.mock.timers.tick(10_000)
  t.mock.timers.reset()
  opened.resolve()
  const listening = await begun
  assert.ok(listening.isLive())
  await listening.stop()
  slow.close()
})
