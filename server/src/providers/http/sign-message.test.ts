import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMs } from '../../kernel/clock.ts'
import { newSecret, signMessage, verifyMessage } from './sign-message.ts'

/** Computed by another implementation of HMAC; the first is the example that the convention publishes. */
const VECTORS = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    id: 'Order:1',
    seconds: 1_800_000_000,
    body: '{"a":"é"}',
    signature: 'v1,Bt+AJ5rhcwRSdY388X1yCkPxsBDJm2B+KjnvJtO9rLM=',
  },
  {
    secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    id: 'm2',
    seconds: 1_800_000_000,
    body: '',
    signature: 'v1,dRWV9gqnMCqGBjI3PKYqgZXfsz9BTc/mCAiY3Qp0ZJ0=',
  },
]

for (const { secret, id, seconds, body, signature } of VECTORS) {
  test(`PROV-20 PROV-21 headers of ${id} are those that other implementations make and verify`, () => {
    const at = new Date(seconds * 1000 + 999)
    const headers = signMessage({ id, at, body }, [secret])
    assert.deepEqual(headers, {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
      'provider-protocol-version': '1',
      ...(body !== '' && { 'content-type': 'application/json' }),
    })
    const message = { headers, body: Buffer.from(body) }
    assert.equal(verifyMessage(message, { secrets: [secret], now: at }), id)
  })
}

const now = new Date('2026-11-15T10:00:00Z')
const [former, secret, strange] = [newSecret(), newSecret(), newSecret()]
const body = Buffer.from('{"reports":[]}')
const sign = (secrets: string[], at = now) => signMessage({ id: 'm1', at, body }, secrets)
const headers = sign([secret])
const take = (given: Record<string, string | string[] | undefined>, sent = body) =>
  verifyMessage({ headers: given, body: sent }, { secrets: [secret, former], now })

test('PROV-21 a secret is 32 random bytes', () => {
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(secret, former)
})

test('PROV-21 PROV-23 one valid signature of a live secret suffices', () => {
  assert.equal(take(headers), 'm1')
  assert.equal(take(sign([former])), 'm1')
  assert.equal(take(sign([strange, secret])), 'm1')
  const [first, second] = String(sign([secret, former])['webhook-signature']).split(' ')
  assert.equal(first, headers['webhook-signature'], 'the newest secret signs first')
  assert.equal(take({ ...headers, 'webhook-signature': `v1a,x v1, junk ${second}` }), 'm1')
})

const REFUSED: [string, Record<string, string | string[] | undefined>][] = [
  ['another secret', sign([strange])],
  ['no signature', { ...headers, 'webhook-signature': undefined }],
  ['an empty signature', { ...headers, 'webhook-signature': 'v1,' }],
  [
    'a signature of another version',
    { ...headers, 'webhook-signature': String(headers['webhook-signature']).replace('v1', 'v2') },
  ],
  ['another id', { ...headers, 'webhook-id': 'm2' }],
  ['no id', { ...headers, 'webhook-id': undefined }],
  ['two ids', { ...headers, 'webhook-id': ['m1', 'm1'] }],
  ['an id that is too long', { ...headers, 'webhook-id': 'm'.repeat(129) }],
  ['another time', { ...headers, 'webhook-timestamp': '1794736801' }],
  ['no time', { ...headers, 'webhook-timestamp': '' }],
  ['a time that is no number', { ...headers, 'webhook-timestamp': '1e9' }],
  ['301 s ago', sign([secret], addMs(now, -301_000))],
  ['301 s ahead', sign([secret], addMs(now, 301_000))],
]

for (const [what, given] of REFUSED) {
  test(`PROV-21 PROV-22 ${what} is refused`, () => assert.equal(take(given), undefined))
}

test('PROV-21 PROV-22 another body is refused, 300 s to either side are taken', () => {
  assert.equal(take(headers, Buffer.from('{"reports":[1]}')), undefined)
  assert.equal(take(sign([secret], addMs(now, -300_000))), 'm1')
  assert.equal(take(sign([secret], addMs(now, 300_000))), 'm1')
})
