import assert from 'node:assert/strict'
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { createFlorin } from '../../src/app/florin.ts'
import { createKeyring } from '../../src/crypto/keyring.ts'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import { migrate } from '../../src/infra/db/migrate.ts'
import { verifyMasterKeys } from '../../src/infra/settings/key-checks.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { writeArchive } from '../../src/operator/backup/archive.ts'
import { makeBackup } from '../../src/operator/backup/make-backup.ts'
import { restoreBackup } from '../../src/operator/backup/restore-backup.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { client, expectStatus, items, text, type Body } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import { callFlorin, operate } from '../kit/operator.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'
import { silentLog as log } from '../kit/processes/silent-log.ts'

const scratch = process.env['TEST_SCRATCH']
assert.ok(scratch, 'run the tests with npm test')
const folder = await mkdtemp(join(scratch, 'backup-'))
// Root's server runs under another account, which has to get through.
await chmod(folder, 0o755)
const dataDir = join(folder, 'data')
const database = await startEmbeddedPostgres({ dataDir, log })
await migrate(database.url)
const texts = { MASTER_KEY, DATA_DIR: dataDir, ADMIN_PORT: '0' }
const settings = loadSettings(texts, { cwd: folder })
const florin = await createFlorin({
  settings: { ...settings, databaseUrl: database.url, masterKey: MASTER_KEY },
  log,
})
await verifyMasterKeys(florin.deps)
const origin = await florin.http.listen({ host: '127.0.0.1', port: 0 })
const credentials = await createPlatform(florin.deps, {
  name: 'Backed up',
  kind: 'REGULATED',
  environment: 'SANDBOX',
  currencies: ['USD'],
})
const api = client(`${origin}/2025-10-13`, credentials)
const ends = [() => florin.stop(), () => database.stop()]
after(async () => {
  for (const end of ends) await end()
  await rm(folder, { recursive: true, force: true })
})

const fileOf = (name: string): string => join(folder, name)
// Only what is sent has a number.
expectStatus(await api.patch('/config', { webhookEndpoint: 'http://127.0.0.1:9/hook' }), 200)
const accounts = expectStatus(await api.get('/platform/internal-accounts'), 200)
const accountId = text(accounts.data[0]?.id)
const fund = async (): Promise<string> => {
  await api.post(`/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 })
  const { data } = expectStatus(await api.get('/transactions?limit=1'), 200)
  return text(data[0]?.id)
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  try {
    return (await connection.query<Record<string, unknown>>(statement)).rows
  } finally {
    await connection.end()
  }
}

const forgotten = expectStatus(
  await api.post('/customers', { customerType: 'INDIVIDUAL', fullName: 'Backed-up Bartholomew' }),
  201,
)
expectStatus(await api.delete(`/customers/${forgotten.id}`), 200)

const bank = '--name bank --kind http --ports rails --url https://127.0.0.1 --environment SANDBOX'
await operate({ florin }, `providers add ${bank}`)
await query(
  database.url,
  `insert into provider_orders (platform_id, id, provider_id, type, request, own_reference, created_at, execute_at, updated_at)
   select p.id, gen_random_uuid(), r.id, 'PAYOUT', '{}', 'waits', now(), now(), now()
   from platforms p, providers r where p.name = 'Backed up'`,
)

const backups = fileOf('backups')
await mkdir(backups)
await writeFile(join(backups, 'notes.txt'), 'no backup')
for (const [daysOld, name] of ['b', 'a'].entries()) await writeSmallBackup(name, daysOld)

/** Without a database: only that it is a backup matters, and its age. */
async function writeSmallBackup(name: string, daysOld: number): Promise<void> {
  const at = new Date(Date.now() - daysOld * 86_400_000)
  const noEntries = async function* (): AsyncGenerator<never> {}
  await writeArchive(join(backups, name), {
    keyring: createKeyring(MASTER_KEY),
    entries: noEntries(),
    about: { schema: 1, createdAt: at.toISOString() },
  })
  await utimes(join(backups, name), at, at)
}

/** The backup that all of these tests read: making one takes seconds of processor time. */
async function makeUnderLoad() {
  const before = await Promise.all(Array.from({ length: 20 }, fund))
  let left = 80
  const traffic = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left-- > 0) await fund()
    }),
  )
  const made = await makeBackup(settings, { to: join(backups, 'c'), keep: 2 })
  left = 0
  await traffic
  return { before, made }
}
const { before, made } = await makeUnderLoad()

/** Restored once, by the command, after somebody whom the backup knows was erased. */
async function restoreAfterErasure() {
  await operate({ florin }, `customers erase ${forgotten.id} --override-period`, '--note', 'asked')
  const erasures = join(dataDir, 'erasures.jsonl')
  await eventually(async () => assert.ok((await readFile(erasures, 'utf8')).includes(forgotten.id)))
  const restored = fileOf('restored')
  const options = ['--from', made.path, '--data-dir', restored, '--erasures', erasures, '--json']
  const args = ['restore', ...options]
  const { status, stdout, stderr } = await callFlorin({ args, env: texts, cwd: folder })
  assert.equal(status, 0, stderr)
  return { restored, proof: JSON.parse(stdout) as Body }
}
const { restored, proof } = await restoreAfterErasure()
const { url: restoredUrl, stop: stopRestored } = await startEmbeddedPostgres({
  dataDir: restored,
  log,
})
ends.push(stopRestored)

test('OPER-90 OPER-92 OPER-93 a backup made under load restores to a proven installation', async () => {
  assert.equal(made.ok, true)
  const [counter] = await query(
    database.url,
    'select max(last_sequence) as last from event_counters',
  )
  assert.equal(proof['ok'], true)
  assert.equal(proof['createdAt'], made.createdAt)
  assert.ok(Number(proof['entries']) >= before.length * 2)
  const rows = await query(restoredUrl, `select 'Transaction:' || id as id from transactions`)
  const found = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    before.filter((id) => !found.has(id)),
    [],
    'everything answered before is there',
  )
  const [raised] = await query(restoredUrl, 'select min(last_sequence) as last from event_counters')
  assert.ok(Number(raised?.['last']) > Number(counter?.['last']), 'no event number is used twice')
  const orders = await query(restoredUrl, 'select state, asks_first from provider_orders')
  assert.deepEqual(orders, [{ state: 'UNKNOWN', asks_first: true }], 'none is sent unasked')
})

test('OPER-90 OPER-92 an altered backup, another key and a folder in use are refused', async () => {
  const { path } = made
  const bytes = await readFile(path)
  assert.doesNotMatch(bytes.toString('latin1'), /Backed up|PG_VERSION/, 'nothing is in the clear')
  for (const at of [bytes.length >> 1, bytes.length - 1, 3]) {
    const altered = Buffer.from(bytes)
    altered[at] = (altered[at] ?? 0) ^ 1
    await writeFile(fileOf('altered.backup'), altered)
    const into = fileOf(`altered-${at}`)
    await assert.rejects(
      restoreBackup(settings, { from: fileOf('altered.backup'), dataDir: into }),
      { name: 'BackupError' },
    )
  }
  const other = loadSettings(
    { ...texts, MASTER_KEY: Buffer.alloc(32, 8).toString('base64') },
    { cwd: folder },
  )
  await assert.rejects(restoreBackup(other, { from: path, dataDir: fileOf('other') }), {
    name: 'BackupError',
  })
  await assert.rejects(restoreBackup(settings, { from: path, dataDir }), /is not empty/)
})

test('OPER-83 OPER-84 a backup under another key than the database has is refused, and removes none', async () => {
  const before = await readdir(backups)
  const key = Buffer.alloc(32, 8).toString('base64')
  const keys = (await query(database.url, 'select key_id from key_checks')).map((row) =>
    text(row['key_id']),
  )
  for (const [name, reason] of [
    ['other', /Master key \S+ is missing/],
    [keys[0], /is not the key this database was sealed with/],
  ] as const) {
    const other = loadSettings({ ...texts, MASTER_KEY: `${name}:${key}` }, { cwd: folder })
    const refused = { name: 'MasterKeyError', message: reason }
    await assert.rejects(makeBackup(other, { to: join(backups, 'x'), keep: 1 }), refused)
    assert.deepEqual(await readdir(backups), before)
  }
})

test('OPER-91 older backups go after success only, and a failed run leaves no file', async () => {
  assert.deepEqual((await readdir(backups)).sort(), ['b', 'c', 'notes.txt'])
  await assert.rejects(makeBackup(settings, { to: made.path, keep: 1 }), /exists already/)
  assert.deepEqual((await readdir(backups)).sort(), ['b', 'c', 'notes.txt'])
})

async function failedBackup(to: string): Promise<string> {
  const args = ['backup', '--to', to]
  const { status, stderr } = await callFlorin({ args, env: texts, cwd: folder })
  assert.equal(status, 1)
  const slots = `select 1 from pg_replication_slots where slot_name like 'florin_backup_%'`
  assert.deepEqual(await query(database.url, slots), [], 'the database copies no more')
  return stderr
}

test('OPER-91 CORE-83 a backup into a missing folder fails in one sentence', async () => {
  const to = fileOf('missing/x.bin')
  const said = await failedBackup(to)
  assert.match(said, /x\.bin\.partial cannot be written \(ENOENT: no such file or directory/)
  assert.equal(said.trimEnd().split('\n').length, 1, 'without a stack')
})

test('OPER-91 CORE-83 a disk that is full in the middle ends a backup and leaves no file', async (t) => {
  const some = await open(made.path, 'r')
  const handles = Object.getPrototypeOf(some) as FileHandle
  await some.close()
  const { mock } = t.mock.method(handles, 'writeFile')
  mock.mockImplementationOnce(() => Promise.reject(new Error('ENOSPC: no space left')), 5)
  const before = await readdir(backups)
  assert.match(
    await failedBackup(join(backups, 'full')),
    /full\.partial cannot be written \(ENOSPC/,
  )
  assert.deepEqual(await readdir(backups), before)
})

test('OPER-94 with DATABASE_URL both commands refuse and name the runbook', async () => {
  const own = loadSettings({ ...texts, DATABASE_URL: database.url }, { cwd: folder })
  const refused = { name: 'BackupError', message: /docs\/runbooks\/backup\.md/ }
  await assert.rejects(makeBackup(own, { to: fileOf('x') }), refused)
  await assert.rejects(restoreBackup(own, { from: fileOf('x'), dataDir: fileOf('y') }), refused)
})

test('OPER-95 doctor shows the last backup, and in production is not ok when it is too old', async () => {
  const check = async (changes: object) => {
    const deps = { ...florin.deps, settings: { ...florin.deps.settings, ...changes } }
    const { checks } = await operate({ florin: { ...florin, deps } }, 'doctor')
    return items(checks).find((one) => text(one['check']) === 'backup')
  }
  const now = florin.deps.clock.now()
  assert.match(text((await check({}))?.['detail']), new RegExp(`^last ${now.getUTCFullYear()}-`))
  assert.equal((await check({ production: true }))?.['ok'], true)
  assert.equal((await check({ production: true, backupMaxAgeHours: -1 }))?.['ok'], false)
  assert.equal((await check({ backupMaxAgeHours: -1 }))?.['ok'], true)
  const file = join(dataDir, 'last-backup.json')
  const whole = await readFile(file, 'utf8')
  for (const cut of ['', whole.slice(0, 20), '{"createdAt":"soon"}']) {
    await writeFile(file, cut)
    assert.deepEqual(await check({ production: true }), {
      check: 'backup',
      ok: false,
      detail: 'none known',
    })
  }
  await writeFile(file, whole)
})

test('OPER-76 what was erased since the backup is erased again in what is restored', async () => {
  const { erased } = proof['erasures'] as { erased: unknown }
  assert.equal(erased, 1, 'the backup had the data still')
  const named = `select 1 from customers where profile::text like '%Bartholomew%'`
  assert.deepEqual(await query(restoredUrl, named), [])
  assert.ok((await readFile(join(restored, 'erasures.jsonl'), 'utf8')).includes(forgotten.id))
})
