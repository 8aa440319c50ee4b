import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { payee, payer, quoteBody } from '../../../test/kit/payments.ts'

const kit = await startOwnKit()
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('CORE-10 CORE-92 a client that sends another request’s id is told apart from it in the audit', async () => {
  const { platform, account } = await payer(await kit.platform())
  const { api, platformId } = platform
  const to = await payee(platform, 'EUR_ACCOUNT')
  const token = { name: 'of its own', permissions: ['VIEW'] }
  const first = await api.post('/tokens', token)
  const known = first.headers.get('x-request-id') ?? ''
  assert.match(known, UUID)

  const headers = { 'x-request-id': known }
  const quoted = await api.post('/quotes', quoteBody({ from: account, to, amount: 100 }), {
    headers,
  })
  const executed = await api.post(
    `/quotes/${expectStatus(quoted, 201).id}/execute`,
    {},
    { headers },
  )
  const answers = [
    await api.post('/tokens', token, { headers }),
    quoted,
    executed,
    await api.post('/sandbox/clock', { advanceSeconds: 1 }, { headers }),
  ]
  for (const answer of answers) {
    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.headers.get('x-request-id'), known)
  }

  type Entry = Readonly<Record<'requestId' | 'clientRequestId' | 'action' | 'resource', string>>
  const shown = (await operate(kit, `audit list --platform ${platformId}`)) as unknown as Entry[]
  assert.deepEqual(
    shown.filter((one) => one.requestId === known).map((one) => one.resource),
    [expectStatus(first, 201).id],
  )
  const beside = shown.filter((one) => one.clientRequestId === known)
  const actions = beside.map(({ action }) => action).toSorted()
  assert.deepEqual(actions, ['advanceSandboxClock', 'createQuote', 'createToken', 'executeQuote'])
  const ids = beside.map(({ requestId }) => requestId)
  assert.equal(new Set(ids).size, ids.length, 'each under an id that the service made')
  for (const id of ids) assert.match(id, UUID)
})
