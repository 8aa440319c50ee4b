import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { expectError, expectStatus, text } from '../kit/api.ts'
import { startKit } from '../kit/florin.ts'
import { softwareAuthenticator } from '../kit/sca/software-authenticator.ts'
import {
  newDeviceKey,
  openExport,
  openSessionKey,
  readVerificationToken,
  stamp,
  type DeviceKey,
} from '../kit/wallets/client.ts'
import {
  listCredentials,
  listSessions,
  logIn,
  newWallet,
  sealCode,
  signBoth,
  signedBy,
  signedHeaders,
  type TestWallet,
} from '../kit/wallets/wallets.ts'

const kit = await startKit()

async function exportWords(wallet: TestWallet, device: DeviceKey): Promise<string> {
  const exportKey = newDeviceKey()
  const body = { clientPublicKey: exportKey.publicKeyUncompressed }
  const take = (headers = {}) =>
    wallet.api.post(`/internal-accounts/${wallet.accountId}/export`, body, { headers })
  const asked = expectStatus(await take(), 202)
  const { id, encryptedWalletCredentials } = expectStatus(
    await take(await signedBy(device, asked)),
    200,
  )
  assert.equal(id, wallet.accountId)
  return openExport({
    encryptedWalletCredentials: text(encryptedWalletCredentials),
    payloadToSign: asked.payloadToSign,
    device: exportKey,
    signerPublicKey: wallet.signerPublicKey,
  })
}

test('scenarios 1, 10 and 11: a code, a session, an export, a refresh, the end', async () => {
  const wallet = await newWallet(kit)
  const { api, accountId, signerPublicKey } = wallet
  const [credential] = await listCredentials(api, accountId)
  assert.equal(credential?.type, 'EMAIL_OTP')
  assert.equal(credential.nickname, wallet.customer.email)

  const device = newDeviceKey()
  const body = {
    type: 'EMAIL_OTP',
    encryptedOtpBundle: await sealCode(wallet, { device }),
  }
  const path = `/auth/credentials/${wallet.emailCredentialId}/verify` as const
  const challenge = expectStatus(await api.post(path, body), 202)
  assert.equal(challenge.type, 'EMAIL_OTP')
  const token = challenge.payloadToSign
  const claims = await readVerificationToken({ token, signerPublicKey })
  assert.equal(claims.contact, wallet.customer.email)
  const headers = await signedBy(device, challenge)
  const session = expectStatus(await api.post(path, body, { headers }), 200)
  assert.equal(session.encryptedSessionSigningKey, undefined)
  const lifeMs = Date.parse(text(session.expiresAt)) - Date.parse(text(session.createdAt))
  assert.equal(lifeMs, 900_000)
  assert.equal((await listSessions(api, accountId))[0]?.id, session.id)

  const words = [await exportWords(wallet, device), await exportWords(wallet, device)]
  assert.ok(validateMnemonic(words[0] ?? '', wordlist))
  assert.equal(words[0]?.split(' ').length, 12)
  assert.equal(words[0], words[1])

  const next = newDeviceKey()
  const refresh = (given = {}) =>
    api.post(
      `/auth/sessions/${session.id}/refresh`,
      { clientPublicKey: next.publicKey },
      { headers: given },
    )
  const refreshed = expectStatus(await signBoth(refresh, device), 201)
  assert.notEqual(refreshed.id, session.id)
  const end = (given = {}) => api.delete(`/auth/sessions/${refreshed.id}`, { headers: given })
  expectStatus(await signBoth(end, next), 204)
  expectError(await end(), 404, 'REFERENCE_NOT_FOUND')
  assert.equal((await listSessions(api, accountId)).length, 1)
})

test('scenarios 4 to 7 and 9: a passkey is added, logs in sealed and client-held, counts, and outlives the code', async () => {
  const wallet = await newWallet(kit)
  const { api, accountId } = wallet
  const { device } = await logIn(wallet)
  const authenticator = softwareAuthenticator()
  const challenge = randomBytes(32)
  const body = {
    type: 'PASSKEY',
    accountId,
    nickname: '  Ann’s phone'.replace('’', "'"),
    challenge: challenge.toString('base64url'),
    attestation: authenticator.register({ challenge }),
  }
  const add = (headers = {}) => api.post('/auth/credentials', body, { headers })
  const asked = expectStatus(await add(), 202)
  const signed = await signedBy(device, asked)
  const credential = expectStatus(await add(signed), 201)
  assert.equal(credential.credentialId, authenticator.credentialId)
  assert.equal(credential.nickname, "Ann's phone")
  expectError(await add(signed), 401, 'UNAUTHORIZED')
  assert.equal((await listCredentials(api, accountId)).length, 2)

  const begin = async (clientPublicKey: string) =>
    expectStatus(
      await api.post(`/auth/credentials/${credential.id}/challenge`, { clientPublicKey }),
      200,
    )
  const finish = (requestId: string, assertion: object) =>
    api.post(
      `/auth/credentials/${credential.id}/verify`,
      { type: 'PASSKEY', assertion },
      { headers: signedHeaders({ requestId }) },
    )

  const client = newDeviceKey()
  const sealed = await begin(client.publicKeyUncompressed)
  assert.match(text(sealed.challenge), /^[0-9a-f]{64}$/)
  const bytes = Buffer.from(text(sealed.challenge), 'utf8')
  const session = expectStatus(
    await finish(text(sealed.requestId), authenticator.assert({ challenge: bytes })),
    200,
  )
  const sessionKey = openSessionKey({
    encryptedSessionSigningKey: text(session.encryptedSessionSigningKey),
    device: client,
  })
  const change = (headers = {}) =>
    api.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, { headers })
  const account = expectStatus(await signBoth(change, sessionKey), 200)
  assert.equal(account.privateEnabled, true)

  const held = newDeviceKey()
  const open = await begin(held.publicKey)
  const assertion = authenticator.assert({
    challenge: Buffer.from(text(open.challenge), 'utf8'),
  })
  const second = expectStatus(await finish(text(open.requestId), assertion), 200)
  assert.equal(second.encryptedSessionSigningKey, undefined)
  expectStatus(await signBoth(change, held), 200)

  const again = await begin(held.publicKey)
  const stale = authenticator.assert({
    challenge: Buffer.from(text(again.challenge), 'utf8'),
    counter: 1,
  })
  const details = expectError(await finish(text(again.requestId), stale), 401, 'UNAUTHORIZED')
  assert.equal(details['reason'], 'Passkey signature counter did not increase')

  await replaceEmailCredential(wallet, { own: device, other: held })
})

/** Scenario 9. */
async function replaceEmailCredential(
  wallet: TestWallet,
  { own: device, other: held }: { own: DeviceKey; other: DeviceKey },
): Promise<void> {
  const { api, accountId } = wallet
  const revoke = (headers = {}) =>
    api.delete(`/auth/credentials/${wallet.emailCredentialId}`, { headers })
  const asking = expectStatus(await revoke(), 202)
  const own = { stamp: await stamp(device, asking.payloadToSign) }
  const refused = await revoke(signedHeaders({ ...own, requestId: asking.requestId }))
  expectError(refused, 401, 'WALLET_SIGNATURE_INVALID')
  expectStatus(await revoke(await signedBy(held, asking)), 204)
  assert.equal((await listSessions(api, accountId)).length, 2)
  const back = (headers = {}) =>
    api.post('/auth/credentials', { type: 'EMAIL_OTP', accountId }, { headers })
  const restored = expectStatus(await signBoth(back, held), 201)
  assert.equal(restored.otpEncryptionTargetBundle, undefined)
  const code = expectStatus(await api.post(`/auth/credentials/${restored.id}/challenge`), 200)
  assert.ok(code.otpEncryptionTargetBundle)
}
