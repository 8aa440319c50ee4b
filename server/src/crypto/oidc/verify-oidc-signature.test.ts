import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { JSONWebKeySet } from 'jose'
import { characterChangesOf } from '../../../test/kit/random/byte-changes.ts'
import { parseOidcToken } from './oidc-token.ts'
import type { OidcToken } from './oidc-token.ts'
import { verifyOidcSignature } from './verify-oidc-signature.ts'

const ISSUER = 'https://accounts.google.com'

async function newIssuerKey(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

const rsa = await newIssuerKey('RS256', 'rsa')
const rsaOther = await newIssuerKey('RS256', 'rsa-other')
const elliptic = await newIssuerKey('ES256', 'elliptic')
const published: JSONWebKeySet = { keys: [rsa.jwk, rsaOther.jwk, elliptic.jwk] }

async function signed(
  { alg, kid, privateKey }: typeof rsa,
  header: Record<string, unknown> = { kid },
): Promise<OidcToken> {
  const text = await new SignJWT({ email: 'ann@example.com' })
    .setProtectedHeader({ alg, ...header })
    .setIssuer(ISSUER)
    .setAudience('client-1')
    .setSubject('user-1')
    .setIssuedAt(1_000)
    .setExpirationTime(2_000)
    .sign(privateKey)
  return parseOidcToken(text, 'PRODUCTION')!
}

const verify = (token: OidcToken, keys: JSONWebKeySet | undefined = published) =>
  verifyOidcSignature(token, () => Promise.resolve(keys))

test('CRED-15 a token signed with a published key verifies, whenever that was', async () => {
  assert.equal(await verify(await signed(rsa)), true)
  assert.equal(await verify(await signed(elliptic)), true)
})

test('CRED-15 the keys are asked for by issuer and key id', async () => {
  const asked: unknown[] = []
  await verifyOidcSignature(await signed(rsa), (wanted) => {
    asked.push(wanted)
    return Promise.resolve(published)
  })
  assert.deepEqual(asked, [{ issuer: ISSUER, keyId: 'rsa' }])
})

test('CRED-15 a token that names no key is tried with every key that fits', async () => {
  assert.equal(await verify(await signed(rsaOther, {})), true)
  const stranger = await newIssuerKey('RS256', 'x')
  assert.equal(await verify(await signed(stranger, {})), false)
})

test('CRED-15 a key that is not published, or none at all, verifies nothing', async () => {
  const stranger = await newIssuerKey('RS256', 'rsa')
  assert.equal(await verify(await signed(stranger)), false, 'the same name, another key')
  assert.equal(await verify(await signed(rsa), { keys: [elliptic.jwk] }), false, 'unknown key id')
  assert.equal(await verify(await signed(rsa), { keys: [] }), false, 'no keys')
  assert.equal(
    await verifyOidcSignature(await signed(rsa), () => Promise.resolve(undefined)),
    false,
    'an issuer that is not trusted',
  )
  const broken = { keys: [{ kty: 'RSA', kid: 'rsa', n: 'AA', e: 'AQAB' }] }
  assert.equal(await verify(await signed(rsa), broken), false, 'a key that cannot be read')
  const malformed = { keys: 'none' } as unknown as JSONWebKeySet
  assert.equal(await verify(await signed(rsa), malformed), false, 'no key set')
})

test('CRED-15 no algorithm without a published key is accepted', async () => {
  const { text } = await signed(rsa)
  const [, payload] = text.split('.')
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const header of [{ alg: 'none' }, { alg: 'HS256', kid: 'rsa' }, { kid: 'rsa' }]) {
    const forged = parseOidcToken(`${encode(header)}.${payload}.AAAA`, 'PRODUCTION')!
    assert.equal(await verify(forged), false, JSON.stringify(header))
  }
  const secret = Buffer.from(rsa.jwk.n ?? '', 'base64url')
  const hmac = await new SignJWT({ aud: 'a' })
    .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
    .setIssuer(ISSUER)
    .setSubject('s')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(secret)
  assert.equal(await verify(parseOidcToken(hmac, 'PRODUCTION')!), false)
})

test('CRED-15 any changed character of a token is refused by its form or its signature', async () => {
  const { text } = await signed(rsa)
  await fc.assert(
    fc.asyncProperty(characterChangesOf(text), async (changed) => {
      const token = parseOidcToken(changed, 'PRODUCTION')
      if (token !== undefined) assert.equal(await verify(token), false)
    }),
    { numRuns: 300 },
  )
})

test('CRED-15 an issuer that cannot be reached is not a bad signature', async () => {
  const outage = new RangeError('the port’s own error')
  await assert.rejects(
    verifyOidcSignature(await signed(rsa), () => Promise.reject(outage)),
    outage,
  )
})
