import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../server/test/kit/api.ts'
import { startKit, type TestPlatform } from '../server/test/kit/florin.ts'
import { callFlorin } from '../server/test/kit/operator.ts'

const kit = await startKit()

const play = ({ clientId, clientSecret }: TestPlatform, line: string) =>
  callFlorin({
    args: line.split(' '),
    cwd: import.meta.dirname,
    env: {
      FLORIN_ORIGIN: new URL(kit.baseUrl).origin,
      FLORIN_CLIENT_ID: clientId,
      FLORIN_CLIENT_SECRET: clientSecret,
      XDG_CONFIG_HOME: '/nowhere',
    },
  })

/** What was paid and bought, in the order of the platform's records. */
async function amountsOf({ api }: TestPlatform): Promise<readonly unknown[]> {
  const { data } = expectStatus(await api.get('/transactions', { query: { limit: 100 } }), 200)
  return data.map(({ type, sentAmount, receivedAmount }) => [
    type,
    sentAmount?.amount,
    receivedAmount?.amount,
  ])
}

test('OPER-158 the same seed makes the same month, with payments, purchases and every kind of customer', async () => {
  const [one, same, other] = [await kit.platform(), await kit.platform(), await kit.platform()]
  for (const [platform, seed] of [
    [one, 7],
    [same, 7],
    [other, 8],
  ] as const) {
    const { status, stdout, stderr } = await play(platform, `demo --days 6 --seed ${seed} --json`)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /"customers":16,"payments":[1-9]\d*,"purchases":[1-9]\d*,"agents":1/)
  }
  assert.deepEqual(await amountsOf(same), await amountsOf(one))
  assert.notDeepEqual(await amountsOf(other), await amountsOf(one))
  const { data } = expectStatus(await one.api.get('/customers', { query: { limit: 100 } }), 200)
  for (const region of ['DE', 'FR', 'IT']) {
    const { id: customerId } = data.find((customer) => customer.region === region) ?? {}
    const query = { customerId: String(customerId) }
    const { factors } = expectStatus(await one.api.get('/sca/factors', { query }), 200)
    assert.deepEqual(factors.map(({ factor }) => factor).toSorted(), ['SMS_OTP', 'TOTP'])
  }
  const statuses = new Set(data.map(({ kycStatus }) => kycStatus))
  for (const status of ['APPROVED', 'PENDING', 'REJECTED', 'UNVERIFIED'])
    assert.ok(statuses.has(status as never), status)
})

test('OPER-158 on a production platform nothing is made', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION' })
  const { status, stderr } = await play(platform, 'demo')
  assert.equal(status, 1)
  assert.match(stderr, /^florin: FORBIDDEN/)
  assert.deepEqual(expectStatus(await platform.api.get('/customers'), 200).data, [])
  assert.match((await play(platform, 'demo --days many')).stderr, /--days is a whole number/)
})
