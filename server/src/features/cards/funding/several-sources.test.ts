/**
 * Cards with more than one source. A customer has one account in each currency, so no request can reach this yet; the
 * tests drop that constraint from their own database and add an account.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardTransaction } from '../../../../../sdk/src/index.ts'
import { expectError, expectStatus, type Shown } from '../../../../test/kit/api.ts'
import { advance, cardActions, fund, newCard } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import {
  delegate,
  listDelegatedKeys,
  logIn,
  newFundedCard,
  newWallet,
  signBoth,
  signedBy,
} from '../../../../test/kit/wallets/wallets.ts'
import { formatId, mustParseId, newId } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const { read: db } = kit.florin.deps.db

const newHolder = async () => {
  const p = await kit.platform({ currencies: ['USD'] })
  return { p, card: await newCard(p) }
}
const newOwner = () => newWallet(kit, { customer: { fullName: 'Ann Able' } })
const holders = [await newHolder(), await newHolder()] as const
const owners = [await newOwner(), await newOwner()] as const
// From here on no account is opened by itself any more.
await db.run(sql`alter table internal_accounts drop constraint internal_accounts_one_per_currency`)

/** Another account of the same customer in the same currency. */
async function addAccount(like: string): Promise<string> {
  const id = newId('internalAccount')
  await db.run(
    sql`insert into internal_accounts (platform_id, id, customer_id, currency, type, status, funding_instructions,
          created_at, updated_at)
        select platform_id, ${id}, customer_id, currency, 'INTERNAL_FIAT', status, funding_instructions, created_at,
          updated_at
        from internal_accounts where id = ${mustParseId('internalAccount', like)}`,
  )
  return formatId('internalAccount', id)
}

const outcome = ({ status, declineReason }: Shown<CardTransaction>) => [status, declineReason]

test('CARD-25 CARD-12 section 9 the sources are replaced in order, and their event follows the event of the state', async () => {
  const [{ p, card }] = holders
  const other = await addAccount(card.accountId)
  const fundingSources = [other, card.accountId]
  const changed = expectStatus(await card.patch({ state: 'FROZEN', fundingSources }), 200)
  assert.deepEqual(changed.fundingSources, fundingSources)
  assert.equal(changed.fundingSource, other)
  assert.deepEqual(await card.read(), changed)
  const emitted = (await listEvents(p)).slice(0, 2).map(({ type, data }) => [type, data])
  assert.deepEqual(emitted.reverse(), [
    ['CARD.STATE_CHANGE', changed],
    ['CARD.FUNDING_SOURCE_CHANGE', changed],
  ])
  const listed = async (accountId: string) =>
    expectStatus(await p.api.get('/cards', { query: { accountId } }), 200).data.length
  assert.deepEqual([await listed(other), await listed(card.accountId)], [1, 1])
  const single = expectStatus(await card.patch({ fundingSource: card.accountId }), 200)
  assert.deepEqual(single.fundingSources, [card.accountId])
  assert.deepEqual([await listed(other), await listed(card.accountId)], [0, 1])
  const swapped = { fundingSource: other, fundingSources }
  assert.deepEqual(expectStatus(await card.patch(swapped), 200).fundingSources, fundingSources)
  const turned = { fundingSources: fundingSources.toReversed() }
  expectStatus(await card.patch(turned), 200)
  assert.equal((await listEvents(p, 'CARD.FUNDING_SOURCE_CHANGE')).length, 4)
  expectStatus(await card.patch(turned), 200)
  assert.equal((await listEvents(p, 'CARD.FUNDING_SOURCE_CHANGE')).length, 4, 'no change, no event')
})

test('AUTHZ-20 only the first source is consulted, and a purchase stays with the source that paid it', async () => {
  const [, { p, card }] = holders
  const other = await addAccount(card.accountId)
  await fund(p, other, 100)
  expectStatus(await card.patch({ fundingSources: [other, card.accountId] }), 200)
  assert.deepEqual(outcome(await card.authorize(101)), ['DECLINED', 'INSUFFICIENT_FUNDS'])
  const bought = await card.authorize(100)
  assert.equal(bought.accountId, other)
  expectStatus(await card.patch({ fundingSources: [card.accountId] }), 200)
  const cleared = await card.clear(bought, 60)
  assert.deepEqual([cleared.status, cleared.accountId], ['PARTIALLY_SETTLED', other])
  await advance(p, 604_800)
  assert.equal((await card.transaction(bought)).status, 'SETTLED')
  assert.equal((await card.balances(other)).balance, 40)
  assert.equal((await card.balances(card.accountId)).balance, 50_000)
})

test('CARD-32 CTXN-6 DKEY-8 a source pulls also when it is no longer the first; removed, it loses its key, and gets a new id when it is listed again', async () => {
  const [wallet] = owners
  const { api, accountId, platform } = wallet
  await fund(platform, accountId, 100_000_000)
  const other = await addAccount(accountId)
  const key = await delegate(wallet)
  const card = cardActions(platform, key.cardId)
  const bought = await card.authorize(1_000)
  const second = await card.authorize(1_000)
  assert.equal(second.status, 'AUTHORIZED')
  expectStatus(await card.patch({ fundingSources: [other, accountId] }), 200)
  assert.equal((await listDelegatedKeys(wallet))[0]?.status, 'ACTIVE', 'it is still listed')
  const over = await card.clear(second, 10_000_001)
  assert.deepEqual([over.status, over.pullSummary?.totalAmount], ['SETTLED', 10_000_001])
  expectStatus(await card.patch({ fundingSource: other }), 200)
  assert.equal((await listDelegatedKeys(wallet))[0]?.status, 'REVOKED')
  assert.equal((await card.clear(bought, 10_000_001)).status, 'EXCEPTION')
  expectStatus(await card.patch({ fundingSource: accountId }), 200)
  const declined = ['DECLINED', 'FUNDING_SOURCE_NOT_AUTHORIZED']
  assert.deepEqual(outcome(await card.authorize(1_000)), declined)
  const body = { cardId: card.id, internalAccountId: accountId, nickname: 'Card' }
  const call = (headers = {}) => api.post('/auth/delegated-keys', body, { headers })
  const { device } = await logIn(wallet)
  const signed = expectStatus(await signBoth(call, device), 202)
  const again = expectStatus(await call(await signedBy(device, signed)), 201)
  assert.notEqual(again.fundingSourceId, key.fundingSourceId)
  assert.equal((await card.authorize(1_000)).status, 'AUTHORIZED')
})

test('DKEY-1 DKEY-2 a key is made for the binding that was signed for, and for no later one', async () => {
  const [, wallet] = owners
  const { api, accountId, platform } = wallet
  const other = await addAccount(accountId)
  const card = cardActions(platform, await newFundedCard(wallet))
  const body = { cardId: card.id, internalAccountId: accountId, nickname: 'Card' }
  const call = (headers = {}) => api.post('/auth/delegated-keys', body, { headers })
  const { device } = await logIn(wallet)
  const rebind = async () => {
    expectStatus(await card.patch({ fundingSource: other }), 200)
    expectStatus(await card.patch({ fundingSource: accountId }), 200)
  }
  const first = expectStatus(await call(), 202)
  await rebind()
  expectError(await call(await signedBy(device, first)), 404, 'REFERENCE_NOT_FOUND')
  const second = expectStatus(await signBoth(call, device), 202)
  await rebind()
  expectError(await call(await signedBy(device, second)), 404, 'REFERENCE_NOT_FOUND')
  const statuses = (await listDelegatedKeys(wallet)).map(({ status }) => status)
  assert.deepEqual(statuses, ['PENDING'])
})
