import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { REDACTED, maskIdentifier, redact } from './redact.ts'

const hidden = [
  ...['authorization', 'Authorization', 'proxy-authorization', 'cookie', 'Set-Cookie', 'api_key'],
  ...['secret', 'clientSecret', 'client_secret', 'apiClientSecret', 'secretBase32Encoded'],
  ...['password', 'threeDSecurePassword', 'masterKey', 'MASTER_KEY', 'privateKey', 'privateKeyPem'],
  ...['seed', 'mnemonic', 'totpUri', 'token', 'accessToken', 'oidcToken', 'livenessAccessToken'],
  ...['identifier', 'taxId', 'tax_id', 'ssn', 'documentNumber'],
  ...['cardNumber', 'pan', 'cvv', 'securityCode', 'otp', 'emailOtp', 'code', 'recoveryCodes'],
  ...['payloadToSign', 'messageToSign', 'signature', 'X-Service-Signature'],
  ...['Service-Wallet-Signature', 'encryptedOtpBundle', 'encryptedSessionSigningKey'],
  ...['kycUrl', 'verificationLink', 'panEmbedUrl'],
  ...['body', 'rawBody', 'requestBody', 'response_body', 'file', 'content'],
]

test('CORE-91 values under these names are hidden, in every spelling and of every type', () => {
  for (const name of hidden) {
    for (const value of [
      'x',
      7,
      7n,
      { inner: 'x' },
      ['x'],
      new Map([['x', 'x']]),
      Buffer.from('x'),
    ]) {
      assert.deepEqual(redact({ [name]: value }), { [name]: REDACTED }, name)
    }
  }
})

test('CORE-91 names that only resemble those are shown', () => {
  const shown = {
    tokenId: 'Token:0199',
    requestId: 'r-1',
    signatureScheme: 'ES256',
    networkTokenIdentifier: 'USDC',
    status: 200,
    contentType: 'application/json',
    idempotencyKey: 'k-1',
    postalCode: '10115',
    accountType: 'USD_ACCOUNT',
    bankName: 'Bank',
    amount: 9_000_000_000_000_000,
  }
  assert.deepEqual(redact(shown), shown)
})

test('CORE-91 whether a secret is there may be told, the secret not', () => {
  const emitted = { secret: null, password: undefined, hasSecret: true, token: false }
  assert.deepEqual(redact(emitted), emitted)
})

test('CORE-91 a code is shown only where it is an error’s or a currency’s', () => {
  assert.deepEqual(redact({ code: 'INVALID_INPUT' }), { code: 'INVALID_INPUT' })
  assert.deepEqual(redact({ currency: { code: 'USD' } }), { currency: { code: 'USD' } })
  for (const code of ['000000', 'ABCD-2345-WXYZ', 'KJHTRE', 'toString', 123456]) {
    assert.deepEqual(redact({ code }), { code: REDACTED }, String(code))
  }
})

test('CORE-91 the list holds at any depth, in objects, arrays, maps and sets', () => {
  const secret = { clientSecret: 'x' }
  assert.deepEqual(
    redact({
      a: { b: [{ c: [[secret]] }] },
      map: new Map<unknown, unknown>([
        ['otp', '123456'],
        [7, secret],
      ]),
      set: new Set([secret]),
      bare: Object.assign(Object.create(null) as object, secret),
      json: { toJSON: () => secret },
    }),
    {
      a: { b: [{ c: [[{ clientSecret: REDACTED }]] }] },
      map: { otp: REDACTED, 7: { clientSecret: REDACTED } },
      set: [{ clientSecret: REDACTED }],
      bare: { clientSecret: REDACTED },
      json: { clientSecret: REDACTED },
    },
  )
})

test('EACC-19 account identifiers are logged as their last four', () => {
  assert.deepEqual(
    redact({
      accountInfo: { accountNumber: '000123456789', iban: 'DE89370400440532013000' },
      clabeNumber: 123456789012345678n,
      pixKey: 'maria@example.com',
      phoneNumber: '+4915112345678',
      wallet: { address: '0x52908400098527886E0F7030069857D2E4169EE7' },
      home: { address: { city: 'Berlin' } },
    }),
    {
      accountInfo: { accountNumber: '****6789', iban: '****3000' },
      clabeNumber: '****5678',
      pixKey: '****.com',
      phoneNumber: '****5678',
      wallet: { address: '****9EE7' },
      home: { address: { city: 'Berlin' } },
    },
  )
})

test('EACC-19 a short identifier shows nothing, a longer one never more than half of itself', () => {
  assert.equal(maskIdentifier(''), '****')
  assert.equal(maskIdentifier('1234567'), '****')
  assert.equal(maskIdentifier('12345678'), '****5678')
})

test('CORE-91 an error keeps type, code, message, stack and causes, without their secrets', () => {
  const root = Object.assign(new Error('refused: Bearer abc.def'), {
    code: 'ECONNREFUSED',
    password: 'x',
  })
  const middle = new Error('card 4111 1111 1111 1111 declined', { cause: root })
  const top = new ApiError('INVALID_INPUT', { details: { taxId: '12-3', field: 'taxId' } })
  top.cause = middle
  const shown = redact({ err: top })

  assert.partialDeepStrictEqual(shown, {
    err: {
      type: 'ApiError',
      code: 'INVALID_INPUT',
      details: { taxId: REDACTED, field: 'taxId' },
      cause: {
        message: 'card ****1111 declined',
        cause: {
          message: 'refused: Bearer [redacted]',
          code: 'ECONNREFUSED',
          password: REDACTED,
        },
      },
    },
  })
  const text = JSON.stringify(shown)
  assert.ok(text.includes('"stack":"Error: card ****1111 declined\\n    at '))
  assert.ok(!text.includes('4111') && !text.includes('abc.def'))
})

test('CORE-91 the errors of an aggregate and a cause that is no error are looked through too', () => {
  const error = new AggregateError([new Error('Basic dXNlcjpwdw==')], 'all failed', {
    cause: { secret: 'x' },
  })
  assert.partialDeepStrictEqual(redact(error), {
    errors: [{ message: 'Basic [redacted]' }],
    cause: { secret: REDACTED },
  })
})

test('CORE-91 bytes and objects of a class are named, not opened', () => {
  class Session {
    readonly key = 'x'
  }
  assert.deepEqual(
    redact({
      upload: Buffer.from('document'),
      view: new Uint16Array(3),
      session: new Session(),
      key: createSecretKey(Buffer.alloc(32)),
      run: () => 'x',
    }),
    {
      upload: '[8 bytes]',
      view: '[6 bytes]',
      session: '[Session]',
      key: '[SecretKeyObject]',
      run: '[function]',
    },
  )
})

test('CORE-91 circles, depth and length end somewhere, and nothing given is changed', () => {
  const circle: Record<string, unknown> = { secret: 'x' }
  circle['self'] = circle
  assert.deepEqual(redact(circle), { secret: REDACTED, self: '[circular]' })
  assert.equal(circle['secret'], 'x')

  const twice = { a: 1 }
  assert.deepEqual(redact([twice, twice]), [{ a: 1 }, { a: 1 }], 'a repeat is no circle')

  let deep: unknown = 'x'
  for (let level = 0; level < 10_000; level += 1) deep = { deep }
  assert.match(JSON.stringify(redact(deep)), /\[deeper\]/)
  assert.deepEqual((redact(Array(105).fill(1)) as unknown[]).slice(99), [1, '[5 more]'])
})

test('CORE-91 dates and numbers stay readable', () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  assert.deepEqual(redact({ at, bad: new Date(Number.NaN), amount: 12n, share: 0.5 }), {
    at: '2026-01-02T03:04:05.678Z',
    bad: '[no date]',
    amount: '12',
    share: 0.5,
  })
})
