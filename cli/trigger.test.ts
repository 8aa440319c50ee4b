import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EVENT_TYPES } from '../server/src/webhooks/event-types.ts'
import { connect, openReceiver } from '../server/test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../server/test/kit/customers.ts'
import { startKit } from '../server/test/kit/florin.ts'
import { callFlorin } from '../server/test/kit/operator.ts'
import { expectStatus, type Body } from '../server/test/kit/api.ts'
import { NOT_TRIGGERED, TRIGGERS } from './trigger/triggers.ts'

const kit = await startKit()
const platform = await kit.platform()
await connect(platform, await openReceiver())
const env = {
  FLORIN_ORIGIN: new URL(kit.baseUrl).origin,
  FLORIN_CLIENT_ID: platform.clientId,
  FLORIN_CLIENT_SECRET: platform.clientSecret,
  XDG_CONFIG_HOME: '/nowhere',
}

const florin = (line: string) =>
  callFlorin({ args: line.split(' '), env, cwd: import.meta.dirname })

describe('trigger', () => {
  test('OPER-154 every type of event is triggered, or said why not', () => {
    assert.deepEqual(
      [...Object.keys(TRIGGERS), ...Object.keys(NOT_TRIGGERED)].toSorted(),
      EVENT_TYPES.toSorted(),
    )
  })

  for (const type of Object.keys(TRIGGERS)) {
    test(`OPER-154 ${type} comes of real objects`, async () => {
      const { status, stdout, stderr } = await florin(`trigger ${type} --json`)
      assert.equal(status, 0, stderr)
      const { id } = JSON.parse(stdout) as { id: string }
      assert.equal(expectStatus(await platform.api.get(`/events/${id}`), 200).type, type)
    })
  }

  test('OPER-154 it happens to what is given, and an unknown type is refused with all there are', async () => {
    const { id } = await createCustomer(platform, { fullName: 'Own Customer' })
    const { stdout } = await florin(`trigger CARD_TRANSACTION.AUTHORIZED --on ${id} --json`)
    const event = expectStatus(
      await platform.api.get(`/events/${String((JSON.parse(stdout) as Body)['id'])}`),
      200,
    )
    const [card] = expectStatus(
      await platform.api.get('/cards', { query: { customerId: id } }),
      200,
    ).data
    assert.ok(card)
    assert.ok(JSON.stringify(event.data).includes(card.id))
    assert.match(
      (await florin('trigger NOTHING')).stderr,
      /There is no event NOTHING\. There are CUSTOMER/,
    )
    const reserved = await florin('trigger CARD.FUNDING_SOURCE_CHANGE')
    assert.match(reserved.stderr, /^florin: No call of a sandbox brings CARD.* about\. A customer/)
  })
})
