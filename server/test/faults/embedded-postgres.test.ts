import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { spawnIdsOf } from '../../src/infra/db/embedded/account.ts'
import { findFreePort } from '../../src/infra/db/embedded/postmaster.ts'
import { isAlive } from '../../src/infra/db/embedded/processes.ts'
import { eventually } from '../kit/eventually.ts'
import {
  ask,
  makePlace,
  prepareDatabase,
  serverPidOf,
  startProcess,
  untilDead,
} from './database-process.ts'

const ignore = (): void => undefined
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const makePlaceWithDatabase = await prepareDatabase()

test('CORE-80 a start on an empty folder makes a database that only its password opens', async () => {
  const place = await makePlace()
  const database = await startEmbeddedPostgres({ ...place, log: silent })
  try {
    assert.equal(database.adopted, false)
    assert.equal(await ask(database.url, 'show data_checksums'), 'on')
    assert.equal(await ask(database.url, 'show fsync'), 'on')
    assert.equal(await ask(database.url, 'show listen_addresses'), '127.0.0.1')
    const guess = database.url.replace(/:[^:@]+@/, ':guess@')
    await assert.rejects(ask(guess, 'select 1'), { code: '28P01' })
    const folder = join(place.dataDir, 'postgres')
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    assert.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600)
  } finally {
    await database.stop()
  }
})

test('CORE-80 stopping leaves no process and no sign of one, and may be asked for twice', async () => {
  const place = await makePlaceWithDatabase()
  const database = await startEmbeddedPostgres({ ...place, log: silent })
  const pid = await serverPidOf(place)
  await Promise.all([database.stop(), database.stop()])
  assert.ok(!isAlive(pid))
  assert.deepEqual((await readdir(join(place.dataDir, 'postgres'))).sort(), ['cluster', 'password'])
  assert.ok(!(await readdir(join(place.dataDir, 'postgres/cluster'))).includes('postmaster.pid'))
})

test('CORE-80 parameters given at the start win over our own', async () => {
  const port = await findFreePort()
  const extraOptions = { fsync: 'off', max_connections: '20', port: String(port) }
  const database = await startEmbeddedPostgres({
    ...(await makePlaceWithDatabase()),
    log: silent,
    extraOptions,
  })
  try {
    assert.equal(await ask(database.url, 'show fsync'), 'off')
    assert.equal(await ask(database.url, 'show max_connections'), '20')
    assert.equal(new URL(database.url).port, String(port))
  } finally {
    await database.stop()
  }
})

test('CORE-83 a second process beside the first uses its server and leaves it running', async () => {
  const place = await makePlaceWithDatabase()
  const owner = await startProcess(place)
  const guest = await startProcess(place)
  assert.equal(guest.adopted, true)
  assert.equal(guest.url, owner.url)
  const pid = await serverPidOf(place)
  await guest.end()
  assert.equal(await serverPidOf(place), pid)
  assert.equal(await ask(owner.url, 'select 1'), 1)
  await owner.end()
  assert.ok(!isAlive(pid))
})

test('CORE-83 a guest whose owner ends takes the server over at the same address', async () => {
  const place = await makePlaceWithDatabase()
  const owner = await startProcess(place)
  const guest = await startProcess(place)
  await ask(owner.url, 'create table kept as select 42 as answer')
  await owner.end()
  const answer = await eventually(() => ask(guest.url, 'select answer from kept'), 20_000)
  assert.equal(answer, 42)
  const pid = await serverPidOf(place)
  const next = await startProcess(place)
  assert.equal(next.adopted, true)
  await next.end()
  assert.ok(isAlive(pid), 'it is the owner now: its own guest stops nothing')
  await guest.end()
  assert.ok(!isAlive(pid))
})

test('CORE-81 processes that start at once on an empty folder share one server', async () => {
  const place = await makePlace()
  const processes = await Promise.all([1, 2, 3].map(() => startProcess(place)))
  assert.equal(new Set(processes.map(({ url }) => url)).size, 1)
  assert.equal(processes.filter(({ adopted }) => !adopted).length, 1)
  assert.deepEqual(await readdir(place.dataDir), ['postgres'])
  for (const guest of processes.filter(({ adopted }) => adopted)) await guest.end()
  await processes.find(({ adopted }) => !adopted)?.end()
})

test('CORE-80 kill -9 of the owner stops its server, and the next start finds all that was committed', async () => {
  const place = await makePlaceWithDatabase()
  const killed = await startProcess(place)
  await ask(killed.url, 'create table kept as select 42 as answer')
  const pid = await serverPidOf(place)
  await killed.kill()
  // At once, while the old server may still be on its way down.
  const next = await startProcess(place)
  assert.equal(await ask(next.url, 'select answer from kept'), 42)
  assert.notEqual(await serverPidOf(place), pid)
  await next.end()
})

test('CORE-80 a server that outlived its killed owner is adopted, and stops with its new owner', async () => {
  const place = await makePlaceWithDatabase()
  const killed = await startProcess(place, { withoutLauncher: true })
  const pid = await serverPidOf(place)
  await killed.kill()
  assert.ok(isAlive(pid))
  const heir = await startProcess(place)
  assert.equal(heir.adopted, true)
  assert.equal(await serverPidOf(place), pid)
  const guest = await startProcess(place)
  await guest.end()
  assert.ok(isAlive(pid), 'a guest of the heir stops nothing')
  await heir.end()
  await untilDead(pid)
})

test('CORE-80 kill -9 of the server loses nothing: its owner starts it again at the same address', async () => {
  const place = await makePlaceWithDatabase()
  const owner = await startProcess(place)
  await ask(owner.url, 'create table kept as select 42 as answer')
  const pid = await serverPidOf(place)
  process.kill(pid, 'SIGKILL')
  const answer = await eventually(() => ask(owner.url, 'select answer from kept'), 20_000)
  assert.equal(answer, 42)
  assert.notEqual(await serverPidOf(place), pid)
  await owner.end()
})

/** A server that was killed and cannot come up again: a file that it needs is not there. */
async function startThenBreak() {
  const place = await makePlaceWithDatabase()
  const errors: string[] = []
  const log = { ...silent, error: (message: string): void => void errors.push(message) }
  const database = await startEmbeddedPostgres({ ...place, log })
  const needed = join(place.dataDir, 'postgres/cluster/global/pg_control')
  await rename(needed, `${needed}.away`)
  process.kill(await serverPidOf(place), 'SIGKILL')
  await eventually(() => assert.ok(errors.some((error) => error.includes('does not start'))))
  return { database, mend: () => rename(`${needed}.away`, needed) }
}

test('CORE-80 a server that cannot be started again for a while is, once it can', async () => {
  const { database, mend } = await startThenBreak()
  try {
    await mend()
    assert.equal(await eventually(() => ask(database.url, 'select 1')), 1)
  } finally {
    await database.stop()
  }
})

test('CORE-85 nothing is waited for at the end while the server cannot be started again', async () => {
  const { database, mend } = await startThenBreak()
  await database.stop()
  await mend()
  await assert.rejects(ask(database.url, 'select 1'), { code: 'ECONNREFUSED' })
})

test('CORE-80 an adopted server that dies is started again too', async () => {
  const place = await makePlaceWithDatabase()
  await (await startProcess(place, { withoutLauncher: true })).kill()
  const heir = await startProcess(place)
  const pid = await serverPidOf(place)
  process.kill(pid, 'SIGKILL')
  await eventually(() => ask(heir.url, 'select 1'), 20_000)
  await heir.end()
})

test('CORE-80 a pid file whose id now belongs to another program does not stop the start', async () => {
  const place = await makePlaceWithDatabase()
  const cluster = join(place.dataDir, 'postgres', 'cluster')
  const { uid, gid } = await stat(cluster)
  const isForeign = uid !== process.getuid?.()
  const other = spawn('sleep', ['60'], {
    cwd: '/',
    ...spawnIdsOf(isForeign ? { uid, gid } : undefined),
  })
  try {
    const lines = [
      other.pid,
      cluster,
      1_700_000_000,
      5432,
      '',
      '127.0.0.1',
      '  1234567   7',
      'ready   ',
      '',
    ]
    await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'))
    const next = await startProcess(place)
    assert.equal(next.adopted, false)
    await next.end()
  } finally {
    other.kill('SIGKILL')
  }
})

test('CORE-80 half a database, left by a kill during the first start, is cleared away', async () => {
  const place = await makePlace()
  const dead = spawn('true')
  await new Promise((resolve) => dead.on('close', resolve))
  const draft = join(place.dataDir, `postgres.new-${dead.pid}-0a0b0c0d`)
  await mkdir(join(draft, 'cluster'), { recursive: true })
  const first = await startProcess(place)
  assert.deepEqual(await readdir(place.dataDir), ['postgres'])
  await first.end()
})

test('CORE-91 the server knows none of our environment', async () => {
  const place = await makePlaceWithDatabase()
  const env = { ...process.env, MASTER_KEY: 'a-secret-of-the-service' }
  const owner = await startProcess(place, { env })
  const pid = await serverPidOf(place)
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  assert.doesNotMatch(environment, /MASTER_KEY|a-secret-of-the-service/)
  await owner.end()
})

test('CORE-91 the server logs no values of refused statements', async () => {
  const heard: string[] = []
  const listen = (message: string): void => void heard.push(message)
  const log = { debug: listen, info: listen, warn: listen, error: listen }
  const database = await startEmbeddedPostgres({ ...(await makePlaceWithDatabase()), log })
  try {
    await ask(database.url, 'create table people (tax_id text primary key)')
    const insert = "insert into people values ('123-45-6789')"
    await ask(database.url, insert)
    await assert.rejects(ask(database.url, insert), { code: '23505' })
  } finally {
    await database.stop()
  }
  assert.ok(heard.some((line) => line.includes('ready to accept connections')))
  assert.deepEqual(
    heard.filter((line) => line.includes('123-45-6789')),
    [],
  )
})
