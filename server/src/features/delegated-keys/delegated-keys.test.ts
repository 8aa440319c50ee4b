import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import { expectError, expectFields, expectStatus, items, text } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import {
  delegate,
  listDelegatedKeys,
  logIn,
  newFundedCard,
  newWallet,
  signedBy,
  type TestWallet,
} from '../../../test/kit/wallets.ts'

const kit = await startKit()

const payloadOf = (challenge: { payloadToSign?: unknown }): Record<string, never> =>
  JSON.parse(String(challenge.payloadToSign)) as Record<string, never>

const creating =
  ({ api, accountId }: TestWallet, cardId: unknown, other: object = {}) =>
  (headers: Record<string, string> = {}) =>
    api.post(
      '/auth/delegated-keys',
      { cardId, internalAccountId: accountId, nickname: 'Card', ...other },
      { headers },
    )

test('DKEY-2 DKEY-3 DKEY-4 scenario 15: three legs, one active key, revoked once', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const cardId = await newFundedCard(wallet)
  const { device } = await logIn(wallet)
  const call = creating(wallet, cardId)
  const first = expectStatus(await call(), 202)
  assert.deepEqual(await listDelegatedKeys(wallet), [])
  const second = expectStatus(await call(await signedBy(device, first)), 202)
  assert.notEqual(second['requestId'], first['requestId'])
  const [pending] = await listDelegatedKeys(wallet)
  assert.equal(pending?.['status'], 'PENDING')
  expectStatus(await wallet.api.get(`/auth/delegated-keys/${pending?.['id']}`), 200)
  const changed = creating(wallet, cardId, { nickname: 'Other' })
  const mismatch = await changed(await signedBy(device, second))
  expectError(mismatch, 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
  const key = expectStatus(await call(await signedBy(device, second)), 201)
  assert.equal(key['status'], 'ACTIVE')
  assert.match(text(key['publicKey']), /^0[23][0-9a-f]{64}$/)
  assert.match(text(key['fundingSourceId']), /^CardFundingSource:/)
  for (const challenge of [first, second]) {
    assert.equal(payloadOf(challenge)['parameters']?.['publicKey'], key['publicKey'])
  }
  expectError(await call(), 409, 'CONFLICT')
  const path = `/auth/delegated-keys/${key['id']}`
  const racing = await Promise.all([wallet.api.delete(path), wallet.api.delete(path)])
  assert.deepEqual(racing.map(({ status }) => status).toSorted(), [204, 400])
  expectError(await wallet.api.delete(path), 400, 'INVALID_INPUT')
  assert.equal(expectStatus(await wallet.api.get(path), 200)['status'], 'REVOKED')
  expectStatus(await call(), 202)
})

test('DKEY-3 racing third legs: one active key, the other 409', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const call = creating(wallet, await newFundedCard(wallet))
  const { device } = await logIn(wallet)
  const thirds = await Promise.all(
    [1, 2].map(async () => {
      const first = expectStatus(await call(), 202)
      const second = expectStatus(await call(await signedBy(device, first)), 202)
      return signedBy(device, second)
    }),
  )
  const answers = await Promise.all(thirds.map((headers) => call(headers)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
})

test('DKEY-1 the pair must be a binding, the account a wallet, the nickname there', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const cardId = await newFundedCard(wallet)
  const foreign = await newWallet(kit)
  const unknown = `Card:${newId('card')}`
  expectError(await creating(wallet, unknown)(), 404, 'REFERENCE_NOT_FOUND')
  const other = { internalAccountId: foreign.accountId }
  expectError(await creating(wallet, cardId, other)(), 404, 'REFERENCE_NOT_FOUND')
  expectError(await creating(foreign, cardId)(), 404, 'REFERENCE_NOT_FOUND')
  for (const nickname of ['', 'x'.repeat(257)]) {
    expectFields(await creating(wallet, cardId, { nickname })(), ['nickname'])
  }
})

test('DKEY-5 a list wants a filter; both combine', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const key = await delegate(wallet)
  expectFields(await wallet.api.get('/auth/delegated-keys'), ['accountId', 'fundingSourceId'])
  const list = async (query: Record<string, string>) =>
    items(expectStatus(await wallet.api.get('/auth/delegated-keys', { query }), 200)['data'])
  const fundingSourceId = text(key['fundingSourceId'])
  assert.equal((await list({ fundingSourceId })).length, 1)
  assert.equal((await list({ fundingSourceId, accountId: wallet.accountId })).length, 1)
  const accountId = `InternalAccount:${newId('internalAccount')}`
  assert.deepEqual(await list({ fundingSourceId, accountId }), [])
})

test('DKEY-8 with the card the key ends, and its private half is destroyed', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const key = await delegate(wallet)
  expectStatus(await wallet.api.patch(`/cards/${key['cardId']}`, { state: 'CLOSED' }), 200)
  const [closed] = await listDelegatedKeys(wallet)
  assert.equal(closed?.['status'], 'REVOKED')
  const rows = await kit.florin.deps.db.read.many<{ left: boolean }>(
    sql`select private_key is not null as left from delegated_keys where status = 'REVOKED'`,
  )
  assert.ok(rows.length > 0 && rows.every(({ left }) => !left))
})
