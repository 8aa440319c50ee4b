/** Chapter 10, section 8: the acceptance scenarios of imports, seen by the API and by a webhook receiver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items } from '../kit/api.ts'
import {
  business,
  COLUMNS,
  csvOf,
  importCsv,
  individual,
  readImport,
  umaDomainOf,
} from '../kit/onboarding/bulk-import.ts'
import { connect, openReceiver } from '../kit/outside/connect-receiver.ts'
import { eventually } from '../kit/eventually.ts'
import { startKit } from '../kit/florin.ts'

const kit = await startKit()

test('scenario 16: two good rows and a bad one', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED' })
  const domain = await umaDomainOf(p)
  const receiver = await openReceiver()
  await connect(p, receiver)
  const rows = [
    individual({ umaAddress: `$ana@${domain}`, platformCustomerId: 'ana' }),
    business({ umaAddress: `$acme@${domain}`, platformCustomerId: 'acme' }),
    individual({
      umaAddress: `$bob@${domain}`,
      platformCustomerId: 'bob',
      birthDate: '1990-02-30',
    }),
  ]
  const job = await importCsv(p, csvOf(rows))
  assert.equal(job.status, 'COMPLETED')
  assert.deepEqual(job.progress, { total: 3, processed: 3, successful: 2, failed: 1 })
  assert.deepEqual(
    items(job.errors).map(({ correlationId }) => correlationId),
    ['bob'],
  )
  await eventually(() => assert.deepEqual(receiver.types(), ['BULK_UPLOAD.COMPLETED']))
  const [delivery] = receiver.ofType('BULK_UPLOAD.COMPLETED')
  assert.deepEqual(delivery?.event.data, await readImport(p, job.id))
  for (const platformCustomerId of ['ana', 'acme']) {
    const list = await p.api.get('/customers', { query: { platformCustomerId } })
    assert.equal(expectStatus(list, 200).data.length, 1)
  }
})

test('scenario 17: a header without customerType', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED' })
  const receiver = await openReceiver()
  await connect(p, receiver)
  const columns = COLUMNS.filter((column) => column !== 'customerType')
  const job = await importCsv(p, csvOf([individual({ platformCustomerId: 'ana' })], columns))
  assert.equal(job.status, 'FAILED')
  const [error] = items(job.errors)
  assert.equal(error?.correlationId, 'row_1')
  assert.equal(error.code, 'INVALID_CSV_FORMAT')
  await eventually(() => assert.deepEqual(receiver.types(), ['BULK_UPLOAD.FAILED']))
})
