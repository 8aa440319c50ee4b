import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { isRoot, pickAccount, spawnIdsOf } from '../../src/infra/db/embedded/account.ts'
import { findPackage, prepareBinaries } from '../../src/infra/db/embedded/binaries.ts'
import { startEmbeddedPostgres } from '../../src/infra/db/embedded-postgres.ts'
import {
  ask,
  canStartAsOthers,
  makeFolder,
  makePlace,
  ORDINARY,
  prepareDatabase,
  startProcess,
} from './database-process.ts'

const ignore = (): void => undefined
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const makePlaceWithDatabase = await prepareDatabase()

/** As it comes without install scripts: no link between library names. By programs, since it is thousands of files. */
async function copyPackageWithoutLinks(folder: string) {
  const found = await findPackage()
  const native = join(folder, 'package', 'native')
  await mkdir(join(folder, 'package'))
  await promisify(execFile)('cp', ['-R', found.native, native])
  await promisify(execFile)('find', [native, '-type', 'l', '-delete'])
  return { native, version: found.version }
}

async function versionOf(postgres: string): Promise<string> {
  const options = { cwd: '/', env: {}, ...spawnIdsOf(await pickAccount()) }
  return (await promisify(execFile)(postgres, ['--version'], options)).stdout
}

test('CORE-80 library links that no install script made are made at the start', async () => {
  const folder = await makeFolder()
  const found = await copyPackageWithoutLinks(folder)
  await assert.rejects(versionOf(join(found.native, 'bin', 'postgres')))
  const { postgres } = await prepareBinaries({
    package: found,
    account: await pickAccount(),
    copiesDir: join(folder, 'copies'),
  })
  assert.equal(postgres, join(found.native, 'bin', 'postgres'))
  assert.match(await versionOf(postgres), /PostgreSQL\) 18\./)
})

const unusable = [
  {
    reason: 'a link to a database that is gone',
    make: (path: string) => symlink('/nowhere/at/all', path),
    says: /link to a database that is gone/,
  },
  {
    reason: 'a folder that holds something else',
    make: (path: string) => mkdir(path),
    says: /does not hold an embedded database/,
  },
  {
    reason: 'a database of another major version',
    async make(path: string) {
      await mkdir(join(path, 'cluster'), { recursive: true })
      await writeFile(join(path, 'cluster', 'PG_VERSION'), '17\n')
      await writeFile(join(path, 'password'), 'secret\n')
    },
    says: /made by PostgreSQL 17, this release brings 18/,
  },
]

for (const { reason, make, says } of unusable) {
  test(`CORE-80 ${reason} is refused in words, and left as it is`, async () => {
    const place = await makePlace()
    const path = join(place.dataDir, 'postgres')
    await make(path)
    await assert.rejects(startEmbeddedPostgres({ ...place, log: silent }), {
      name: 'EmbeddedPostgresError',
      message: says,
    })
    await lstat(path)
  })
}

if (await canStartAsOthers()) {
  test('CORE-80 an ordinary user runs the database under its own name', async () => {
    const place = await makePlace()
    await chown(place.dataDir, ORDINARY.uid, ORDINARY.gid)
    const first = await startProcess(place, { ids: ORDINARY })
    await ask(first.url, 'create table kept as select 42 as answer')
    assert.equal((await stat(join(place.dataDir, 'postgres'))).uid, ORDINARY.uid)
    await first.end()
  })

  test('CORE-80 root serves the database of an ordinary user without taking it away', async () => {
    const place = await makePlaceWithDatabase()
    const { uid, gid } = ORDINARY
    await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, place.dataDir])
    await (await startProcess(place, { ids: ORDINARY })).end()
    await (await startProcess(place)).end()
    const again = await startProcess(place, { ids: ORDINARY })
    assert.equal(await ask(again.url, 'select 1'), 1)
    await again.end()
  })

  test('CORE-80 an ordinary user is told whose database it is', async () => {
    const place = await makePlaceWithDatabase()
    await assert.rejects(
      startProcess(place, { ids: { uid: 1, gid: 1 } }),
      /belongs to another user/,
    )
  })
}

if (isRoot()) {
  test('CORE-80 a database restored as root is given to the account of the server', async () => {
    const place = await makePlaceWithDatabase()
    const first = await startProcess(place)
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.end()
    await promisify(execFile)('chown', ['-R', '0:0', join(place.dataDir, 'postgres')])
    const restored = await startProcess(place)
    assert.equal(await ask(restored.url, 'select answer from kept'), 42)
    await restored.end()
  })

  test('CORE-80 a data folder that is closed to others opens for the server alone', async () => {
    const place = await makePlace()
    await chmod(place.dataDir, 0o700)
    const first = await startProcess(place)
    assert.ok((await lstat(join(place.dataDir, 'postgres'))).isDirectory())
    const { mode, uid, gid } = await stat(place.dataDir)
    assert.deepEqual([mode & 0o777, uid, gid], [0o710, 0, (await pickAccount())?.gid])
    await first.end()
  })

  test("CORE-80 a data folder in root's home links to a database that its server can reach", async () => {
    const { dataDir: home, reachableDir } = await makePlace()
    await chmod(home, 0o700)
    const place = { dataDir: join(home, 'data'), reachableDir }
    const path = join(place.dataDir, 'postgres')
    const first = await startProcess(place)
    await ask(first.url, 'create table kept as select 42 as answer')
    await first.end()
    const target = await readlink(path)
    assert.ok(target.startsWith(place.reachableDir))
    assert.equal((await stat(target)).mode & 0o777, 0o700)

    const second = await startProcess(place)
    assert.equal(await ask(second.url, 'select answer from kept'), 42)
    await second.end()

    await rm(place.dataDir, { recursive: true })
    const restarted = await startProcess(place)
    assert.notEqual(await readlink(path), target)
    await assert.rejects(ask(restarted.url, 'select answer from kept'), { code: '42P01' })
    await restarted.end()
  })

  test("CORE-80 programs in root's home are copied once to where the server can reach them", async () => {
    const folder = await makeFolder()
    const found = await copyPackageWithoutLinks(folder)
    await chmod(join(folder, 'package'), 0o700)
    await assert.rejects(versionOf(join(found.native, 'bin', 'postgres')))
    const account = await pickAccount()
    const copiesDir = join(folder, 'copies')
    const prepare = () => prepareBinaries({ package: found, account, copiesDir })
    const [{ postgres }, together] = await Promise.all([prepare(), prepare()])
    assert.ok(postgres.startsWith(join(copiesDir, `postgresql-${found.version}`)))
    assert.equal(together.postgres, postgres)
    assert.match(await versionOf(postgres), /PostgreSQL\) 18\./)
    const made = (await stat(postgres)).ctimeMs
    assert.equal((await prepare()).postgres, postgres)
    assert.equal((await stat(postgres)).ctimeMs, made)
    assert.equal((await stat(postgres)).uid, 0, 'the account cannot change what it runs')
    assert.deepEqual(await readFile(postgres), await readFile(join(found.native, 'bin/postgres')))
  })
}
