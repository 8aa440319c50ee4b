import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { serveHttp } from '../../../test/kit/outside/loopback-server.ts'
import { parseOidcToken } from '../../crypto/oidc/oidc-token.ts'
import { verifyOidcSignature } from '../../crypto/oidc/verify-oidc-signature.ts'
import { createGuardedFetch } from '../../infra/outbound/ssrf.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { oidcKeys } from './oidc-keys.ts'

async function newSigner(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' }, privateKey, kid }
}

/** An issuer as OpenID Connect Discovery has it, whose keys may change. */
async function startIssuer(nameOf = (url: string): string => url) {
  const published: object[] = []
  let asked = 0
  const { url } = await serveHttp((request, response) => {
    asked += 1
    const isDescription = request.url === '/.well-known/openid-configuration'
    const body = isDescription
      ? { issuer: nameOf(url), jwks_uri: `${url}/keys` }
      : { keys: published }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const tokenBy = async ({ privateKey, kid }: Awaited<ReturnType<typeof newSigner>>) => {
    const text = await new SignJWT({ aud: 'app', sub: 'ann' })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(url)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
    const token = parseOidcToken(text, 'PRODUCTION')
    assert.ok(token)
    return token
  }
  return { url, published, tokenBy, asked: () => asked }
}

const outside = () => createGuardedFetch({ allowLoopback: true })

test('CRED-15 a token counts when a published key signed it; keys are kept', async () => {
  const issuer = await startIssuer()
  const [known, unknown] = [await newSigner('one'), await newSigner('two')]
  issuer.published.push(known.jwk)
  const keys = oidcKeys(outside(), { clock: systemClock, ownIssuers: [] })
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(known), keys), true)
  const asked = issuer.asked()
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(known), keys), true)
  assert.equal(issuer.asked(), asked)
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(unknown), keys), false)
  const forged = { ...unknown, kid: known.kid }
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(forged), keys), false)
})

test('CRED-15 a new key is found once a minute has passed since the keys were fetched', async () => {
  const issuer = await startIssuer()
  const [old, rotated] = [await newSigner('one'), await newSigner('two')]
  issuer.published.push(old.jwk)
  let nowMs = Date.now()
  const keys = oidcKeys(outside(), { clock: { now: () => new Date(nowMs) }, ownIssuers: [] })
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(old), keys), true)
  issuer.published.push(rotated.jwk)
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(rotated), keys), false)
  nowMs += 60_000
  assert.equal(await verifyOidcSignature(await issuer.tokenBy(rotated), keys), true)
})

test('CORE-94 an unreachable issuer and one that names another answer unavailable', async () => {
  const issuer = await startIssuer(() => 'https://somebody.example')
  const signer = await newSigner('one')
  const token = await issuer.tokenBy(signer)
  const guarded = createGuardedFetch({ allowLoopback: false })
  for (const outgoing of [outside(), guarded]) {
    await assert.rejects(
      verifyOidcSignature(token, oidcKeys(outgoing, { clock: systemClock, ownIssuers: [] })),
      (error: ApiError) => error.code === 'SERVICE_UNAVAILABLE',
    )
  }
})

const guarded = () => createGuardedFetch({ allowLoopback: false })
const isUnavailable = (error: ApiError): boolean => error.code === 'SERVICE_UNAVAILABLE'

test('CORE-94 CRED-16 the operator’s own issuer may have a private address, any other may not', async () => {
  const issuer = await startIssuer()
  const signer = await newSigner('one')
  issuer.published.push(signer.jwk)
  const token = await issuer.tokenBy(signer)
  const keysOf = (ownIssuers: readonly string[]) =>
    oidcKeys(guarded(), { clock: systemClock, ownIssuers })
  assert.equal(await verifyOidcSignature(token, keysOf([issuer.url])), true)
  await assert.rejects(verifyOidcSignature(token, keysOf(['https://own.example'])), isUnavailable)
})

test('CORE-94 an own issuer leads to no other private host, by its keys or by a redirect', async () => {
  const elsewhere = await startIssuer()
  const signer = await newSigner('one')
  elsewhere.published.push(signer.jwk)
  const hidden = elsewhere.url.replace('127.0.0.1', 'localhost')
  const { url } = await serveHttp((request, response) => {
    const isRedirecting = request.url?.startsWith('/redirecting')
    const body = { issuer: url, jwks_uri: `${hidden}/keys` }
    response
      .writeHead(isRedirecting ? 302 : 200, {
        'content-type': 'application/json',
        ...(isRedirecting && { location: `${hidden}/.well-known/openid-configuration` }),
      })
      .end(JSON.stringify(body))
  })
  const before = elsewhere.asked()
  for (const issuer of [url, `${url}/redirecting`]) {
    const keys = oidcKeys(guarded(), { clock: systemClock, ownIssuers: [issuer] })
    await assert.rejects(Promise.resolve(keys({ issuer, keyId: 'one' })), isUnavailable, issuer)
  }
  assert.equal(elsewhere.asked(), before, 'nobody there was asked')
})
