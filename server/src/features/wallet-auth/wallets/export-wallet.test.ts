import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../infra/db/statement/sql.ts'
import { expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { fund } from '../../../../test/kit/payments.ts'
import { newDeviceKey, openExport } from '../../../../test/kit/wallets/client.ts'
import {
  advance,
  challengeOf,
  listCredentials,
  listSessions,
  logIn,
  newWallet,
  signBoth,
  signedBy,
  type Call,
  type TestWallet,
} from '../../../../test/kit/wallets/wallets.ts'

const kit = await startKit()
const client = newDeviceKey()

const taking =
  ({ api, accountId }: TestWallet) =>
  (headers: Record<string, string> = {}) =>
    api.post(
      `/internal-accounts/${accountId}/export`,
      { clientPublicKey: client.publicKeyUncompressed },
      { headers },
    )

const deliveries = async (resource: string): Promise<number> =>
  (
    await kit.florin.deps.db.read.many(
      sql`select actor from audit_entries
          where action = 'deliverWalletExport' and resource = ${resource}`,
    )
  ).length

test('EXPT-2 EXPT-4 any active session of the account signs an export, a session of another account does not', async () => {
  const wallet = await newWallet(kit)
  const devices = [(await logIn(wallet)).device, (await logIn(wallet)).device]
  const stranger = await logIn(await newWallet(kit, { platform: wallet.platform }))
  const take = taking(wallet)
  const words = new Set<string>()
  for (const device of devices) {
    const asked = expectStatus(await take(), 202)
    expectError(await take(await signedBy(stranger.device, asked)), 401, 'WALLET_SIGNATURE_INVALID')
    const { encryptedWalletCredentials } = expectStatus(
      await take(await signedBy(device, asked)),
      200,
    )
    const opened = await openExport({
      encryptedWalletCredentials: text(encryptedWalletCredentials),
      payloadToSign: asked.payloadToSign,
      device: client,
      signerPublicKey: wallet.signerPublicKey,
    })
    words.add(opened)
  }
  assert.equal(words.size, 1, 'every session gets the same mnemonic')
})

test('EXPT-5 an export changes nothing', async () => {
  const wallet = await newWallet(kit)
  const { api, accountId, platform } = wallet
  await fund(platform, accountId, 5_000_000)
  const { device } = await logIn(wallet)
  const state = async () => {
    const query = { customerId: wallet.customer.id }
    const accounts = expectStatus(await api.get('/customers/internal-accounts', { query }), 200)
    return {
      accounts: accounts.data,
      credentials: await listCredentials(api, accountId),
      sessions: await listSessions(api, accountId),
    }
  }
  const before = await state()
  const take = taking(wallet)
  expectStatus(await take(await signedBy(device, expectStatus(await take(), 202))), 200)
  assert.deepEqual(await state(), before)
})

test('EXPT-8 only a delivered export leaves an audit entry', async () => {
  const wallet = await newWallet(kit)
  const { device } = await logIn(wallet)
  const take = taking(wallet)
  const asked = expectStatus(await take(), 202)
  const other = newDeviceKey()
  expectError(await take(await signedBy(other, asked)), 401, 'WALLET_SIGNATURE_INVALID')
  assert.equal(await deliveries(wallet.accountId), 0)
  const signed = await signedBy(device, asked)
  expectStatus(await take(signed), 200)
  expectError(await take(signed), 401, 'UNAUTHORIZED')
  assert.equal(await deliveries(wallet.accountId), 1)
  expectStatus(await take(await signedBy(device, expectStatus(await take(), 202))), 200)
  assert.equal(await deliveries(wallet.accountId), 2)
})

test('EXPT-6 EXPT-8 after PROCESSING the audit entry is written by the delivery', async () => {
  const customer = { email: 'export+processing@example.com' }
  const wallet = await newWallet(kit, { customer })
  const take = taking(wallet)
  const { requestId } = expectStatus(await take(), 202)
  const signed = {
    'Service-Wallet-Signature': 'sandbox-valid-signature',
    'Request-Id': requestId,
  }
  assert.equal(expectStatus(await take(signed), 200).status, 'PROCESSING')
  await advance(wallet.api, 5)
  assert.equal(await deliveries(wallet.accountId), 0)
  assert.ok(expectStatus(await take(signed), 200).encryptedWalletCredentials)
  assert.equal(await deliveries(wallet.accountId), 1)
})

test('SESS-7 EXPT-6 after PROCESSING an export is not delivered to a session that has ended', async () => {
  const wallet = await newWallet(kit)
  const { api, customer } = wallet
  const { device, session } = await logIn(wallet)
  const email = 'ended+processing@example.com'
  const change = (headers = {}) =>
    api.patch(`/customers/${customer.id}`, { customerType: 'INDIVIDUAL', email }, { headers })
  expectStatus(await signBoth(change, device), 200)
  const take = taking(wallet)
  const end = (headers = {}) => api.delete(`/auth/sessions/${session.id}`, { headers })
  const begin = async (call: Call) => {
    const signed = await signedBy(device, await challengeOf(call))
    assert.equal(expectStatus(await call(signed), 200)['status'], 'PROCESSING')
    return signed
  }
  const [settled, ending] = [await begin(take), await begin(end)]
  await advance(api, 3)
  const working = await begin(take)
  await advance(api, 2)
  expectStatus(await end(ending), 204)
  for (const signed of [settled, working]) {
    const { reason } = expectError(await take(signed), 401, 'WALLET_SIGNATURE_INVALID')
    assert.equal(reason, 'Public key has no active session on this account')
  }
  await advance(api, 3)
  expectError(await take(working), 401, 'WALLET_SIGNATURE_INVALID')
  assert.equal(await deliveries(wallet.accountId), 0)
  expectStatus(await end(ending), 204)
})
