import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { digestOidcToken, isSupportedIssuer, oidcNickname, parseOidcToken } from './oidc-token.ts'

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const CLAIMS = {
  iss: 'https://accounts.google.com',
  aud: 'client-1',
  sub: 'user-1',
  iat: 1_000,
  exp: 2_000,
}
const HEADER = { alg: 'RS256', kid: 'k1' }

const token = (claims: unknown = CLAIMS, signature = 'c2ln', header: unknown = HEADER): string =>
  `${encode(header)}.${encode(claims)}.${signature}`

test('CRED-15 a token of the form is read', () => {
  const text = token({ ...CLAIMS, nonce: 'n', email: 'ann@example.com', nbf: 999 })
  assert.deepEqual(parseOidcToken(text, 'PRODUCTION'), {
    text,
    keyId: 'k1',
    identity: { issuer: CLAIMS.iss, audience: 'client-1', subject: 'user-1' },
    issuedAtSeconds: 1_000,
    expiresAtSeconds: 2_000,
    notBeforeSeconds: 999,
    nonce: 'n',
    email: 'ann@example.com',
  })
})

test('CRED-15 a malformed text is no token', () => {
  const { iss, aud, sub, iat, exp } = CLAIMS
  const cases = [
    ['sandbox-valid-oidc-token', 'the literal that once worked'],
    ['', 'empty'],
    [`${encode(HEADER)}.${encode(CLAIMS)}`, 'two segments'],
    [`${token()}.more`, 'four segments'],
    [token(CLAIMS, ''), 'an empty signature'],
    [token(CLAIMS, 'c2ln', 'text'), 'a header that is no JSON'],
    [token(CLAIMS, 'c2ln', []), 'a header that is no object'],
    [token('text'), 'claims that are no JSON'],
    [token([]), 'claims that are no object'],
    [`+${token()}`, 'a header that is no base64url'],
    [token({ aud, sub, iat, exp }), 'no iss'],
    [token({ ...CLAIMS, iss: '' }), 'an empty iss'],
    [token({ iss, sub, iat, exp }), 'no aud'],
    [token({ ...CLAIMS, aud: '' }), 'an empty aud'],
    [token({ ...CLAIMS, aud: [] }), 'no member in aud'],
    [token({ ...CLAIMS, aud: ['a', 'b'] }), 'two members in aud'],
    [token({ ...CLAIMS, aud: [''] }), 'an empty member in aud'],
    [token({ ...CLAIMS, aud: [['a']] }), 'an array in aud'],
    [token({ ...CLAIMS, aud: 7 }), 'a number for aud'],
    [token({ iss, aud, iat, exp }), 'no sub'],
    [token({ ...CLAIMS, sub: '' }), 'an empty sub'],
    [token({ ...CLAIMS, sub: 'a\u0000b' }), 'a control character in sub'],
    [token({ ...CLAIMS, sub: 'a\ud800' }), 'half a character in sub'],
    [token({ ...CLAIMS, sub: 's'.repeat(256) }), 'a sub that is too long'],
    [token({ ...CLAIMS, aud: 'a'.repeat(256) }), 'an aud that is too long'],
    [token({ iss, aud, sub, exp }), 'no iat'],
    [token({ ...CLAIMS, iat: '1000' }), 'iat as text'],
    [token('{"iss":"i","aud":"a","sub":"s","iat":1e999,"exp":1}'), 'iat beyond all numbers'],
    [token({ iss, aud, sub, iat }), 'no exp'],
    [token({ ...CLAIMS, exp: null }), 'exp null'],
  ] as const
  for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
    for (const [text, why] of cases) {
      assert.equal(parseOidcToken(text, environment), undefined, `${environment}: ${why}`)
    }
  }
})

test('CRED-15 the sandbox takes any text for a signature, production only base64url', () => {
  const text = token(CLAIMS, 'any text!')
  assert.ok(parseOidcToken(text, 'SANDBOX'))
  assert.equal(parseOidcToken(text, 'PRODUCTION'), undefined)
})

test('CRED-16 an audience as text and as an array of one are the same, so are Google’s two names', () => {
  const identityOf = (claims: object): unknown =>
    parseOidcToken(token({ ...CLAIMS, ...claims }), 'SANDBOX')?.identity
  const expected = { issuer: CLAIMS.iss, audience: 'client-1', subject: 'user-1' }
  assert.deepEqual(identityOf({ aud: ['client-1'] }), expected)
  assert.deepEqual(identityOf({ iss: 'accounts.google.com' }), expected)
  assert.notDeepEqual(
    identityOf({ iss: 'appleid.apple.com' }),
    identityOf({ iss: 'https://appleid.apple.com' }),
  )
})

test('CRED-16 the built-in issuers and the operator’s are supported, others are not', () => {
  const configured = ['https://id.example.com']
  for (const issuer of [
    'https://accounts.google.com',
    'https://appleid.apple.com',
    ...configured,
  ]) {
    assert.equal(isSupportedIssuer(issuer, configured), true, issuer)
  }
  for (const issuer of ['https://id.example.com/', 'https://evil.example.com', 'toString', '']) {
    assert.equal(isSupportedIssuer(issuer, configured), false, issuer)
  }
  assert.equal(isSupportedIssuer('https://id.example.com', []), false)
})

test('CRED-17 the nickname is the email claim, else the subject', () => {
  const nicknameOf = (claims: object): string =>
    oidcNickname(parseOidcToken(token({ ...CLAIMS, ...claims }), 'SANDBOX')!)
  assert.equal(nicknameOf({ email: 'ann@example.com' }), 'ann@example.com')
  assert.equal(nicknameOf({}), 'user-1')
  assert.equal(nicknameOf({ email: '' }), 'user-1')
  assert.equal(nicknameOf({ email: 7 }), 'user-1')
})

test('VRFY-7 a token is known by the hash of its text', () => {
  const text = token()
  assert.deepEqual(
    digestOidcToken(parseOidcToken(text, 'SANDBOX')!),
    createHash('sha256').update(text).digest(),
  )
})
