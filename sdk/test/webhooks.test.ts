/** Webhooks as the service really delivers them, and everything that is not one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, openReceiver } from '../../server/test/kit/outside/connect-receiver.ts'
import { eventually } from '../../server/test/kit/eventually.ts'
import { startKit } from '../../server/test/kit/florin.ts'
import { createFlorin, verifyWebhook, WebhookSignatureError } from '../src/index.ts'

const kit = await startKit()
const receiver = await openReceiver()
const platform = await kit.platform()
const other = await kit.platform()
await connect(platform, receiver)
const florin = createFlorin({ baseUrl: kit.baseUrl, ...platform })
const publicKey = platform.webhookPublicKey

const [account] = await florin.platform.internalAccounts.list({ currency: 'USD' }).toArray()
assert.ok(account)
await florin.sandbox.fund(account.id, { amount: 12_345 })
const delivery = await eventually(() => {
  const [found] = receiver.ofType('INTERNAL_ACCOUNT.BALANCE_UPDATED')
  assert.ok(found)
  return found
})
const { raw: payload, headers } = delivery

const refused = (given: Partial<Parameters<typeof verifyWebhook>[0]>, why: RegExp) =>
  assert.rejects(verifyWebhook({ payload, headers, publicKey, ...given }), (error) => {
    assert.ok(error instanceof WebhookSignatureError)
    assert.match(error.message, why)
    return true
  })

test('HOOK-20 a delivered event verifies and is typed', async () => {
  const event = await verifyWebhook({ payload, headers, publicKey })
  assert.ok(event.type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED')
  assert.equal(event.data.balance.amount, 12_345)
  assert.equal(event.data.id, account.id)
  assert.equal(event.id, delivery.event.id)
})

test('the body may be bytes or text, the headers of any kind', async () => {
  const value = String(headers['x-service-signature'])
  const payloads = [payload, payload.toString(), new Uint8Array(payload).buffer]
  const kinds = [headers, value, new Headers({ 'X-Service-Signature': value })]
  for (const one of payloads) {
    for (const kind of [...kinds, { 'X-Service-Signature': value }]) {
      const event = await verifyWebhook({ payload: one, headers: kind, publicKey })
      assert.equal(event.id, delivery.event.id)
    }
  }
})

test('HOOK-21 any changed byte is refused', async () => {
  for (let index = 0; index < payload.length; index += 37) {
    const changed = Buffer.from(payload)
    changed[index] = (changed[index] ?? 0) ^ 1
    await refused({ payload: changed }, /not one of this key/)
  }
  await refused({ payload: JSON.stringify(JSON.parse(payload.toString()), null, 1) }, /not one/)
})

test('HOOK-21 the key of another platform is refused; of two keys either will do', async () => {
  await refused({ publicKey: other.webhookPublicKey }, /not one of this key/)
  const keys = [other.webhookPublicKey, publicKey]
  assert.ok(await verifyWebhook({ payload, headers, publicKey: keys }))
})

const signature = (change: (value: { v: string; s: string }) => unknown): string =>
  JSON.stringify(change(JSON.parse(String(headers['x-service-signature'])) as never))

const UNREADABLE = [
  ['no JSON', 'abc'],
  ['no object', 'null'],
  ['another version', signature((value) => ({ ...value, v: '2' }))],
  ['no signature', signature(({ v }) => ({ v }))],
  ['base64url', signature(({ v, s }) => ({ v, s: `${s.replaceAll('=', '')}-_` }))],
  ['no DER', signature(({ v }) => ({ v, s: btoa('no signature') }))],
  ['an empty one', signature(({ v }) => ({ v, s: '' }))],
] as const

for (const [because, header] of UNREADABLE) {
  test(`HOOK-20 a header is refused that is ${because}`, () =>
    refused({ headers: header }, /cannot be read/))
}

test('a delivery without the header is refused, also where the word in it is another', async () => {
  await refused({ headers: {} }, /no signature/)
  await refused({ headerBrand: 'Acme' }, /no signature/)
  await refused({ wireBrand: 'Acme' }, /no signature/)
})

test('an event is refused once it is older than allowed', async () => {
  await refused({ toleranceSeconds: -1 }, /too old/)
  assert.ok(await verifyWebhook({ payload, headers, publicKey, toleranceSeconds: 600 }))
})

test('a malformed key is the caller’s mistake, not the sender’s', () =>
  assert.rejects(verifyWebhook({ payload, headers, publicKey: 'abc' }), TypeError))
