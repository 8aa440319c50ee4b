import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { TEK } from '../../../test/kit/wallets/vectors.ts'
import { judgeOidcBinding, judgeOidcFreshness, oidcNonce } from './judge-oidc-token.ts'
import type { OidcToken } from './oidc-token.ts'

const NOW_SECONDS = 1_800_000_000
const CLIENT_KEY = TEK.point.compressed
const identity = { issuer: 'https://accounts.google.com', audience: 'client-1', subject: 'user-1' }

const tokenWith = (changes: Partial<OidcToken> = {}): OidcToken => ({
  text: 'a.b.c',
  keyId: undefined,
  identity,
  issuedAtSeconds: NOW_SECONDS,
  expiresAtSeconds: NOW_SECONDS + 3_600,
  notBeforeSeconds: undefined,
  nonce: oidcNonce(CLIENT_KEY),
  email: undefined,
  ...changes,
})

const OLD = 'OIDC token is older than 60 seconds'
const FUTURE = 'OIDC token is issued in the future'
const EXPIRED = 'OIDC token has expired'

const FRESHNESS = [
  [{ issuedAtSeconds: NOW_SECONDS }, undefined, undefined, 'issued now'],
  [{ issuedAtSeconds: NOW_SECONDS - 60 }, undefined, undefined, '60 s old'],
  [{ issuedAtSeconds: NOW_SECONDS - 61 }, undefined, OLD, 'the sandbox allows 5 s more'],
  [{ issuedAtSeconds: NOW_SECONDS - 65 }, undefined, OLD, 'the last of them'],
  [{ issuedAtSeconds: NOW_SECONDS - 66 }, OLD, OLD, 'too old for both'],
  [{ issuedAtSeconds: NOW_SECONDS + 5 }, undefined, undefined, '5 s ahead'],
  [{ issuedAtSeconds: NOW_SECONDS + 6 }, FUTURE, FUTURE, '6 s ahead'],
  [{ notBeforeSeconds: NOW_SECONDS + 6 }, FUTURE, FUTURE, 'not valid yet'],
  [{ notBeforeSeconds: NOW_SECONDS + 5 }, undefined, undefined, 'almost valid'],
  [{ expiresAtSeconds: NOW_SECONDS + 1 }, undefined, undefined, 'before its end'],
  [{ expiresAtSeconds: NOW_SECONDS }, EXPIRED, EXPIRED, 'at its end'],
  [{ expiresAtSeconds: NOW_SECONDS - 1 }, EXPIRED, EXPIRED, 'after its end'],
  [{ issuedAtSeconds: 0, expiresAtSeconds: 1 }, OLD, OLD, 'age is told before expiry'],
] as const

test('VRFY-6 a token counts from 5 s before to 60 s after its issue, 65 s in the sandbox', () => {
  for (const [changes, sandbox, production, why] of FRESHNESS) {
    for (const ms of [0, 999]) {
      const now = new Date(NOW_SECONDS * 1_000 + ms)
      const judge = (environment: 'SANDBOX' | 'PRODUCTION') =>
        judgeOidcFreshness(tokenWith(changes), { now, environment })
      assert.equal(judge('SANDBOX'), sandbox, `sandbox: ${why}`)
      assert.equal(judge('PRODUCTION'), production, `production: ${why}`)
    }
  }
})

test('VRFY-6 issuer, audience and subject must all be the credential’s, before the nonce is looked at', () => {
  assert.equal(judgeOidcBinding(tokenWith(), { identity, clientPublicKey: CLIENT_KEY }), undefined)
  for (const part of ['issuer', 'audience', 'subject'] as const) {
    const token = tokenWith({ identity: { ...identity, [part]: 'other' }, nonce: undefined })
    assert.equal(
      judgeOidcBinding(token, { identity, clientPublicKey: CLIENT_KEY }),
      'OIDC token identity does not match the credential',
      part,
    )
  }
})

test('VRFY-6 the nonce is the hash of the key’s text as sent, its case kept', () => {
  const expected = createHash('sha256').update(CLIENT_KEY, 'ascii').digest('hex')
  assert.equal(oidcNonce(CLIENT_KEY), expected)
  const refused = 'OIDC token nonce does not match clientPublicKey'
  const cases = [
    [expected, CLIENT_KEY, undefined],
    [undefined, CLIENT_KEY, refused],
    ['', CLIENT_KEY, refused],
    [expected.toUpperCase(), CLIENT_KEY, refused],
    [expected, CLIENT_KEY.toUpperCase(), refused],
    [expected, TEK.point.uncompressed, refused],
    [`${expected} `, CLIENT_KEY, refused],
    ['é'.repeat(32), CLIENT_KEY, refused],
    [
      createHash('sha256').update(Buffer.from(CLIENT_KEY, 'hex')).digest('hex'),
      CLIENT_KEY,
      refused,
    ],
  ] as const
  for (const [nonce, clientPublicKey, reason] of cases) {
    const token = tokenWith({ nonce })
    assert.equal(judgeOidcBinding(token, { identity, clientPublicKey }), reason, String(nonce))
  }
})
