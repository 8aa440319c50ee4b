import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  softwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../../../test/kit/sca/software-authenticator.ts'
import { newDeviceKey, type DeviceKey } from '../../../../test/kit/wallets/client.ts'
import {
  challengeOf,
  listSessions,
  logIn,
  newWallet,
  signBoth,
  signedBy,
  signedHeaders,
  type Call,
  type TestWallet,
} from '../../../../test/kit/wallets/wallets.ts'

const kit = await startKit()

const passkeyBody = ({ accountId }: TestWallet, authenticator: SoftwareAuthenticator) => {
  const challenge = randomBytes(32)
  return {
    type: 'PASSKEY',
    accountId,
    nickname: 'Phone',
    challenge: challenge.toString('base64url'),
    attestation: authenticator.register({ challenge }),
  }
}

/** A wallet with a code by e-mail and a passkey, and a way to log in with that passkey. */
async function start() {
  const wallet = await newWallet(kit)
  const { device: byCode } = await logIn(wallet)
  const authenticator = softwareAuthenticator()
  const body = passkeyBody(wallet, authenticator)
  const adding = (headers = {}) => wallet.api.post('/auth/credentials', body, { headers })
  const { id } = expectStatus(await signBoth(adding, byCode), 201)
  const enter = async (proof: { isUserVerified?: boolean; signature?: string }) => {
    const device = newDeviceKey()
    const path = `/auth/credentials/${id}` as const
    const asked = expectStatus(
      await wallet.api.post(`${path}/challenge`, { clientPublicKey: device.publicKey }),
      200,
    )
    const { signature, ...ceremony } = proof
    const challenge = Buffer.from(text(asked.challenge), 'utf8')
    const assertion = {
      ...authenticator.assert({ challenge, ...ceremony }),
      ...(signature && { signature }),
    }
    const headers = signedHeaders({ requestId: text(asked.requestId) })
    const session = expectStatus(
      await wallet.api.post(`${path}/verify`, { type: 'PASSKEY', assertion }, { headers }),
      200,
    )
    return { device, session }
  }
  return { wallet, byCode, passkeyId: id, enter }
}

const exporting =
  ({ api, accountId }: TestWallet) =>
  (headers = {}) =>
    api.post(
      `/internal-accounts/${accountId}/export`,
      { clientPublicKey: EXPORT_KEY.publicKeyUncompressed },
      { headers },
    )
const EXPORT_KEY = newDeviceKey()

const ending =
  ({ api }: TestWallet, id: string) =>
  (headers = {}) =>
    api.delete(`/auth/sessions/${id}`, { headers })

const privacy =
  ({ api, accountId }: TestWallet, privateEnabled: boolean) =>
  (headers = {}) =>
    api.patch(`/internal-accounts/${accountId}`, { privateEnabled }, { headers })

/** The retry is refused, and the signature request stays pending for a session that may sign it. */
async function mustNeedVerification(call: Call, unverified: DeviceKey, verified: DeviceKey) {
  const challenge = await challengeOf(call)
  const refused = await call(await signedBy(unverified, challenge))
  const { reason } = expectError(refused, 401, 'WALLET_SIGNATURE_INVALID')
  assert.equal(reason, 'User verification is required')
  const done = await call(await signedBy(verified, challenge))
  assert.ok(done.status < 300, done.text)
}

test('VRFY-9 VRFY-18 EXPT-2 scenario 18: a passkey login without user verification opens a session that exports nothing', async () => {
  const { wallet, enter } = await start()
  const touched = await enter({ isUserVerified: false })
  const verified = await enter({ isUserVerified: true })
  await mustNeedVerification(exporting(wallet), touched.device, verified.device)
  const shown = expectStatus(await signBoth(privacy(wallet, true), touched.device), 200)
  assert.equal(shown.privateEnabled, true)
})

test('VRFY-18 CRED-19 SIGN-6 SIGN-14 credentials are added, revoked and re-keyed by verified users only', async () => {
  const { wallet, byCode, enter } = await start()
  const { device: touched } = await enter({ isUserVerified: false })
  const { device: verified } = await enter({ isUserVerified: true })
  const { api, customer } = wallet
  const second = passkeyBody(wallet, softwareAuthenticator())
  await mustNeedVerification(
    (headers = {}) => api.post('/auth/credentials', second, { headers }),
    touched,
    verified,
  )
  await mustNeedVerification(
    (headers = {}) =>
      api.patch(
        `/customers/${customer.id}`,
        { customerType: 'INDIVIDUAL', email: 'new@example.com' },
        { headers },
      ),
    touched,
    byCode,
  )
  const path = `/auth/credentials/${wallet.emailCredentialId}` as const
  await mustNeedVerification((headers = {}) => api.delete(path, { headers }), touched, verified)
})

test('VRFY-18 SESS-3 SESS-6 a session without user verification ends only itself and is not refreshed', async () => {
  const { wallet, enter } = await start()
  const touched = await enter({ isUserVerified: false })
  const verified = await enter({ isUserVerified: true })
  const other = await enter({ isUserVerified: true })
  await mustNeedVerification(
    ending(wallet, text(other.session.id)),
    touched.device,
    verified.device,
  )
  const refreshing =
    ({ session }: typeof touched, key = newDeviceKey()) =>
    (headers = {}) =>
      wallet.api.post(
        `/auth/sessions/${session.id}/refresh`,
        { clientPublicKey: key.publicKey },
        { headers },
      )
  const refused = await signBoth(refreshing(touched), touched.device)
  const { reason } = expectError(refused, 401, 'WALLET_SIGNATURE_INVALID')
  assert.equal(reason, 'User verification is required')
  const key = newDeviceKey()
  expectStatus(await signBoth(refreshing(verified, key), verified.device), 201)
  expectStatus(await signBoth(exporting(wallet), key), 200)
  const before = (await listSessions(wallet.api, wallet.accountId)).length
  expectStatus(await signBoth(ending(wallet, text(touched.session.id)), touched.device), 204)
  assert.equal((await listSessions(wallet.api, wallet.accountId)).length, before - 1)
})

test('VRFY-18 the sandbox literal counts as a verified user', async () => {
  const { wallet, enter } = await start()
  const signature = 'sandbox-valid-passkey-signature'
  const { device } = await enter({ isUserVerified: false, signature })
  expectStatus(await signBoth(exporting(wallet), device), 200)
})
