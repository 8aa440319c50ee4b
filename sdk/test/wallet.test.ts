/** A device that signs for an embedded wallet, against the real service and the published vectors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfHex } from '../src/bytes.ts'
import { createFlorin, FlorinError, SignatureRequiredError, type Florin } from '../src/index.ts'
import {
  createDeviceKey,
  deviceKeyOf,
  oidcNonce,
  openExport,
  openSessionKey,
  sealOtp,
  stamp,
  stampWith,
  WalletBundleError,
  type DeviceKey,
} from '../src/wallet.ts'
import { parseStamp, verifyStamp } from '../../server/src/crypto/wallet/stamp.ts'
import { startKit } from '../../server/test/kit/florin.ts'
import {
  CLIENT,
  ENCRYPTED_SESSION_SIGNING_KEY,
  EXPORT_BUNDLE,
  MNEMONIC,
  SESSION_SCALAR,
  SIGNER_PUBLIC,
  STAMPED_PAYLOAD,
  TEK_PRIVATE,
  TEK_PUBLIC,
} from '../../server/test/kit/wallets/vectors.ts'

const kit = await startKit()

const scalarOf = (hex: string) => bytesOfHex(hex) ?? new Uint8Array(0)

type Wallet = Readonly<{
  florin: Florin
  customerId: string
  accountId: string
  credentialId: string
  signerPublicKey: string
}>

async function newWallet(email = 'mira@example.com'): Promise<Wallet> {
  const platform = await kit.platform({ currencies: ['USD', 'USDB', 'USDC'] })
  const florin = createFlorin({ baseUrl: kit.baseUrl, ...platform })
  const customer = await florin.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Mira Example',
    email,
  })
  const { data } = await florin.customers.internalAccounts.list({
    customerId: customer.id,
    type: 'EMBEDDED_WALLET',
  })
  const accountId = data[0]?.id ?? ''
  await florin.sandbox.fund(accountId, { amount: 50_000_000 })
  const [credential] = await florin.auth.credentials.list({ accountId }).toArray()
  const { publicKey: signerPublicKey } = await florin.auth.getWalletSigner()
  const credentialId = credential?.id ?? ''
  return { florin, customerId: customer.id, accountId, credentialId, signerPublicKey }
}

async function logIn({ florin, credentialId, signerPublicKey }: Wallet, code = '000000') {
  const key = await createDeviceKey()
  const challenge = await florin.auth.credentials.challenge(credentialId)
  const encryptedOtpBundle = await sealOtp({ code, challenge, key, signerPublicKey })
  const session = await florin.auth.credentials.verify(
    credentialId,
    { type: 'EMAIL_OTP', encryptedOtpBundle },
    { sign: stampWith(key) },
  )
  return { key, session }
}

const wallet = await newWallet()
const { florin, accountId, signerPublicKey } = wallet
const { key, session } = await logIn(wallet)
const { id: payee } = await florin.customers.externalAccounts.create({
  customerId: wallet.customerId,
  currency: 'USDC',
  ownershipType: 'THIRD_PARTY',
  accountInfo: {
    accountType: 'SOLANA_WALLET',
    address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    beneficiary: {
      beneficiaryType: 'INDIVIDUAL',
      fullName: 'Jane Doe',
      countryOfResidence: 'US',
    },
  },
})

const newQuote = () =>
  florin.quotes.create({
    source: { sourceType: 'ACCOUNT', accountId },
    destination: { destinationType: 'ACCOUNT', accountId: payee },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000_000,
  })

test('VRFY-1 a device logs in with a code, and its own key is the session’s', () => {
  assert.equal(session.accountId, accountId)
  assert.equal(session.encryptedSessionSigningKey, undefined)
})

test('SIGN-19 a payout is signed on the way', async () => {
  const quote = await newQuote()
  const paid = await florin.quotes.execute(quote.id, undefined, { sign: stampWith(key) })
  assert.equal(paid.id, quote.id)
  assert.equal(paid.status, 'PROCESSING')
})

test('SIGN-1 without a signer the call throws what is to be signed, and a second call carries it', async () => {
  const quote = await newQuote()
  const error: unknown = await florin.quotes.execute(quote.id).catch((reason: unknown) => reason)
  assert.ok(error instanceof SignatureRequiredError)
  const { payloadToSign, requestId } = error.challenge
  assert.equal((await florin.quotes.get(quote.id)).status, 'PENDING')
  const signature = { stamp: await stamp(key, payloadToSign), requestId }
  const paid = await florin.quotes.execute(quote.id, undefined, { signature })
  assert.equal(paid.status, 'PROCESSING')
})

test('SIGN-12 one key of the caller’s goes through both legs', async () => {
  const quote = await newQuote()
  const options = { sign: stampWith(key), idempotencyKey: 'signed-payout-1' }
  await florin.quotes.execute(quote.id, undefined, options)
  const again = await florin.quotes.execute(quote.id, undefined, options)
  assert.equal(again.status, 'PROCESSING', 'the stored answer')
})

test('SIGN-6 the stamp of a stranger is refused', async () => {
  const quote = await newQuote()
  const sign = stampWith(await createDeviceKey())
  await assert.rejects(florin.quotes.execute(quote.id, undefined, { sign }), (error) => {
    assert.ok(error instanceof FlorinError)
    assert.equal(error.code, 'WALLET_SIGNATURE_INVALID')
    return true
  })
  assert.equal((await florin.quotes.get(quote.id)).status, 'PENDING')
})

test('VRFY-12 a session key that the service made is opened and signs', async () => {
  const refreshed = await florin.auth.sessions.refresh(
    session.id,
    { clientPublicKey: key.publicKeyUncompressed },
    { sign: stampWith(key) },
  )
  const { encryptedSessionSigningKey = '' } = refreshed
  const sessionKey = await openSessionKey({ encryptedSessionSigningKey, key })
  assert.notEqual(sessionKey.publicKey, key.publicKey)
  const changed = await florin.internalAccounts.update(
    accountId,
    { privateEnabled: true },
    { sign: stampWith(sessionKey) },
  )
  assert.equal(changed.privateEnabled, true)
  const stranger = await createDeviceKey()
  await assert.rejects(
    openSessionKey({ encryptedSessionSigningKey, key: stranger }),
    WalletBundleError,
  )
})

async function exportTo(device: DeviceKey) {
  let payloadToSign = ''
  const { encryptedWalletCredentials } = await florin.internalAccounts.export(
    accountId,
    { clientPublicKey: device.publicKeyUncompressed },
    {
      sign(payload) {
        payloadToSign = payload
        return stamp(key, payload)
      },
    },
  )
  return { encryptedWalletCredentials, payloadToSign, key: device, signerPublicKey }
}

test('EXPT-1 the words of the wallet reach its owner’s device, and are this wallet’s', async () => {
  const exported = await exportTo(key)
  assert.match(await openExport(exported), /^([a-z]+ ){11}[a-z]+$/)
  const elsewhere = JSON.stringify({ organizationId: '019a0000-0000-7000-8000-000000000009' })
  await assert.rejects(openExport({ ...exported, payloadToSign: elsewhere }), /another wallet/)
  const other = { ...exported, signerPublicKey: SIGNER_PUBLIC }
  await assert.rejects(openExport(other), /another signer/)
})

test('DKEY-2 what takes two signatures gets both', async () => {
  const card = await florin.cards.create({
    customerId: wallet.customerId,
    form: 'VIRTUAL',
    fundingSource: accountId,
  })
  const delegated = await florin.auth.delegatedKeys.create(
    { cardId: card.id, internalAccountId: accountId, nickname: 'Card' },
    { sign: stampWith(key) },
  )
  assert.equal(delegated.status, 'ACTIVE')
})

test('SIGN-10 what takes its time is waited for', async () => {
  const slow = await newWallet('ann+processing@example.com')
  const { session: late } = await logIn(slow)
  assert.equal(late.accountId, slow.accountId)
})

test('a wrong code is refused, and a bundle that the pinned signer did not sign is not used', async () => {
  await assert.rejects(logIn(wallet, '111111'), { code: 'UNAUTHORIZED' })
  const challenge = await florin.auth.credentials.challenge(wallet.credentialId)
  assert.ok('otpEncryptionTargetBundle' in challenge)
  const given = { code: '000000', challenge, key, signerPublicKey }
  await assert.rejects(sealOtp({ ...given, signerPublicKey: SIGNER_PUBLIC }), /another signer/)
  const bundle = JSON.parse(challenge.otpEncryptionTargetBundle ?? '') as Record<string, string>
  const data = bundle['data']?.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const otpEncryptionTargetBundle = JSON.stringify({ ...bundle, data })
  const tampered = { ...challenge, otpEncryptionTargetBundle }
  await assert.rejects(sealOtp({ ...given, challenge: tampered }), /does not verify/)
  const withoutBundle = { ...challenge, otpEncryptionTargetBundle: '' }
  await assert.rejects(sealOtp({ ...given, challenge: withoutBundle }), /with a code/)
})

test('the published vectors open and verify', async () => {
  const tek = await deviceKeyOf(scalarOf(TEK_PRIVATE))
  assert.equal(tek.publicKey, TEK_PUBLIC)
  const parsed = parseStamp(await stamp(tek, STAMPED_PAYLOAD))
  assert.ok(parsed && verifyStamp(parsed, STAMPED_PAYLOAD))

  const client = await deviceKeyOf(new Uint8Array(CLIENT.scalar))
  const opened = await openSessionKey({
    encryptedSessionSigningKey: ENCRYPTED_SESSION_SIGNING_KEY,
    key: client,
  })
  assert.equal(opened.publicKey, (await deviceKeyOf(scalarOf(SESSION_SCALAR))).publicKey)
  const words = await openExport({
    encryptedWalletCredentials: EXPORT_BUNDLE,
    payloadToSign: STAMPED_PAYLOAD,
    key: client,
    signerPublicKey: SIGNER_PUBLIC,
  })
  assert.equal(words, MNEMONIC)
})

test('stamps are well-formed whatever their numbers look like', async () => {
  for (let n = 0; n < 300; n += 1) {
    const parsed = parseStamp(await stamp(key, `payload ${n}`))
    assert.ok(parsed && verifyStamp(parsed, `payload ${n}`))
  }
})

test('the private half of a device’s key cannot be read out', async () => {
  for (const secret of [key.signingKey, key.openingKey]) {
    assert.equal(secret.extractable, false)
    await assert.rejects(crypto.subtle.exportKey('jwk', secret))
  }
  const scalar = scalarOf(TEK_PRIVATE)
  await deviceKeyOf(scalar)
  assert.ok(scalar.every((byte) => byte === 0))
})

test('the nonce of an OIDC token is the hash of the key as it is sent', async () => {
  assert.equal(
    await oidcNonce('abc'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
