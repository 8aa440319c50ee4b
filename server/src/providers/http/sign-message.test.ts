import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { signMessage, verifyMessage } from './sign-message.ts'

const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
const NOW = 1_700_000_000
const [first, second] = [newSecret(), newSecret()]
const message = { id: 'msg_1', timestampSeconds: NOW, body: '{"a":"ü"}' }

const headersOf = (signature: string, timestampSeconds = NOW) => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': signature,
})

const verify = (headers: Record<string, string | undefined>, secrets = [first]): boolean =>
  verifyMessage({ secrets, headers, body: message.body, nowSeconds: NOW })

test('a signature is the one that Standard Webhooks publishes for its example', () => {
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
  const body = '{"test": 2432232314}'
  const signed = { secrets, id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body }
  assert.equal(signMessage(signed), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('one valid signature suffices, by any of the secrets', () => {
  const both = signMessage({ ...message, secrets: [second, first] })
  assert.equal(both.split(' ').length, 2)
  assert.ok(verify(headersOf(both)))
  assert.ok(verify(headersOf(signMessage({ ...message, secrets: [second] })), [first, second]))
  assert.ok(verify(headersOf(`v1,AAAA ${signMessage({ ...message, secrets: [first] })}`)))
  assert.ok(!verify(headersOf(signMessage({ ...message, secrets: [newSecret()] }))))
  assert.ok(!verify(headersOf(signMessage({ ...message, secrets: [first], body: '{}' }))))
  assert.ok(!verify(headersOf(signMessage({ ...message, secrets: [first] }).slice(3))))
})

test('a timestamp is at most 300 s from now, and no header is missing', () => {
  for (const [offset, isNear] of [
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ] as const) {
    const at = NOW + offset
    const signature = signMessage({ ...message, timestampSeconds: at, secrets: [first] })
    assert.equal(verify(headersOf(signature, at)), isNear, `${offset} s`)
  }
  const whole = headersOf(signMessage({ ...message, secrets: [first] }))
  for (const name of Object.keys(whole)) assert.ok(!verify({ ...whole, [name]: undefined }), name)
})
