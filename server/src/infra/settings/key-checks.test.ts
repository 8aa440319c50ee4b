import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { items } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { callFlorin, operate } from '../../../test/kit/operator.ts'
import { createKeyring } from '../../crypto/keyring.ts'
import { sql } from '../db/statement/sql.ts'
import { verifyMasterKeys } from './key-checks.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const FIRST = `first:${randomBytes(32).toString('base64')}`
const SECOND = `second:${randomBytes(32).toString('base64')}`
const run = promisify(execFile)
const bin = (name: string): string => join(import.meta.dirname, '../../bin', name)

const dataDir = await mkdtemp(join(tmpdir(), 'florin-keys-'))
after(() => rm(dataDir, { recursive: true, force: true }))

const verify = (masterKey: string): Promise<void> =>
  verifyMasterKeys({ ...deps, keyring: createKeyring(masterKey) })

async function start(name: string, args: string[], env: Record<string, string>) {
  const given = { ...process.env, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', ...env }
  const options = { env: given, cwd: dataDir, timeout: 60_000 }
  const failed = await run(process.execPath, [bin(name), ...args], options).then(
    () => undefined,
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
  assert.ok(failed, 'it does not go on')
  return failed
}

test('OPER-83 a key that is not the one of its name is refused, by the service and by every command', async () => {
  const { masterKey = '' } = deps.settings
  await verify(masterKey)
  await verify(`${FIRST},${masterKey}`)
  const wrong = `first:${randomBytes(32).toString('base64')}`
  const sentence = /Master key first is not the key this database was sealed with\./
  await assert.rejects(verify(`${wrong},${masterKey}`), sentence)
  const env = { DATABASE_URL: kit.databaseUrl, MASTER_KEY: `${wrong},${masterKey}` }
  for (const [name, args] of [
    ['server.ts', []],
    ['florin.ts', ['doctor']],
    ['florin.ts', ['platforms', 'list']],
  ] as const) {
    const { code, stdout, stderr } = await start(name, [...args], env)
    assert.equal(code, 1)
    assert.match(stderr, sentence)
    assert.equal(stdout, '', 'nothing is served or printed')
  }
})

test('OPER-82 OPER-83 the key of a command serves, and another one under its name does not', async () => {
  const file = join(dataDir, 'run-key')
  const call = async (masterKey: string) => {
    await writeFile(file, masterKey, { mode: 0o600 })
    const env = { DATABASE_URL: kit.databaseUrl, MASTER_KEY_COMMAND: `cat ${file}` }
    const given = { ...env, PATH: process.env['PATH'], DATA_DIR: dataDir }
    return callFlorin({ args: ['keys', 'check', '--json'], env: given, cwd: dataDir })
  }
  const known = `${FIRST},${deps.settings.masterKey}`
  const { status, stdout } = await call(known)
  assert.equal(status, 0)
  assert.equal((JSON.parse(stdout) as { ok: boolean }).ok, true)
  const wrong = await call(known.replace(FIRST, `first:${randomBytes(32).toString('base64')}`))
  assert.equal(wrong.status, 1)
  assert.match(wrong.stderr, /Master key first is not the key this database was sealed with\./)
  await rm(file)
})

test('OPER-84 a key that values may need must be configured until it is retired', async () => {
  const { masterKey = '' } = deps.settings
  await verify(`${SECOND},${FIRST},${masterKey}`)
  await assert.rejects(verify(`${SECOND},${masterKey}`), /Master key first is missing/)
  const both = {
    florin: {
      ...kit.florin,
      deps: { ...deps, keyring: createKeyring(`${SECOND},${FIRST},${masterKey}`) },
    },
  }
  await kit.platform()
  const before = items((await operate(both, 'keys check'))['keys'])
  const original = before.find(({ values }) => Number(values) > 0)
  assert.ok(original, 'values are sealed with the key of the installation')
  assert.equal(original['retired'], false)
  await operate(both, 'keys reseal')
  const states = items((await operate(both, 'keys check'))['keys']).map(
    ({ keyId, configured, checkOk, retired, values }) => [
      keyId,
      configured,
      checkOk,
      retired,
      Number(values) > 0,
    ],
  )
  assert.deepEqual(states, [
    [original['keyId'], true, true, true, false],
    ['first', true, true, true, false],
    ['second', true, true, false, true],
  ])
  await verify(SECOND)
  await verify(`${FIRST},${SECOND}`)
  await assert.rejects(
    verify(SECOND),
    /Master key first is missing/,
    'it protects new values again',
  )
})

test('OPER-83 a database that was sealed before keys were recorded proves its key by a value', async () => {
  await kit.platform()
  await deps.db.read.run(sql`delete from key_checks`)
  const other = randomBytes(32).toString('base64')
  await assert.rejects(verify(other), /The master key is not the key this database was sealed with/)
  assert.deepEqual(await deps.db.read.many(sql`select from key_checks`), [])
  await verify(`${SECOND},${FIRST},${deps.settings.masterKey}`)
})

test('CORE-83 a command makes neither a database nor a key, and says where it looked', async () => {
  const { code, stderr } = await start('florin.ts', ['platforms', 'list'], {
    DATABASE_URL: '',
    MASTER_KEY: '',
  })
  assert.equal(code, 1)
  assert.ok(stderr.includes(`There is no database in ${dataDir}`), stderr)
  const onUrl = await start('florin.ts', ['platforms', 'list'], {
    DATABASE_URL: kit.databaseUrl,
    MASTER_KEY: '',
  })
  assert.equal(onUrl.code, 1)
  assert.ok(onUrl.stderr.includes(join(dataDir, 'master.key')), onUrl.stderr)
  assert.deepEqual(await readdir(dataDir), [])
})
