import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { unseal } from '../../crypto/seal.ts'
import { expectError, expectFields, expectStatus } from '../../../test/kit/api.ts'
import { cardActions } from '../../../test/kit/cards.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { newOidcToken } from '../../../test/kit/outside/oidc-tokens.ts'
import { operate } from '../../../test/kit/operator.ts'
import { fund, payee } from '../../../test/kit/payments.ts'
import { deviceKeyOf, newDeviceKey } from '../../../test/kit/wallets/client.ts'
import { walletQuote } from '../../../test/kit/wallets/payments.ts'
import {
  advance,
  delegate,
  listDelegatedKeys,
  logIn,
  newFundedCard,
  newWallet,
  signedBy,
  signedHeaders,
  type TestWallet,
  type Call,
  challengeOf,
} from '../../../test/kit/wallets/wallets.ts'

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

test('DKEY-2 DKEY-3 DKEY-4 scenario 15: two signed retries make one active key, which is revoked once', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const cardId = await newFundedCard(wallet)
  const { device } = await logIn(wallet)
  const call = creating(wallet, cardId)
  const first = expectStatus(await call(), 202)
  assert.deepEqual(await listDelegatedKeys(wallet), [])
  const second = expectStatus(await call(await signedBy(device, first)), 202)
  assert.notEqual(second.requestId, first.requestId)
  const [pending] = await listDelegatedKeys(wallet)
  assert.equal(pending?.status, 'PENDING')
  expectStatus(await wallet.api.get(`/auth/delegated-keys/${pending.id}`), 200)
  const changed = creating(wallet, cardId, { nickname: 'Other' })
  const mismatch = await changed(await signedBy(device, second))
  expectError(mismatch, 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
  const key = expectStatus(await call(await signedBy(device, second)), 201)
  assert.equal(key.status, 'ACTIVE')
  assert.match(key.publicKey, /^0[23][0-9a-f]{64}$/)
  assert.match(key.fundingSourceId, /^CardFundingSource:/)
  for (const challenge of [first, second]) {
    assert.equal(payloadOf(challenge)['parameters']?.['publicKey'], key.publicKey)
  }
  expectError(await call(), 409, 'CONFLICT')
  const path = `/auth/delegated-keys/${key.id}` as const
  const racing = await Promise.all([wallet.api.delete(path), wallet.api.delete(path)])
  assert.deepEqual(racing.map(({ status }) => status).toSorted(), [204, 400])
  expectError(await wallet.api.delete(path), 400, 'INVALID_INPUT')
  assert.equal(expectStatus(await wallet.api.get(path), 200).status, 'REVOKED')
  expectStatus(await call(), 202)
})

test('SIGN-10 DKEY-3 a key that takes its time is answered as PROCESSING, then as it is', async () => {
  const customer = { fullName: 'Bea Able', email: 'bea+processing@example.com' }
  const wallet = await newWallet(kit, { customer })
  const call = creating(wallet, await newFundedCard(wallet))
  const { requestId } = await challengeOf(call)
  const headers = signedHeaders({ stamp: 'sandbox-valid-signature', requestId })
  assert.equal(expectStatus(await call(headers), 200).status, 'PROCESSING')
  await advance(wallet.api, 5)
  expectStatus(await call(headers), 202)
})

test('DKEY-3 of two racing activations one succeeds and the other answers 409', async () => {
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

test('DKEY-1 card and account must be bound, the account must be a wallet, and the nickname is required', async () => {
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

test('DKEY-5 a list needs a filter, and both filters combine', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const key = await delegate(wallet)
  expectFields(await wallet.api.get('/auth/delegated-keys'), ['accountId', 'fundingSourceId'])
  const list = async (query: Record<string, string>) =>
    expectStatus(await wallet.api.get('/auth/delegated-keys', { query }), 200).data
  const fundingSourceId = key.fundingSourceId
  assert.equal((await list({ fundingSourceId })).length, 1)
  assert.equal((await list({ fundingSourceId, accountId: wallet.accountId })).length, 1)
  const accountId = `InternalAccount:${newId('internalAccount')}`
  assert.deepEqual(await list({ fundingSourceId, accountId }), [])
})

test('DKEY-6 DKEY-7 only an active key is revoked, without a stamp; it stays readable', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const call = creating(wallet, await newFundedCard(wallet))
  const { device } = await logIn(wallet)
  const second = expectStatus(
    await call(await signedBy(device, expectStatus(await call(), 202))),
    202,
  )
  const [pending] = await listDelegatedKeys(wallet)
  const path = `/auth/delegated-keys/${pending?.id}` as const
  expectError(await wallet.api.delete(path), 400, 'INVALID_INPUT')
  assert.equal(expectStatus(await wallet.api.get(path), 200).status, 'PENDING')
  const active = expectStatus(await call(await signedBy(device, second)), 201)
  const stranger = await kit.platform()
  const unknown = `/auth/delegated-keys/DelegatedKey:${newId('delegatedKey')}`
  for (const [api, address] of [
    [stranger.api, path],
    [wallet.api, unknown],
  ] as const) {
    expectError(await api.delete(address), 404, 'REFERENCE_NOT_FOUND')
    expectError(await api.get(address), 404, 'REFERENCE_NOT_FOUND')
  }
  const racing = await Promise.all(Array.from({ length: 5 }, () => wallet.api.delete(path)))
  assert.deepEqual(racing.map(({ status }) => status).toSorted(), [204, 400, 400, 400, 400])
  const revoked = expectStatus(await wallet.api.get(path), 200)
  assert.deepEqual({ ...revoked, updatedAt: '' }, { ...active, status: 'REVOKED', updatedAt: '' })
})

test('DKEY-9 DKEY-10 AUTHZ-9 CARD-32 a card spends from a wallet while a key of that binding is active', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const { api, accountId, platform } = wallet
  await fund(platform, accountId, 100_000_000)
  const cardId = await newFundedCard(wallet)
  const card = cardActions(platform, cardId)
  const declined = async () => {
    const refused = await card.authorize(1000)
    assert.equal(refused.status, 'DECLINED')
    assert.equal(refused.declineReason, 'FUNDING_SOURCE_NOT_AUTHORIZED')
  }
  await declined()
  const call = creating(wallet, cardId)
  const { device } = await logIn(wallet)
  const second = expectStatus(
    await call(await signedBy(device, expectStatus(await call(), 202))),
    202,
  )
  await declined()
  const key = expectStatus(await call(await signedBy(device, second)), 201)
  const { data } = expectStatus(
    await api.get('/auth/delegated-keys', { query: { accountId } }),
    200,
  )
  assert.equal(data[0]?.fundingSourceId, key.fundingSourceId)
  const [binding] = await kit.florin.deps.db.read.many<{ id: string }>(
    sql`select id from card_funding_sources where card_id = ${cardId.split(':')[1] ?? ''}`,
  )
  assert.equal(key.fundingSourceId, `CardFundingSource:${binding?.id}`)
  const spent = await card.authorize(1000)
  assert.equal(spent.status, 'AUTHORIZED')
  assert.equal((await card.balances(accountId)).balance, 90_000_000)
  const other = cardActions(platform, await newFundedCard(wallet))
  const foreign = await other.authorize(1000)
  assert.equal(foreign.declineReason, 'FUNDING_SOURCE_NOT_AUTHORIZED', 'the key is of one card')
  expectStatus(await api.delete(`/auth/delegated-keys/${key.id}`), 204)
  await declined()
  const cleared = await card.clear(spent, 10_000_000)
  assert.equal(cleared.status, 'SETTLED', 'what was authorized is settled')
})

test('SIGN-21 CARD-32 CTXN-18 without an active key an earlier authorization pulls nothing more', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const { api, accountId, platform } = wallet
  await fund(platform, accountId, 100_000_000)
  const key = await delegate(wallet)
  const card = cardActions(platform, key.cardId)
  const [cleared, advised] = [await card.authorize(1000), await card.authorize(1000)]
  expectStatus(await api.delete(`/auth/delegated-keys/${key.id}`), 204)
  const short = await card.clear(cleared, 10_000_001)
  assert.equal(short.status, 'EXCEPTION')
  assert.deepEqual(short.pullSummary, { count: 2, totalAmount: 10_000_000, pendingCount: 0 })
  const second = await card.clear(cleared, 1)
  assert.deepEqual(second.pullSummary, { count: 3, totalAmount: 10_000_000, pendingCount: 0 })
  const raised = await card.advise(advised, 20_000_000)
  assert.equal(raised.status, 'AUTHORIZED')
  assert.deepEqual(raised.pullSummary, { count: 2, totalAmount: 10_000_000, pendingCount: 0 })
  assert.equal((await card.balances(accountId)).balance, 80_000_000)
  const retry = operate(kit, `cards retry-pull ${short.id}`)
  await assert.rejects(retry, { details: { reason: 'FUNDING_SOURCE_NOT_AUTHORIZED' } })
  const returned = await card.creditReturn(short, 10_000_002)
  assert.equal(returned.status, 'REFUNDED')
  assert.equal((await card.balances(accountId)).balance, 90_000_000)
})

test('DKEY-4 DKEY-9 even with its private half a delegated key signs nothing else', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const { api, accountId, platform } = wallet
  const answer = await delegate(wallet)
  const id = answer.id.split(':')[1] ?? ''
  const { privateKey } = await kit.florin.deps.db.read.one<{ privateKey: Buffer }>(
    sql`select private_key from delegated_keys where id = ${id}`,
  )
  const scalar = unseal(kit.florin.deps.keyring, 'delegated-key', privateKey, id)
  const key = deviceKeyOf(scalar.toString('hex'))
  assert.equal(key.publicKey, answer.publicKey)
  assert.ok(!JSON.stringify(answer).includes(key.privateKey))
  await fund(platform, accountId, 10_000_000)
  const to = await payee(platform, 'USD_ACCOUNT')
  const quoted = await walletQuote({ wallet, to }, 1_000_000)
  const clientPublicKey = newDeviceKey().publicKeyUncompressed
  const calls: readonly Call[] = [
    (headers = {}) => api.post(`/quotes/${quoted.id}/execute`, undefined, { headers }),
    (headers = {}) =>
      api.post(`/internal-accounts/${accountId}/export`, { clientPublicKey }, { headers }),
    (headers = {}) =>
      api.patch(`/internal-accounts/${accountId}`, { privateEnabled: true }, { headers }),
    (headers = {}) =>
      api.post('/auth/credentials', { type: 'OAUTH', accountId, oidcToken: token }, { headers }),
  ]
  const token = newOidcToken()
  for (const call of calls) {
    const signed = await call(await signedBy(key, await challengeOf(call)))
    const { reason } = expectError(signed, 401, 'WALLET_SIGNATURE_INVALID')
    assert.equal(reason, 'Public key has no active session on this account')
  }
})

test('DKEY-8 closing the card revokes the key and destroys its private half', async () => {
  const wallet = await newWallet(kit, { customer: { fullName: 'Ann Able' } })
  const key = await delegate(wallet)
  expectStatus(await wallet.api.patch(`/cards/${key.cardId}`, { state: 'CLOSED' }), 200)
  const [closed] = await listDelegatedKeys(wallet)
  assert.equal(closed?.status, 'REVOKED')
  const rows = await kit.florin.deps.db.read.many<{ left: boolean }>(
    sql`select private_key is not null as left from delegated_keys where status = 'REVOKED'`,
  )
  assert.ok(rows.length > 0 && rows.every(({ left }) => !left))
})
