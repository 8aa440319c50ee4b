import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kernel/ids.ts'
import { expectError, expectFields, expectStatus } from '../../../../test/kit/api.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { newDeviceKey } from '../../../../test/kit/wallets/client.ts'
import {
  advance,
  listSessions,
  logIn,
  newWallet,
  signBoth,
  signedBy,
  type TestWallet,
} from '../../../../test/kit/wallets/wallets.ts'

const kit = await startKit()

const refreshing =
  ({ api }: TestWallet, id: unknown, body: object) =>
  (headers: Record<string, string> = {}) =>
    api.post(`/auth/sessions/${id}/refresh`, body, { headers })

const ending =
  ({ api }: TestWallet, id: unknown) =>
  (headers: Record<string, string> = {}) =>
    api.delete(`/auth/sessions/${id}`, { headers })

test('SESS-1 SESS-7 the list holds active sessions only, newest first', async () => {
  const wallet = await newWallet(kit)
  const first = await logIn(wallet)
  await advance(wallet.api, 600)
  const second = await logIn(wallet)
  const ids = async () => (await listSessions(wallet.api, wallet.accountId)).map(({ id }) => id)
  assert.deepEqual(await ids(), [second.session.id, first.session.id])
  await advance(wallet.api, 300)
  assert.deepEqual(await ids(), [second.session.id])
})

test('SESS-2 SESS-3 SESS-4 SESS-5 scenario 10: a session is refreshed only by itself', async () => {
  const wallet = await newWallet(kit)
  const foreign = await newWallet(kit)
  const mine = await logIn(wallet)
  const other = await logIn(wallet)
  const { id } = mine.session
  const clientPublicKey = newDeviceKey().publicKey
  expectFields(await refreshing(wallet, id, {})(), ['clientPublicKey'])
  expectFields(await refreshing(wallet, id, { clientPublicKey: 'x' })(), ['clientPublicKey'])
  for (const wrong of [`Session:${newId('session')}`, 'x']) {
    expectError(await refreshing(wallet, wrong, { clientPublicKey })(), 404, 'REFERENCE_NOT_FOUND')
  }
  const theirs = await refreshing(foreign, id, { clientPublicKey })()
  expectError(theirs, 404, 'REFERENCE_NOT_FOUND')
  const call = refreshing(wallet, id, { clientPublicKey })
  const challenge = expectStatus(await call(), 202)
  assert.equal('type' in challenge, false)
  const refused = await call(await signedBy(other.device, challenge))
  expectError(refused, 401, 'WALLET_SIGNATURE_INVALID')
  const changed = refreshing(wallet, id, { clientPublicKey: newDeviceKey().publicKey })
  const mismatch = await changed(await signedBy(mine.device, challenge))
  expectError(mismatch, 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
  const fresh = expectStatus(await call(await signedBy(mine.device, challenge)), 201)
  assert.notEqual(fresh.id, id)
  assert.equal(fresh.nickname, mine.session.nickname)
  assert.equal((await listSessions(wallet.api, wallet.accountId)).length, 3)
  const late = expectStatus(await call(), 202)
  expectStatus(await signBoth(ending(wallet, id), other.device), 204)
  for (const headers of [{}, await signedBy(mine.device, late)]) {
    const details = expectError(await call(headers), 401, 'UNAUTHORIZED')
    assert.equal(details['reason'], 'Session is no longer active')
  }
})

test('SESS-6 SESS-8 any session of the account ends a session; an ended session is not found', async () => {
  const wallet = await newWallet(kit)
  const other = await newWallet(kit, { platform: wallet.platform })
  const mine = await logIn(wallet)
  const second = await logIn(wallet)
  const strange = await logIn(other)
  const call = ending(wallet, mine.session.id)
  const challenge = expectStatus(await call(), 202)
  assert.equal(challenge.type, 'EMAIL_OTP')
  const refused = await call(await signedBy(strange.device, challenge))
  expectError(refused, 401, 'WALLET_SIGNATURE_INVALID')
  expectStatus(await call(await signedBy(second.device, challenge)), 204)
  expectError(await call(), 404, 'REFERENCE_NOT_FOUND')
  expectStatus(await signBoth(ending(wallet, second.session.id), second.device), 204)
  assert.deepEqual(await listSessions(wallet.api, wallet.accountId), [])
  await logIn(wallet)
})

test('the 101st session ends the oldest', async () => {
  const wallet = await newWallet(kit)
  const first = await logIn(wallet)
  let last = first
  for (let n = 0; n < 100; n += 1) {
    const device = newDeviceKey()
    const body = { clientPublicKey: device.publicKey }
    const call = refreshing(wallet, last.session.id, body)
    last = { device, session: expectStatus(await signBoth(call, last.device), 201) }
  }
  const sessions = await listSessions(wallet.api, wallet.accountId)
  assert.equal(sessions.length, 100)
  assert.ok(!sessions.some(({ id }) => id === first.session.id))
})

test('EXPT-1 EXPT-7 an export is sealed to an uncompressed key, and only that key opens it', async () => {
  const wallet = await newWallet(kit)
  const { device } = await logIn(wallet)
  const client = newDeviceKey()
  const take = (clientPublicKey: string, headers = {}) =>
    wallet.api.post(
      `/internal-accounts/${wallet.accountId}/export`,
      { clientPublicKey },
      { headers },
    )
  const [error] = expectFields(await take(client.publicKey), ['clientPublicKey'])
  assert.equal(error?.['constraint']?.['pattern'], '^04[0-9a-fA-F]{128}$')
  const challenge = expectStatus(await take(client.publicKeyUncompressed), 202)
  const headers = await signedBy(device, challenge)
  const other = await take(newDeviceKey().publicKeyUncompressed, headers)
  expectError(other, 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
  expectStatus(await take(client.publicKeyUncompressed, headers), 200)
  expectError(await take(client.publicKeyUncompressed, headers), 401, 'UNAUTHORIZED')
})
