import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from '../../src/infra/db/statement/sql.ts'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import { createPlatform } from '../../src/operator/create-platform.ts'
import { client, expectStatus, items, type Api } from '../kit/api.ts'
import {
  csvOf,
  endOf,
  individual,
  readImport,
  sendCsv,
  umaDomainOf,
} from '../kit/onboarding/bulk-import.ts'
import { eventually } from '../kit/eventually.ts'
import { openProcessKit } from '../kit/processes/process-kit.ts'
import type { ServerProcess } from '../kit/processes/server-process.ts'

const ROWS = 1000
const KILLS = 2

const dataDir = await mkdtemp(join(tmpdir(), 'florin-import-'))
const { operator, start } = await openProcessKit({ DATA_DIR: dataDir })
after(() => rm(dataDir, { recursive: true, force: true }))

/** As if two minutes had passed: the dead process's hold on its job ends. */
async function letLeasesRunOut(): Promise<void> {
  await operator.deps.db.read.run(
    sql`update jobs set leased_until = ${new Date(0)} where leased_until is not null`,
  )
}

async function processedOf(api: Api, jobId: string): Promise<number> {
  const { progress } = await readImport({ api }, jobId)
  assert.equal(Number(progress.processed), Number(progress.successful) + Number(progress.failed))
  return Number(progress.processed)
}

test('BULK-8 a service killed in the middle of an import neither skips nor doubles a row', async () => {
  const credentials = await createPlatform(operator.deps, {
    name: 'Import',
    kind: 'REGULATED',
    environment: 'SANDBOX',
    currencies: ['USD'],
  })
  const apiOf = ({ baseUrl }: ServerProcess): Api => client(baseUrl, credentials)
  let server = await start()
  const domain = await umaDomainOf({ api: apiOf(server) })
  const rows = Array.from({ length: ROWS }, (_, n) =>
    individual({
      umaAddress: `$c${n}@${domain}`,
      platformCustomerId: `c${n}`,
      // Every tenth fails: errors, too, are counted once.
      ...(n % 10 === 0 && { birthDate: 'never' }),
    }),
  )
  const accepted = await sendCsv(apiOf(server), csvOf(rows))
  const jobId = expectStatus(accepted, 202).jobId
  let before = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const api = apiOf(server)
    before = await eventually(async () => {
      const processed = await processedOf(api, jobId)
      assert.ok(processed > before)
      return processed
    }, 30_000)
    await server.end('SIGKILL')
    await letLeasesRunOut()
    server = await start()
    assert.ok((await processedOf(apiOf(server), jobId)) >= before, 'progress never goes back')
  }
  assert.ok(before < ROWS, 'it was killed in the middle')
  const api = apiOf(server)
  const job = await endOf({ api }, jobId)
  const failed = ROWS / 10
  const successful = ROWS - failed
  assert.equal(job.status, 'COMPLETED')
  assert.deepEqual(job.progress, { total: ROWS, processed: ROWS, successful, failed })
  const errors = items(job.errors).map(({ correlationId }) => correlationId)
  assert.deepEqual(
    errors,
    Array.from({ length: failed }, (_, n) => `c${n * 10}`),
  )
  const made = await operator.deps.db.read.one<{ count: bigint; ids: bigint; accounts: bigint }>(
    sql`select count(*), count(distinct platform_customer_id) as ids,
          (select count(*) from internal_accounts where customer_id is not null) as accounts from customers`,
  )
  const expected = BigInt(successful)
  assert.deepEqual(made, { count: expected, ids: expected, accounts: expected })
  const events = await api.get('/events', { query: { type: 'BULK_UPLOAD.COMPLETED' } })
  assert.equal(expectStatus(events, 200).data.length, 1)
  await server.end('SIGTERM')
  const { problems } = await checkLedger(operator.deps.db)
  assert.deepEqual(problems, [])
})
