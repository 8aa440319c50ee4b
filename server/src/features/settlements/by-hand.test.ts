import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../../test/kit/api.ts'
import { startOwnKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { payee, payer, quote, readTransaction } from '../../../test/kit/payments.ts'
import { railsSetup } from '../../../test/kit/setups/rails.ts'

const kit = await startOwnKit()

async function pay(platform: TestPlatform, suffix?: string): Promise<string> {
  const { account, customerId } = await payer(platform)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId, ...(suffix && { suffix }) })
  const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
  expectStatus(await platform.api.post(`/quotes/${made.id}/execute`), 200)
  return made.transactionId
}

const isListed = async (id: string): Promise<boolean> =>
  items(await operate(kit, 'settlements list')).some((one) => text(one['transactionId']) === id)

const waitsFor = async (id: string): Promise<unknown> =>
  (await operate(kit, `settlements show ${id}`))['waitsFor']

test('PROV-10 PROV-12 a sandbox platform whose rails are the operator’s is settled by hand', async () => {
  const platform = await kit.platform()
  const place = `--environment SANDBOX --platform ${platform.platformId}`
  await operate(kit, `providers add --name by-hand --kind manual --ports rails ${place}`)
  const id = await pay(platform)
  assert.equal((await readTransaction(platform, id)).status, 'PROCESSING')
  assert.equal(await isListed(id), true)
  assert.equal(await waitsFor(id), 'PAYOUT')
  await operate(kit, `settlements confirm ${id} --reference E2E-1`)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  assert.equal((await operate(kit, `settlements show ${id}`))['mayBeReturned'], true)
})

test('PROV-10 PROV-11 what the sandbox plays is not listed, however long it takes', async () => {
  const platform = await kit.platform()
  const id = await pay(platform, '003')
  assert.equal((await readTransaction(platform, id)).status, 'PROCESSING')
  assert.equal(await isListed(id), false)
  assert.equal(await waitsFor(id), undefined)
})

test('PROV-10 PROV-12 what a provider outside carries does not wait for the operator', async () => {
  const { pay: payByProvider, provider } = await railsSetup(kit)
  const id = await payByProvider()
  await provider.orderOf(id)
  assert.equal(await isListed(id), false)
  assert.equal(await waitsFor(id), undefined)
})
