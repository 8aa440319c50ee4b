import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { createFlorin } from '../../../app/florin.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { verifyMasterKeys } from '../../../infra/settings/key-checks.ts'
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS, systemClock } from '../../../kernel/clock.ts'
import { expectStatus } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { runningChecks } from './running-checks.ts'
import { MASTER_KEY } from '../../../../test/kit/processes/server-process.ts'

/** Real time, which the tests move. */
let aheadMs = 0
beforeEach(() => void (aheadMs = 0))
const clock = { now: () => addMs(systemClock.now(), aheadMs) }
const kit = await startOwnKit({ AUDIT_SINK_FILE: '/dev/null' }, { clock, worker: false })
const { deps } = kit.florin

type Check = Readonly<{ check: string; ok: boolean; detail: string }>

async function checkOf(name: string): Promise<Check> {
  const { checks } = await operate<{ checks: readonly Check[] }>(kit, 'doctor')
  const found = checks.find(({ check }) => check === name)
  assert.ok(found, `doctor has the line ${name}`)
  return found
}

const gauge = async (name: string): Promise<number> => {
  const text = await kit.florin.metrics.registry.metrics()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test('OPER-143 CORE-84 work that no process does is shown until one does it', async () => {
  const { api } = await kit.platform()
  const receiver = await openReceiver()
  expectStatus(await api.patch('/config', { webhookEndpoint: receiver.url }), 200)
  assert.equal((await checkOf('background')).ok, true)
  assert.ok((await gauge('florin_webhook_backlog')) >= 1, 'events without a number count too')

  aheadMs = DAY_MS + 6 * MINUTE_MS
  const { ok, detail } = await checkOf('background')
  assert.equal(ok, false)
  assert.match(detail, /a job has been due for \d+ s/)
  assert.match(detail, /an event has waited to be sent for \d+ s/)
  assert.match(detail, /an audit entry has waited to be chained for \d+ s/)
  assert.equal((await checkOf('audit sink')).ok, false, 'what is not chained is not sent either')
  const anna = await (await openDashboard(kit)).signIn()
  assert.match((await anna.get('/')).text, /an event has waited to be sent/)

  const { settings, log } = deps
  const worker = await createFlorin({
    settings: { ...settings, databaseUrl: kit.databaseUrl, masterKey: MASTER_KEY },
    log,
    clock,
  })
  await eventually(async () => assert.equal((await checkOf('background')).ok, true))
  await worker.stop()
})

test('OPER-84 OPER-143 a process without a key that others seal with says so', async () => {
  const { db } = deps
  assert.equal((await checkOf('master key')).ok, true)
  await db.read.run(
    sql`insert into key_checks (key_id, check_value, created_at) values ('2099a', ${Buffer.alloc(16)}, ${clock.now()})`,
  )
  const { ok, detail } = await checkOf('master key')
  assert.deepEqual([ok, detail], [false, '2099a is not configured in this process'])
  await db.read.run(sql`update key_checks set retired_at = now() where key_id = '2099a'`)
  assert.equal((await checkOf('master key')).ok, true)
})

test('OPER-84 OPER-143 a rotation that has left a process behind is shown there', async () => {
  const { newestKeyId } = deps.keyring
  const newKey = Buffer.alloc(32, 9).toString('base64')
  const { settings, log } = deps
  const ahead = await createFlorin({
    settings: {
      ...settings,
      databaseUrl: kit.databaseUrl,
      masterKey: `2026b:${newKey},${newestKeyId}:${MASTER_KEY}`,
    },
    log,
    worker: false,
  })
  await verifyMasterKeys(ahead.deps)
  await operate(
    { florin: ahead },
    'providers add --name bank --kind http --url http://127.0.0.1:9 --ports cards',
  )
  assert.equal((await checkOf('master key')).detail, '2026b is not configured in this process')
  assert.match((await checkOf('providers')).detail, /do not open in this process/)

  await operate({ florin: ahead }, 'keys reseal')
  const { detail } = await checkOf('master key')
  assert.match(
    detail,
    new RegExp(`${newestKeyId} is retired, and this process still seals with it`),
  )
  assert.equal((await operate({ florin: ahead }, 'keys check'))['ok'], true)
  await kit.platform()
  assert.equal((await operate({ florin: ahead }, 'keys check'))['ok'], false)
  await ahead.stop()
})

test('OPER-143 a clock that differs from that of the database is shown', async () => {
  assert.equal((await checkOf('clock')).ok, true)
  for (const [seconds, words] of [
    [60, /^[56]\d\.\d s ahead of the database$/],
    [-60, /^[56]\d\.\d s behind the database$/],
  ] as const) {
    aheadMs = seconds * SECOND_MS
    const { ok, detail } = await checkOf('clock')
    assert.equal(ok, false)
    assert.match(detail, words)
    assert.ok(Math.abs((await gauge('florin_clock_skew_seconds')) - seconds) < 5)
  }
})

test('OPER-143 a data folder in which nothing can be written is shown', async () => {
  assert.match((await checkOf('files')).detail, /GiB free/)
  const dataDir = join(kit.dataDir, 'a-file')
  await writeFile(dataDir, '')
  const settings = { ...deps.settings, dataDir }
  const found = (await runningChecks({ ...deps, settings })).find(({ check }) => check === 'files')
  const detail = `nothing can be written in ${dataDir} (ENOTDIR)`
  assert.deepEqual(found, { check: 'files', ok: false, detail })
})
