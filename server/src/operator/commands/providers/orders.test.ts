import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../../test/kit/api.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { scriptedProvider } from '../../../../test/kit/outside/scripted-provider.ts'
import { railsSetup } from '../../../../test/kit/setups/rails.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

test('PROV-8 PROV-12 an order stays where the other provider is manual, or of another platform', async () => {
  const { provider, pay, settles, platform } = await railsSetup(kit)
  await operate(kit, `providers update ${provider.id} --status PAUSED`)
  const [order] = items(await operate(kit, `orders list --transaction ${await pay()}`))
  const railsOf = ({ platformId }: TestPlatform) =>
    `--environment SANDBOX --platform ${platformId} --ports rails`
  await operate(kit, `providers add --name by-hand --kind manual ${railsOf(platform)} --rail ACH`)
  const elsewhere = await scriptedProvider(kit, railsOf(await kit.platform()))
  for (const other of ['by-hand', elsewhere.id]) {
    const line = `orders reassign ${text(order?.['orderId'])} --provider ${other}`
    await assert.rejects(operate(kit, line), {
      code: 'CONFLICT',
      details: { reason: 'PORT_NOT_GRANTED' },
    })
  }
  provider.answer(({ body }) => ({ json: { state: 'SETTLED', amount: body['amount'] } }))
  await operate(kit, `providers update ${provider.id} --status ENABLED`)
  await settles(text(order?.['transactionId']), 'COMPLETED')
})

test('PROV-8 reports about an order are taken from its provider though the port was withdrawn', async () => {
  const { provider, pay, settles } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await operate(kit, `providers update ${provider.id} --ports prices`)
  const amount = { amount: 9_154, currency: 'EUR' }
  const report = async (sequence: number, said: object) =>
    text((await provider.report(order, sequence, said))['result'])
  assert.equal(await report(1, { state: 'SETTLED', amount }), 'APPLIED')
  await settles(id, 'COMPLETED')
  assert.equal(await report(2, { state: 'RETURNED', amount, returnId: 'R1' }), 'APPLIED')
  const others = { reports: [{ orderId: `Order:${newUuid()}` }, null] }
  const refused = await provider.post('reports', others)
  assert.deepEqual([refused['status'], refused['code']], [403, 'FORBIDDEN'])
})
