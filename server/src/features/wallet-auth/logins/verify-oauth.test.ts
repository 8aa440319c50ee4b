/** OAUTH logins with a real OpenID provider, in production, where token signatures are checked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oidcNonce } from '../../../crypto/oidc/judge-oidc-token.ts'
import { expectError, expectFields, expectStatus, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { startOidcProvider } from '../../../../test/kit/outside/oidc-provider.ts'
import {
  newDeviceKey,
  openSessionKey,
  type DeviceKey,
} from '../../../../test/kit/wallets/client.ts'
import { listCredentials, newWallet, signBoth } from '../../../../test/kit/wallets/wallets.ts'

const [provider, stranger] = [
  await startOidcProvider({ apps: ['app', 'other'] }),
  // Its tokens are sound, but the issuer is not configured.
  await startOidcProvider(),
]

// The operator's own issuer has a local address, and production may still reach it (CORE-94).
const kit = await startOwnKit({ OIDC_ISSUERS: provider.issuer })

/** A wallet whose only credential is the provider's account of `sub`. */
async function oauthWallet(sub: string, environment: 'SANDBOX' | 'PRODUCTION' = 'PRODUCTION') {
  const platform = await kit.platform({ environment, currencies: ['USDB'] })
  const wallet = await newWallet(kit, { platform, customer: { email: undefined } })
  const add = (oidcToken: string, headers = {}) =>
    wallet.api.post(
      '/auth/credentials',
      { type: 'OAUTH', accountId: wallet.accountId, oidcToken },
      { headers },
    )
  const credential = expectStatus(await add(await provider.idToken({ sub })), 201)
  const verify = (oidcToken: string, clientPublicKey: string) =>
    wallet.api.post(`/auth/credentials/${credential.id}/verify`, {
      type: 'OAUTH',
      oidcToken,
      clientPublicKey,
    })
  return { wallet, add, credential, verify }
}

const nonceOf = (key: string) => ({ nonce: oidcNonce(key) })

for (const environment of ['PRODUCTION', 'SANDBOX'] as const) {
  test(`CORE-94 CRED-16 CRED-17 VRFY-6 VRFY-12 a real login opens a session whose key signs, in ${environment}`, async () => {
    const { wallet, credential, verify } = await oauthWallet('ann', environment)
    assert.equal(credential.nickname, 'ann@example.com')
    const held = newDeviceKey()
    const own = newDeviceKey()
    const change =
      (privateEnabled: boolean) =>
      (headers: Record<string, string> = {}) =>
        wallet.api.patch(`/internal-accounts/${wallet.accountId}`, { privateEnabled }, { headers })
    const logIn = async (key: string) =>
      expectStatus(await verify(await provider.idToken({ sub: 'ann', ...nonceOf(key) }), key), 200)
    const plain = await logIn(held.publicKey)
    assert.equal(plain.encryptedSessionSigningKey, undefined)
    expectStatus(await signBoth(change(true), held), 200)
    const sealed = await logIn(own.publicKeyUncompressed)
    const key: DeviceKey = openSessionKey({
      encryptedSessionSigningKey: text(sealed.encryptedSessionSigningKey),
      device: own,
    })
    assert.equal(expectStatus(await signBoth(change(false), key), 200).privateEnabled, false)
  })
}

test('VRFY-6 VRFY-7 a token logs in once, for its own identity, audience and key', async () => {
  const { verify } = await oauthWallet('bob')
  const { publicKey } = newDeviceKey()
  const nonce = nonceOf(publicKey)
  const other = nonceOf(newDeviceKey().publicKey)
  const identity = 'OIDC token identity does not match the credential'
  const badNonce = 'OIDC token nonce does not match clientPublicKey'
  const cases: readonly (readonly [token: string, reason: string])[] = [
    [await provider.idToken({ sub: 'eve', ...nonce }), identity],
    [await provider.idToken({ sub: 'bob', clientId: 'other', ...nonce }), identity],
    [await stranger.idToken({ sub: 'bob', ...nonce }), identity],
    [await provider.idToken({ sub: 'bob', ...other }), badNonce],
    [await provider.idToken({ sub: 'bob' }), badNonce],
  ]
  for (const [token, reason] of cases) {
    assert.equal(expectError(await verify(token, publicKey), 401, 'UNAUTHORIZED')['reason'], reason)
  }
  const token = await provider.idToken({ sub: 'bob', ...nonce })
  expectStatus(await verify(token, publicKey), 200)
  const again = expectError(await verify(token, publicKey), 401, 'UNAUTHORIZED')
  assert.equal(again['reason'], 'OIDC token was already used')
})

test('VRFY-6 CRED-15 a token with any changed character is refused', async () => {
  const { verify, add } = await oauthWallet('cleo')
  const { publicKey } = newDeviceKey()
  const token = await provider.idToken({ sub: 'cleo', ...nonceOf(publicKey) })
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const recoded = (change: object): string =>
    Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
  const foreign = (await provider.idToken({ sub: 'dora' })).split('.')[2]
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const touched = [
    `${header}.${recoded({ exp: 4_000_000_000 })}.${signature}`,
    `${header}.${recoded({ admin: true })}.${signature}`,
    `${header}.${payload}.${foreign}`,
    `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `${unsigned}.${payload}.${signature}`,
  ]
  for (const one of touched) {
    const { reason } = expectError(await verify(one, publicKey), 401, 'UNAUTHORIZED')
    assert.equal(reason, 'OIDC token signature is invalid')
  }
  expectFields(await add(await stranger.idToken({ sub: 'cleo' })), ['oidcToken'])
  expectStatus(await verify(token, publicKey), 200)
})

test('CRED-8 CRED-16 a second identity is added by signed retry, the same identity is refused', async () => {
  const { wallet, add, verify } = await oauthWallet('dan')
  const device = newDeviceKey()
  const token = await provider.idToken({ sub: 'dan', ...nonceOf(device.publicKey) })
  expectStatus(await verify(token, device.publicKey), 200)
  expectFields(await add(await provider.idToken({ sub: 'dan' })), ['oidcToken'])
  const second = await provider.idToken({ sub: 'dan', clientId: 'other' })
  expectStatus(await signBoth((headers = {}) => add(second, headers), device), 201)
  assert.equal((await listCredentials(wallet.api, wallet.accountId)).length, 2)
})
