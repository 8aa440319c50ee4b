import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertionAccepts, registrationPolicy, scaRelyingParty } from './relying-party.ts'

const ANDROID = 'android:apk-key-hash:pNiP5iKyQ8JwgGOaKA1zGPUPJIS0-H1xKCQcfIoGLck'

test('CRED-14 without configured origins, https and http on localhost are accepted', () => {
  const cases = [
    ['https://wallet.example.com', true, 'https'],
    ['https://wallet.example.com:8443', true, 'with a port'],
    ['https://localhost', true, 'https on localhost'],
    ['http://localhost', true, 'http on localhost'],
    ['http://localhost:3000', true, 'with a port'],
    ['http://wallet.example.com', false, 'http elsewhere'],
    ['http://app.localhost', false, 'below localhost'],
    ['http://127.0.0.1', false, 'an address is not localhost'],
    ['https://wallet.example.com/', false, 'no origin: a path'],
    ['https://WALLET.example.com', false, 'not as browsers spell it'],
    ['https://user@wallet.example.com', false, 'user info'],
    [ANDROID, false, 'an app, only when configured'],
    ['null', false, 'an opaque origin'],
    ['', false, 'none'],
  ] as const
  for (const [origin, expected, why] of cases) {
    assert.equal(registrationPolicy([]).accepts(origin), expected, why)
  }
})

test('CRED-14 without configured origins, the RP id is the host or a parent of two labels', () => {
  const { rpIdsOf } = registrationPolicy([])
  const cases = [
    ['https://a.b.example.com', ['a.b.example.com', 'b.example.com', 'example.com']],
    ['https://example.com', ['example.com']],
    ['http://localhost:3000', ['localhost']],
    ['https://192.0.2.1', ['192.0.2.1']],
    ['https://[2001:db8::1]', ['[2001:db8::1]']],
    ['http://example.com', []],
  ] as const
  for (const [origin, expected] of cases) assert.deepEqual(rpIdsOf(origin), expected, origin)
})

test('CRED-14 with configured origins, only they are accepted, with their hosts and parents', () => {
  const configured = ['https://app.example.com', 'https://login.example.org:8443', ANDROID]
  const policy = registrationPolicy(configured)
  for (const origin of configured) assert.equal(policy.accepts(origin), true, origin)
  for (const origin of ['https://example.com', 'http://localhost', 'https://login.example.org']) {
    assert.equal(policy.accepts(origin), false, origin)
  }
  const rpIds = ['app.example.com', 'example.com', 'login.example.org', 'example.org']
  assert.deepEqual(policy.rpIdsOf(ANDROID), rpIds)
})

test('CRED-14 the RP id found at registration binds the pages of later assertions', () => {
  const accepts = assertionAccepts([], 'example.com')
  const cases = [
    ['https://example.com', true],
    ['https://deep.app.example.com:444', true],
    ['https://badexample.com', false],
    ['https://example.com.evil.org', false],
    ['https://com', false],
    ['http://example.com', false],
  ] as const
  for (const [origin, expected] of cases) assert.equal(accepts(origin), expected, origin)
  assert.equal(assertionAccepts([], 'localhost')('http://localhost:5173'), true)
  const configured = assertionAccepts(['https://a.example.com'], 'example.com')
  assert.equal(configured('https://a.example.com'), true)
  assert.equal(configured('https://b.example.com'), false)
})

test('SCA-7 the relying party is the host of the first configured origin', () => {
  const party = scaRelyingParty([ANDROID, 'https://app.example.com:1'], 'PRODUCTION')
  assert.equal(party?.relyingPartyId, 'app.example.com')
  assert.deepEqual(party.allowedOrigins, [ANDROID, 'https://app.example.com:1'])
  assert.equal(party.policy.accepts(ANDROID), true)
  assert.equal(party.policy.accepts('https://app.example.com'), false)
  assert.deepEqual(party.policy.rpIdsOf(ANDROID), ['app.example.com'])
  assert.equal(scaRelyingParty([ANDROID], 'PRODUCTION'), undefined, 'no origin with a host')
})

test('SCA-7 without configured origins the sandbox is localhost on any port, production has none', () => {
  const party = scaRelyingParty([], 'SANDBOX')
  assert.equal(party?.relyingPartyId, 'localhost')
  assert.deepEqual(party.allowedOrigins, ['http://localhost'])
  assert.equal(party.policy.accepts('http://localhost'), true)
  assert.equal(party.policy.accepts('http://localhost:4173'), true)
  assert.equal(party.policy.accepts('https://example.com'), false)
  assert.equal(scaRelyingParty([], 'PRODUCTION'), undefined)
})
