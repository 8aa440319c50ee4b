/** Production: codes are random and are sent; tokens are checked with the issuer's keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { oidcNonce } from '../../../crypto/oidc/judge-oidc-token.ts'
import { createGuardedFetch } from '../../../infra/outbound/ssrf.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { sparkIdentityKey } from '../../external-accounts/formats/wallet/spark-address.ts'
import { expectError, expectFields, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { serveHttp } from '../../../../test/kit/outside/loopback-server.ts'
import { startMailServer } from '../../../../test/kit/outside/mail-server.ts'
import { newOidcToken } from '../../../../test/kit/outside/oidc-tokens.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { balanceOf } from '../../../../test/kit/payments.ts'
import {
  newDeviceKey,
  openExport,
  sealOtp,
  type DeviceKey,
} from '../../../../test/kit/wallets/client.ts'
import { executeSigned, stampOf, walletQuote } from '../../../../test/kit/wallets/payments.ts'
import {
  newWallet,
  signBoth,
  signedBy,
  signedHeaders,
  type TestWallet,
} from '../../../../test/kit/wallets/wallets.ts'

const refused = new Set<string>()
const { url: smtpUrl, mails } = await startMailServer({ refuse: (to) => refused.has(to) })
const { publicKey, privateKey } = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(publicKey)), kid: 'one' }
const issuer = await serveHttp((request, response) => {
  const isDescription = request.url?.startsWith('/.well-known/') === true
  const body = isDescription
    ? { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }
    : { keys: [jwk] }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

const kit = await startOwnKit(
  { SMTP_URL: smtpUrl, OIDC_ISSUERS: issuer.url },
  {
    outgoing: {
      SANDBOX: createGuardedFetch({ allowLoopback: true }),
      // The issuer of this test has a local address.
      PRODUCTION: createGuardedFetch({ allowLoopback: true }),
    },
  },
)

async function productionWallet(customer: object = {}): Promise<TestWallet> {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USDB'] })
  return newWallet(kit, { platform, customer })
}

const WORDING = {
  appName: 'Acme Wallet',
  otpLength: 8,
  alphanumeric: true,
  expirationSeconds: 120,
  sendFromEmailAddress: 'wallet@acme.example',
  sendFromEmailSenderName: 'Acme, Wallets',
  replyToEmailAddress: 'help@acme.example',
  logoUrl: 'https://acme.example/logo.png?a=1&b="2"',
}

test('CHAL-8 CHAL-9 a random code arrives, worded as configured, and logs in', async () => {
  const wallet = await productionWallet()
  expectStatus(await wallet.api.patch('/config', { embeddedWalletConfig: WORDING }), 200)
  const path = `/auth/credentials/${wallet.emailCredentialId}` as const
  const challenged = await wallet.api.post(`${path}/challenge`)
  const challenge = expectStatus(challenged, 200)
  const mail = mails.at(-1)
  assert.deepEqual(mail?.to, [wallet.customer.email])
  assert.equal(mail.from, 'wallet@acme.example')
  const code = /^Subject: ([2-9A-HJ-NP-Z]{8}) is your Acme Wallet code/m.exec(mail.text ?? '')?.[1]
  assert.ok(code, mail.text)
  assert.match(mail.text ?? '', /^From: "Acme, Wallets"/m)
  assert.match(mail.text ?? '', /^Reply-To: help@acme\.example/m)
  assert.ok(!challenged.text.includes(code))
  const device = newDeviceKey()
  const seal = (given: string) =>
    sealOtp({
      code: given,
      targetBundle: text(challenge.otpEncryptionTargetBundle),
      publicKey: device.publicKey,
      signerPublicKey: wallet.signerPublicKey,
    })
  const verifying =
    (encryptedOtpBundle: string) =>
    (headers = {}) =>
      wallet.api.post(`${path}/verify`, { type: 'EMAIL_OTP', encryptedOtpBundle }, { headers })
  const literal = expectError(await verifying(await seal('000000'))(), 401, 'UNAUTHORIZED')
  assert.equal(literal['reason'], 'Invalid OTP code')
  expectStatus(await signBoth(verifying(await seal(code)), device), 200)
})

test('CHAL-2 each environment has a signer of its own', async () => {
  const production = await productionWallet()
  const sandbox = await newWallet(kit)
  assert.notEqual(production.signerPublicKey, sandbox.signerPublicKey)
})

/** A whole login with the code that arrives. */
async function logInByMail(wallet: TestWallet): Promise<DeviceKey> {
  const { api, signerPublicKey } = wallet
  const path = `/auth/credentials/${wallet.emailCredentialId}` as const
  const challenge = expectStatus(await api.post(`${path}/challenge`), 200)
  const code = /^Subject: (\w+) is your/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
  const device = newDeviceKey()
  const encryptedOtpBundle = await sealOtp({
    code,
    targetBundle: text(challenge.otpEncryptionTargetBundle),
    publicKey: device.publicKey,
    signerPublicKey,
  })
  const body = { type: 'EMAIL_OTP', encryptedOtpBundle }
  const verify = (headers = {}) => api.post(`${path}/verify`, body, { headers })
  expectStatus(await signBoth(verify, device), 200)
  return device
}

async function exportWords(
  { api, accountId, signerPublicKey }: TestWallet,
  device: DeviceKey,
): Promise<string> {
  const own = newDeviceKey()
  const body = { clientPublicKey: own.publicKeyUncompressed }
  const take = (headers = {}) =>
    api.post(`/internal-accounts/${accountId}/export`, body, { headers })
  const asked = expectStatus(await take(), 202)
  const exported = expectStatus(await take(await signedBy(device, asked)), 200)
  return openExport({
    encryptedWalletCredentials: text(exported.encryptedWalletCredentials),
    payloadToSign: asked.payloadToSign,
    device: own,
    signerPublicKey,
  })
}

async function instructionsOf({ api, customer }: TestWallet) {
  const query = { customerId: customer.id, type: 'EMBEDDED_WALLET' }
  const accounts = expectStatus(await api.get('/customers/internal-accounts', { query }), 200)
  return items(accounts.data[0]?.fundingPaymentInstructions)
}

test('IACC-9 EXPT-3 the funding address of a wallet derives from its mnemonic', async () => {
  const wallet = await productionWallet()
  const instructions = await instructionsOf(wallet)
  assert.equal(instructions.length, 1)
  const info = instructions[0]?.accountOrWalletInfo
  assert.deepEqual([info?.accountType, info?.assetType], ['SPARK_WALLET', 'USDB'])
  const words = await exportWords(wallet, await logInByMail(wallet))
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(words))
  const { publicKey: identity } = root.derive("m/8797555'/1'/0'")
  assert.deepEqual(sparkIdentityKey(text(info?.address)), identity)
  assert.deepEqual(await instructionsOf(wallet), instructions, 'the same on every read')
})

test('IACC-10 SIGN-19 money received at that address is paid out by a real signature only', async () => {
  const wallet = await productionWallet()
  const { platform, accountId } = wallet
  const [instruction] = await instructionsOf(wallet)
  const address = text(instruction?.accountOrWalletInfo.address)
  const line = 'deposits receive --amount 5000000 --currency USDB --rail SPARK --trace t1'
  await operate(kit, line, '--to', address)
  assert.equal(await balanceOf(platform, accountId), 5_000_000)
  const payee = await newWallet(kit, { platform })
  const quoted = await walletQuote({ wallet, to: payee.accountId }, 2_000_000)
  const literal = await executeSigned(wallet, quoted, { stamp: 'sandbox-valid-signature' })
  expectError(literal, 401, 'WALLET_SIGNATURE_MALFORMED')
  const device = await logInByMail(wallet)
  const value = await stampOf(device, quoted)
  expectStatus(await executeSigned(wallet, quoted, { stamp: value }), 200)
  assert.equal(await balanceOf(platform, accountId), 3_000_000)
})

test('CHAL-7 a code that cannot be sent is deleted and does not count', async () => {
  const wallet = await productionWallet()
  const address = text(wallet.customer.email)
  refused.add(address)
  const begin = () => wallet.api.post(`/auth/credentials/${wallet.emailCredentialId}/challenge`)
  for (let n = 0; n < 6; n += 1) expectError(await begin(), 500, 'INTERNAL_ERROR')
  refused.delete(address)
  expectStatus(await begin(), 200)
})

const sign = (claims: object) =>
  new SignJWT({ aud: 'app', sub: 'ann', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(issuer.url)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)

test('SIGN-13 CRED-6 CRED-15 the token of a first credential is checked, whatever headers come with it', async () => {
  const { api, accountId } = await productionWallet({ email: undefined })
  const headers = signedHeaders({ stamp: 'x', requestId: `Request:${newUuid()}` })
  const add = (oidcToken: string) =>
    api.post('/auth/credentials', { type: 'OAUTH', accountId, oidcToken }, { headers })
  const forged = newOidcToken({ iss: issuer.url, sub: 'ann' })
  const details = expectError(await add(forged), 401, 'UNAUTHORIZED')
  assert.equal(details['reason'], 'OIDC token signature is invalid')
  expectStatus(await add(await sign({})), 201)
  expectError(await add(await sign({ sub: 'ben' })), 401, 'WALLET_SIGNATURE_MALFORMED')
})

test('CRED-15 VRFY-6 a token is accepted when the issuer signed it', async () => {
  const wallet = await productionWallet({ email: undefined })
  const add = (oidcToken: string) =>
    wallet.api.post('/auth/credentials', {
      type: 'OAUTH',
      accountId: wallet.accountId,
      oidcToken,
    })
  const forged = newOidcToken({ iss: issuer.url, sub: 'ann' })
  const details = expectError(await add(forged), 401, 'UNAUTHORIZED')
  assert.equal(details['reason'], 'OIDC token signature is invalid')
  expectFields(await add(newOidcToken({ iss: 'https://evil.example.com' })), ['oidcToken'])
  const { id } = expectStatus(await add(await sign({})), 201)
  const { publicKey: clientPublicKey } = newDeviceKey()
  const verify = (oidcToken: string) =>
    wallet.api.post(`/auth/credentials/${id}/verify`, {
      type: 'OAUTH',
      oidcToken,
      clientPublicKey,
    })
  const nonce = oidcNonce(clientPublicKey)
  const unsigned = await verify(newOidcToken({ iss: issuer.url, sub: 'ann', nonce }))
  assert.equal(
    expectError(unsigned, 401, 'UNAUTHORIZED')['reason'],
    'OIDC token signature is invalid',
  )
  expectStatus(await verify(await sign({ nonce })), 200)
})
