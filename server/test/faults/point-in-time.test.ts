/** The drill of docs/runbooks/backup.md on a PostgreSQL of one's own, where its programs are installed. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { createFlorin } from '../../src/app/florin.ts'
import { pickAccount, spawnIdsOf } from '../../src/infra/db/embedded/account.ts'
import { findFreePort } from '../../src/infra/db/embedded/postmaster.ts'
import { migrate } from '../../src/infra/db/migrate.ts'
import { verifyMasterKeys } from '../../src/infra/settings/key-checks.ts'
import { loadSettings } from '../../src/infra/settings/settings.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { blocksOf, ROOT } from '../kit/pages/doc-examples.ts'
import { eventually } from '../kit/eventually.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'
import { silentLog as log } from '../kit/processes/silent-log.ts'

const run = promisify(execFile)
const [initdb] = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted().toReversed()

async function drillOf(name: string): Promise<string> {
  const blocks = await blocksOf('docs/runbooks/backup.md')
  const block = blocks.find((one) => one.mark === 'drill' && one.name === name)
  return block?.code ?? assert.fail(`the runbook has the drill ${name}`)
}

async function names(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from platforms where kind <> 'HOUSE' order by created_at`,
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** A server of its own that archives its log, as the runbook says, and a shell that runs blocks beside it. */
async function startOwnServer(bin: string) {
  const folder = await mkdtemp(join(tmpdir(), 'florin-drill-'))
  const account = await pickAccount()
  const backups = join(folder, 'backups')
  await mkdir(join(backups, 'log'), { recursive: true })
  if (account) {
    await chmod(folder, 0o755)
    for (const path of [folder, backups, join(backups, 'log')])
      await chown(path, account.uid, account.gid)
  }
  const [port, restoredPort] = [await findFreePort(), await findFreePort()]
  const urlOn = (at: number): string => `postgres://florin@127.0.0.1:${at}/postgres`
  const env = {
    ...process.env,
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
    DATABASE_URL: urlOn(port),
    DATA_DIR: join(folder, 'data'),
    MASTER_KEY,
    BACKUPS: backups,
    RESTORED: join(folder, 'restored'),
    RESTORED_URL: urlOn(restoredPort),
    PORT: String(restoredPort),
  }
  const shell = async (code: string, more: Record<string, string> = {}, as: object = {}) => {
    const options = { env: { ...env, ...more }, cwd: ROOT, ...as }
    return (await run('bash', ['-c', `set -euo pipefail\n${code}`], options)).stdout
  }
  const asServer = (code: string, more: Record<string, string> = {}) =>
    shell(code, more, { cwd: '/', ...spawnIdsOf(account) })
  const data = join(folder, 'server')
  await asServer(
    `initdb --pgdata=${data} --username=florin --auth=trust --encoding=UTF8 --locale=C`,
  )
  const settings = [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    'archive_mode = on',
    `archive_command = 'test ! -f ${backups}/log/%f && cp %p ${backups}/log/%f'`,
  ]
  await asServer(
    `cat >> ${data}/postgresql.auto.conf`.concat(` <<'END'\n${settings.join('\n')}\nEND`),
  )
  await asServer(`pg_ctl --pgdata=${data} --log=${data}/log --wait start`)
  after(async () => {
    for (const one of [data, env.RESTORED]) {
      await asServer(`pg_ctl --pgdata=${one} --mode=immediate --wait stop || true`)
    }
    await rm(folder, { recursive: true, force: true })
  })
  return { env, shell, asServer }
}

test('OPER-94 the runbook’s drill goes back to an instant, and what is restored passes every check', async (t) => {
  if (initdb === undefined) {
    t.diagnostic('not run: PostgreSQL’s programs are not installed on this machine')
    return
  }
  const { env, shell, asServer } = await startOwnServer(dirname(initdb))
  const url = env.DATABASE_URL
  await migrate(url)
  const settings = loadSettings(
    { MASTER_KEY, DATABASE_URL: url, DATA_DIR: env.DATA_DIR },
    { cwd: ROOT },
  )
  const florin = await createFlorin({
    settings: { ...settings, databaseUrl: url, masterKey: MASTER_KEY },
    log,
    worker: false,
  })
  after(() => florin.stop())
  await verifyMasterKeys(florin.deps)
  const create = (name: string) =>
    createPlatform(florin.deps, {
      name,
      kind: 'REGULATED',
      environment: 'SANDBOX',
      currencies: ['USD'],
    })
  await create('before the backup')
  await asServer(await drillOf('base backup'))
  await create('after the backup')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ point: string }>(`select clock_timestamp()::text as point`)
  await create('the mistake')
  await client.query('select pg_switch_wal()')
  await client.end()

  await asServer(await drillOf('restore'), { POINT: rows[0]?.point ?? '' })
  await eventually(async () =>
    assert.deepEqual(await names(env.RESTORED_URL), ['before the backup', 'after the backup']),
  )
  const checked = await shell(await drillOf('check'))
  assert.match(checked, /ok\s+true/)
  assert.doesNotMatch(checked, /ok\s+false/)
})
