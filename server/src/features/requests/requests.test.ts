import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'

const kit = await startKit()

/** Waits until so many requests are in the log, by the operator's command, which is not in it itself. */
const untilLogged = ({ platformId }: TestPlatform, count: number) =>
  eventually(async () => {
    const found = await operate(kit, `requests list --platform ${platformId}`)
    assert.equal(items(found).length, count)
  })

const list = async ({ api }: TestPlatform, query = {}) =>
  expectStatus(await api.get('/requests', { query }), 200)

test('OPER-157 a platform lists its own requests, newest first, with what became of them', async () => {
  const [platform, other] = [await kit.platform(), await kit.platform()]
  expectStatus(await other.api.get('/config'), 200)
  expectStatus(await platform.api.get('/customers', { headers: { 'x-request-id': 'mine' } }), 200)
  expectError(await platform.api.get('/customers/Customer:1'), 404, 'USER_NOT_FOUND')
  await untilLogged(platform, 2)
  const { data } = await list(platform)
  assert.equal(data.length, 2)
  const [refused, listed] = data
  assert.equal(refused?.error, 'USER_NOT_FOUND')
  assert.deepEqual([refused.method, refused.status], ['GET', 404])
  assert.deepEqual([listed?.operation, listed?.clientRequestId], ['listCustomers', 'mine'])
  assert.match(text(listed?.actor), /Token:/)
})

test('OPER-157 CORE-50 pages neither repeat nor skip, and MANAGE is needed', async () => {
  const platform = await kit.platform()
  for (let n = 0; n < 5; n += 1) expectStatus(await platform.api.get('/config'), 200)
  await untilLogged(platform, 5)
  const first = await list(platform, { limit: 2 })
  const second = await list(platform, { limit: 2, cursor: text(first.nextCursor) })
  const ids = [...first.data, ...second.data].map(({ requestId }) => requestId)
  assert.equal(new Set(ids).size, 4)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  const granted = { name: 'view', permissions: ['VIEW'] }
  const token = expectStatus(await platform.api.post('/tokens', granted), 201)
  const api = platform.api.with({
    clientId: token.clientId,
    clientSecret: text(token.clientSecret),
  })
  expectError(await api.get('/requests'), 403, 'FORBIDDEN')
})
