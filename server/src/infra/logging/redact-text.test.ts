import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newWebhookKeyPair } from '../../crypto/webhook-signature.ts'
import { redactText } from './redact-text.ts'

const cases = [
  ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted]', 'Basic credentials'],
  ['bearer abc.def-123~x', 'bearer [redacted]', 'a bearer token, in small letters'],
  ['token eyJhbGciOi.eyJzdWIi.c2ln!', 'token [redacted token]!', 'a JWT'],
  ['agent agt_abc-123 came', 'agent [redacted token] came', 'an agent token'],
  ['postgres://u:p%40w@db:5432/x', 'postgres://u:[redacted]@db:5432/x', 'a database password'],
  ['GET /kyc?token=abc&lang=de', 'GET /kyc?token=[redacted]&lang=de', 'a token in a query'],
  ['/reveal?lang=de&code=1 2', '/reveal?lang=de&code=[redacted] 2', 'a code in a query'],
  ['/verify/aB3-_dE5gH7jK9mN/state', '/verify/[redacted]/state', 'a verification link'],
  ['/device-codes/agent-2345/redeem', '/device-codes/[redacted]/redeem', 'a device code'],
  ['/invitations/abcdefghjk2345678mnp/claim', '/invitations/[redacted]/claim', 'an invitation'],
  [
    'GET https://x.example/i/abcdefghjk2345678mnp?a=1',
    'GET https://x.example/i/[redacted]?a=1',
    'its link',
  ],
  ['ssn 123-45-6789.', 'ssn ***-**-****.', 'a social security number'],
  ['pan=4111111111111111', 'pan=****1111', 'a card number in one run'],
  ['4111 1111 1111 1111', '****1111', 'a card number in groups'],
  ['4111-1111-1111-1111 123', '****1111', 'a card number followed by its security code'],
  ['x4111111111111111y', 'x****1111y', 'a card number between letters'],
  ['3782 822463 10005', '****0005', 'fifteen digits'],
  ['6304000000000000000', '****0000', 'nineteen digits'],
  [
    'Key (tax_id)=(12(3)) already exists.',
    'Key (tax_id)=([redacted]) already exists.',
    'a duplicate',
  ],
  ['Failing row contains (1, a\nb).', 'Failing row contains ([redacted]).', 'a broken row'],
] as const

test('CORE-91 what looks like a secret is hidden inside any text', () => {
  for (const [text, shown, why] of cases) assert.equal(redactText(text), shown, why)
})

test('CORE-91 what only resembles one is left alone', () => {
  const harmless = [
    ['4111111111111112', 'a wrong check digit'],
    ['411111111111111', 'fifteen digits that are no card'],
    ['1760000000000', 'milliseconds since 1970'],
    ['0199a1b2-1234-7123-8123-123456789012', 'a uuid'],
    ['Customer:01991234-1234-7123-8123-123456789012', 'an id'],
    ['cbb3514534930125fbec4261e4624e8b5da1b33d91b71ae3d81b5187959b137b', 'a digest'],
    ['4111111111111111fbec4261e4624e8b', 'the id of a trace'],
    ['2026-01-02T03:04:05.678Z', 'a time'],
    ['2027-06-30 2027-07-01', 'two dates whose digits pass the check of cards'],
    ['555-123-4567', 'a telephone number'],
    ['http://127.0.0.1:8080/2025-10-13/customers?limit=20', 'an address'],
    ['/2025-10-13/invitations and /i/', 'paths without a code'],
    ['the key (as given) is missing', 'brackets'],
    ['', 'nothing'],
  ] as const
  for (const [text, why] of harmless) assert.equal(redactText(text), text, why)
})

test('CORE-91 a private key is hidden, whole or cut off; a public one may be shown', () => {
  const { privateKeyPem, publicKeyPem } = newWebhookKeyPair()
  assert.equal(redactText(`key: ${privateKeyPem}end`), 'key: [redacted key]\nend')
  assert.equal(redactText(privateKeyPem.slice(0, 80)), '[redacted key]')
  assert.equal(redactText(publicKeyPem), publicKeyPem)
})

test('CORE-91 several secrets in one text are all hidden', () => {
  assert.equal(
    redactText('a 4111111111111111 b 5555555555554444 c 123-45-6789 d 987-65-4321'),
    'a ****1111 b ****4444 c ***-**-**** d ***-**-****',
  )
})

/** Of the processor alone: what else the machine does takes none of it. */
const CPU_MAX_US = 500_000

test('CORE-91 a long text is cut, in time that grows with its length alone', () => {
  assert.equal(redactText('x'.repeat(10_000)).length, 8_192 + '[cut]'.length)
  for (const hostile of [
    '1 '.repeat(5_000),
    '411-'.repeat(2_500),
    '://a'.repeat(2_500),
    'eyJ'.repeat(3_000),
  ]) {
    const before = process.threadCpuUsage()
    redactText(hostile)
    const { user } = process.threadCpuUsage(before)
    assert.ok(user < CPU_MAX_US, hostile.slice(0, 8))
  }
})
