import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../src/infra/db/database.ts'
import { migrate } from '../../src/infra/db/migrate.ts'
import { createHosts } from '../../src/infra/db/connection/hosts.ts'
import { listen } from '../../src/infra/db/notification/listen.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { cloneDatabase, keyring } from '../kit/database/database.ts'
import { openDatabaseProxy, throughHosts } from '../kit/processes/database-proxy.ts'
import { eventually } from '../kit/eventually.ts'
import { silentLog } from '../kit/processes/silent-log.ts'

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

async function execute(url: string, statement: string): Promise<void> {
  const owner = new pg.Client({
    connectionString: url,
    options: '-c default_transaction_read_only=off',
  })
  await owner.connect()
  try {
    await owner.query(statement)
  } finally {
    await owner.end()
  }
}

/** Two hosts, each with a server of its own as far as a client can tell; the first begins as the standby. */
async function startTwoHosts() {
  const databases = [await cloneDatabase(), await cloneDatabase()] as const
  after(() => Promise.all(databases.map((database) => database.drop())))
  const [first, second] = databases
  const standby = async (url: string, isStandby: boolean): Promise<void> => {
    const name = nameOf(url)
    await execute(
      url,
      `alter database ${name} set default_transaction_read_only = ${String(isStandby)}`,
    )
    await execute(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    )
  }
  await standby(first.url, true)
  const proxies = [
    await openDatabaseProxy(first.url),
    await openDatabaseProxy(first.url, { database: nameOf(second.url) }),
  ] as const
  const hosts = throughHosts(first.url, ...proxies.map(({ host }) => host))
  return {
    url: `${hosts}?target_session_attrs=read-write`,
    names: databases.map(({ url }) => nameOf(url)),
    proxies,
    notify: (payload: string) =>
      execute(first.url, `select pg_notify('florin_hosts_test', '${payload}')`),
    failOver: async () => {
      await standby(second.url, true)
      await standby(first.url, false)
    },
  }
}

test('CORE-82 of several hosts the one that takes writes is used, also after another was promoted', async () => {
  const { url, names, failOver } = await startTwoHosts()
  await migrate(url)
  const db = openDatabase({ url, poolSize: 4, log: silentLog, keyring })
  after(() => db.close())
  const heard: string[] = []
  const listening = await db.listen('florin_hosts_test', (payload) => void heard.push(payload))
  after(() => listening.stop())
  const writeOne = (): Promise<{ name: string }> =>
    db.transaction(async (tx) => {
      await tx.run(sql`create table if not exists written (at integer)`)
      return tx.one<{ name: string }>(sql`select current_database() as name`)
    })
  assert.equal((await writeOne()).name, names[1])
  assert.equal(await db.isServing(), true)
  await failOver()
  const promotedAt = performance.now()
  await eventually(async () => assert.equal((await writeOne()).name, names[0]))
  assert.ok(performance.now() - promotedAt < 5_000)
  await eventually(async () => assert.equal(await db.isServing(), true))
  await eventually(async () => {
    await db.read.run(sql`select pg_notify('florin_hosts_test', 'from the new one')`)
    assert.ok(heard.includes('from the new one'))
  })
})

test('CORE-82 a listener that was reaching for the old host when another was promoted goes to the new one', async () => {
  const { url, proxies, failOver, notify } = await startTwoHosts()
  const hosts = createHosts(url)
  await hosts.findWritable()
  const heard: string[] = []
  const listening = await listen({
    hosts,
    channel: 'florin_hosts_test',
    heard: (payload) => void heard.push(payload),
    onError: () => undefined,
  })
  after(() => listening.stop())
  await failOver()
  await eventually(() => assert.deepEqual(heard, ['']))
  const [, old] = proxies
  const before = old.connected()
  old.pause()
  await eventually(() => assert.equal(old.connected(), before + 1))
  await hosts.findWritable()
  old.resume()
  await eventually(async () => {
    await notify('from the new one')
    assert.ok(heard.includes('from the new one'))
  })
})

test('CORE-82 a malformed DATABASE_URL is refused in one sentence that does not repeat it', () => {
  for (const text of [
    'mysql://florin:secret@db/florin',
    'postgres://florin:secret@db:99999/florin',
    'postgres://florin:secret%@db/florin',
    'postgres://florin:secret@db1:x,db2/florin',
    'postgres://florin:secret@db/florin?target_session_attrs=read-only',
  ]) {
    assert.throws(
      () => loadSettings({ DATABASE_URL: text }, { cwd: import.meta.dirname }),
      (error: Error) =>
        /DATABASE_URL must be a PostgreSQL address/.test(error.message) &&
        !error.message.includes('secret'),
      text,
    )
  }
})

/** Speaks for PostgreSQL to any number of clients, and has one server process for all of them: a pooler in transaction mode. */
async function openTransactionPooler(url: string): Promise<string> {
  const server = new pg.Client({ connectionString: url })
  server.on('error', () => undefined)
  await server.connect()
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const ready = message('Z', Buffer.from('I'))
  const answer = async (text: string): Promise<Buffer> => {
    const { rows, command } = await server.query<Record<string, unknown>>(text)
    const [row] = rows
    if (!row) return Buffer.concat([message('C', Buffer.from(`${command}\0`)), ready])
    const field = (name: string): Buffer => {
      const rest = Buffer.alloc(18)
      rest.writeInt32BE(25, 6)
      rest.writeInt16BE(-1, 10)
      rest.writeInt32BE(-1, 12)
      return Buffer.concat([Buffer.from(`${name}\0`), rest])
    }
    const value = (given: unknown): Buffer => {
      const bytes = Buffer.from(String(given))
      const length = Buffer.alloc(4)
      length.writeInt32BE(bytes.length)
      return Buffer.concat([length, bytes])
    }
    const count = Buffer.alloc(2)
    count.writeInt16BE(Object.keys(row).length)
    return Buffer.concat([
      message('T', Buffer.concat([count, ...Object.keys(row).map(field)])),
      message('D', Buffer.concat([count, ...Object.values(row).map(value)])),
      message('C', Buffer.from('SELECT 1\0')),
      ready,
    ])
  }
  const pooler = net.createServer((socket) => {
    let isStarted = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      if (!isStarted) {
        isStarted = true
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
      } else if (chunk.toString('latin1', 0, 1) === 'Q') {
        void answer(chunk.toString('utf8', 5, chunk.length - 1)).then((bytes) =>
          socket.write(bytes),
        )
      } else socket.end()
    })
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  after(async () => {
    pooler.close()
    await server.end()
  })
  return throughHosts(url, `127.0.0.1:${(pooler.address() as AddressInfo).port}`)
}

test('CORE-82 a pooler in transaction mode is refused at the start, with the remedy', async () => {
  const database = await cloneDatabase()
  after(() => database.drop())
  const pooled = await openTransactionPooler(database.url)
  await assert.rejects(migrate(pooled), {
    name: 'MigrationError',
    message: /pooler in transaction mode.*Set pool_mode to session/,
  })
})
