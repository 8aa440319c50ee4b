import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Transaction } from '../../../../../sdk/src/index.ts'
import {
  advance,
  APPROVAL,
  newQuote,
  newAgentSetup,
  pull,
  reasonOf,
  run,
  send,
  type AgentSetup,
} from '../../../../test/kit/setups/agent-setups.ts'
import {
  approve,
  connectAgent,
  reject,
  setPolicy,
  usageOf,
} from '../../../../test/kit/setups/agents.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type HasId,
  type Shown,
} from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  execute,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  quoteBody,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { newScaCustomer } from '../../../../test/kit/sca/sca.ts'
import { payingWallet, stampOf } from '../../../../test/kit/wallets/payments.ts'

const kit = await startKit()
const setUp = (policy: object = {}): Promise<AgentSetup> => newAgentSetup(kit, policy)

describe('the policy', () => {
  test('ACT-1 a quote counts with all that leaves, in the currency of the limits', async () => {
    const setup = await setUp({
      spendingLimits: { currency: 'USDC', perTransactionLimit: 10_000_000 },
    })
    const { platform, agent } = setup
    const to = await payee(platform, 'EUR_ACCOUNT', { customerId: setup.customerId })
    const quoted = expectStatus(await newQuote(setup, { to }), 201)
    expectStatus(await run(setup, quoted), 200)
    assert.equal((await usageOf(platform, agent.id)).dailySpend, 10_000_000)
    const bigger = expectStatus(await newQuote(setup, { to, amount: 1001 }), 201)
    assert.equal(reasonOf(await run(setup, bigger)), 'PER_TRANSACTION_LIMIT_EXCEEDED')
    expectStatus(await pull(setup), 201)
    const usage = await usageOf(platform, agent.id)
    assert.equal(usage.dailySpend, 20_000_000, 'money that comes in counts as well')
    assert.equal(usage.dailyTransactionCount, 2)
  })

  test('ACT-1 the largest amount is compared in any currency', async () => {
    const limit = { currency: 'USDC', perTransactionLimit: 10_000_000 }
    const setup = await setUp({ spendingLimits: limit })
    const largest = 9_000_000_000_000_000
    for (const answer of [await send(setup, largest), await pull(setup, largest)]) {
      assert.equal(reasonOf(answer), 'PER_TRANSACTION_LIMIT_EXCEEDED')
    }
  })

  test('ACT-4 ACT-5 a quote that touches no internal account is bound by the general rules', async () => {
    const setup = await setUp({
      spendingLimits: { currency: 'USD', perTransactionLimit: 1000 },
      ...APPROVAL,
    })
    const { platform, customerId } = setup
    const pulled = { from: setup.to, to: await payee(platform, 'EUR_ACCOUNT', { customerId }) }
    const tooBig = expectStatus(await newQuote(setup, { ...pulled, amount: 1001 }), 201)
    assert.equal(reasonOf(await run(setup, tooBig)), 'PER_TRANSACTION_LIMIT_EXCEEDED')
    const quoted = expectStatus(await newQuote(setup, pulled), 201)
    assert.equal(expectStatus(await run(setup, quoted), 200).status, 'PENDING_APPROVAL')
  })

  test('ACT-3 ACT-4 ACT-5 rules of an account stand in place of the general ones', async () => {
    const setup = await setUp()
    const { platform, customerId, account, agent } = setup
    const eur = await customerAccount(platform, customerId, 'EUR')
    const accountRules = [
      { accountId: account, perTransactionLimit: 2_000_000, executionMode: 'APPROVAL_REQUIRED' },
      { accountId: eur, perTransactionLimit: 500 },
    ]
    const change = { accountRestrictions: { accountRules } }
    expectStatus(await setPolicy(platform, agent.id, change), 200)
    await fund(platform, account, 2_000_000)
    const action = expectStatus(await send(setup, 1_500_000), 201)
    assert.equal(action.status, 'PENDING_APPROVAL')
    const inside = expectStatus(await newQuote(setup, { to: eur, amount: 1000 }), 201)
    assert.equal(reasonOf(await run(setup, inside)), 'PER_TRANSACTION_LIMIT_EXCEEDED')
    const allowed = { accountRestrictions: { allowedAccountIds: [account], accountRules: [] } }
    expectStatus(await setPolicy(platform, agent.id, allowed), 200)
    assert.equal(reasonOf(await run(setup, inside)), 'ACCOUNT_NOT_ALLOWED', 'nor as a destination')
    assert.equal(reasonOf(await send(setup, 1_500_000)), 'PER_TRANSACTION_LIMIT_EXCEEDED')
  })

  test('the permission is checked before the request, existence before the accounts', async () => {
    const setup = await setUp({
      permissions: ['VIEW_TRANSACTIONS'],
      accountRestrictions: { allowedAccountIds: [] },
    })
    const { platform, agent } = setup
    const needed: readonly (readonly [string, string])[] = [
      ['/quotes', 'CREATE_QUOTES'],
      ['/quotes/x/execute', 'EXECUTE_QUOTES'],
      ['/transfer-out', 'CREATE_TRANSFERS'],
      ['/transfer-in', 'CREATE_TRANSFERS'],
      ['/external-accounts', 'MANAGE_EXTERNAL_ACCOUNTS'],
    ]
    for (const [path, requiredPermission] of needed) {
      const answer = await agent.api.post(`/agents/me${path}`, { nonsense: true })
      const details = expectError(answer, 403, 'FORBIDDEN')
      assert.deepEqual(details, { reason: 'PERMISSION_MISSING', requiredPermission })
    }
    expectStatus(await setPolicy(platform, agent.id, { permissions: ['CREATE_TRANSFERS'] }), 200)
    const viewing = await agent.api.get('/agents/me/transactions')
    assert.equal(expectError(viewing, 403, 'FORBIDDEN')['requiredPermission'], 'VIEW_TRANSACTIONS')
    expectFields(await agent.api.post('/agents/me/transfer-out', {}), ['source', 'destination'])
    const unknown = await send(setup, 1000, { to: setup.to.replace(/.{4}$/, '0000') })
    expectError(unknown, 404, 'REFERENCE_NOT_FOUND')
    assert.equal(reasonOf(await send(setup)), 'ACCOUNT_NOT_ALLOWED')
    const actions = expectStatus(await agent.api.get('/agents/me/actions'), 200)
    assert.equal(actions.totalCount, 0, 'what is refused is no action')
  })

  test('ACT-6 a waiting, rejected or failed action does not count; one that fails later stays counted', async () => {
    const setup = await setUp({ approvalThresholds: { currency: 'USD', amount: 5000 } })
    const { platform, customerId, agent } = setup
    const count = async () => (await usageOf(platform, agent.id)).dailyTransactionCount
    const waiting = expectStatus(await send(setup, 6000), 201)
    const refused = expectStatus(await send(setup, 7000), 201)
    const short = expectStatus(await send(setup, 200_000), 201)
    assert.equal(await count(), 0)
    expectStatus(await reject(platform, refused), 200)
    const failed = expectStatus(await approve(platform, short), 200)
    assert.equal(failed.failureReason, 'INSUFFICIENT_BALANCE')
    assert.equal(await count(), 0)
    expectStatus(await approve(platform, waiting), 200)
    assert.equal(await count(), 1)
    const failing = await payee(platform, 'USD_ACCOUNT', { customerId, suffix: '002' })
    expectStatus(await send(setup, 1000, { to: failing }), 201)
    assert.equal(await count(), 2)
  })

  test('ACT-7 accounts of other customers are not found', async () => {
    const setup = await setUp()
    const { platform, agent, to } = setup
    const stranger = await payer(platform)
    const theirs = await payee(platform, 'USD_ACCOUNT', { customerId: stranger.customerId })
    const platforms = await payee(platform, 'USD_ACCOUNT')
    const own = await platformAccount(platform, 'USD')
    for (const more of [
      { from: stranger.account },
      { from: own },
      { to: theirs },
      { to: platforms },
    ]) {
      expectError(await send(setup, 1000, more), 404, 'REFERENCE_NOT_FOUND')
      expectError(await newQuote(setup, more), 404, 'REFERENCE_NOT_FOUND')
    }
    for (const [source, destination] of [
      [theirs, setup.account],
      [to, stranger.account],
    ]) {
      const body = {
        source: { accountId: source },
        destination: { accountId: destination },
        amount: 1000,
      }
      const answer = await agent.api.post('/agents/me/transfer-in', body)
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
    const named = {
      sourceType: 'ACCOUNT',
      accountId: setup.account,
      customerId: stranger.customerId,
    }
    expectError(await newQuote(setup, { source: named }), 404, 'USER_NOT_FOUND')
  })
})

describe('quotes', () => {
  test('ACT-8 a quote comes from an account, is executed by itself, and books nothing', async () => {
    const setup = await setUp({ spendingLimits: { currency: 'USD', perTransactionLimit: 1 } })
    const { platform, agent } = setup
    expectFields(await newQuote(setup, { immediatelyExecute: true }), ['immediatelyExecute'])
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' }
    expectFields(await newQuote(setup, { source }), ['source.sourceType'])
    const platformFeeOverride = {
      platformFixedFee: { amount: 0, currency: 'USD' },
      platformVariableFeeBps: 0,
    }
    expectFields(await newQuote(setup, { platformFeeOverride }), ['platformFeeOverride'])
    const quoted = expectStatus(await newQuote(setup), 201)
    assert.equal(quoted.status, 'PENDING')
    assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 0)
    const types = await eventTypesOf(platform, quoted.transactionId)
    assert.deepEqual(types, ['OUTGOING_PAYMENT.PENDING'])
    const transaction = await readTransaction(platform, quoted.transactionId)
    assert.equal(transaction.agentId, agent.id)
  })

  test('ACT-9 a quote is its agent’s alone; the platform sees and may execute all', async () => {
    const setup = await setUp()
    const { platform, customerId, account, to, agent } = setup
    const sibling = await connectAgent(platform, { customerId })
    const quoted = expectStatus(await newQuote(setup), 201)
    const path = `/agents/me/quotes/${quoted.id}` as const
    assert.deepEqual(expectStatus(await agent.api.get(path), 200), quoted)
    expectError(await sibling.api.get(path), 404, 'QUOTE_NOT_FOUND')
    expectError(await sibling.api.post(`${path}/execute`), 404, 'QUOTE_NOT_FOUND')
    const platforms = expectStatus(await quote(platform, { from: account, to, amount: 1000 }), 201)
    expectError(await agent.api.get(`/agents/me/quotes/${platforms.id}`), 404, 'QUOTE_NOT_FOUND')
    expectError(await run(setup, platforms), 404, 'QUOTE_NOT_FOUND')
    assert.equal(expectStatus(await execute(platform, quoted), 200).status, 'PROCESSING')
    expectError(await run(setup, quoted), 409, 'CONFLICT')
  })

  test('ACT-10 a quote is executed once, and not after it expired', async () => {
    const setup = await setUp({ approvalThresholds: { currency: 'USD', amount: 1500 } })
    for (const amount of [1000, 2000]) {
      const quoted = expectStatus(await newQuote(setup, { amount }), 201)
      const action = expectStatus(await run(setup, quoted), 200)
      const details = expectError(await run(setup, quoted), 409, 'CONFLICT')
      assert.equal(details['actionId'], action.id)
    }
    for (const amount of [1000, 2000]) {
      const late = expectStatus(await newQuote(setup, { amount }), 201)
      await advance(setup, 3600)
      expectError(await run(setup, late), 409, 'QUOTE_EXPIRED')
    }
  })

  test('ACT-11 a wallet’s owner signs: without a stamp 401, with approval the stamp is kept', async () => {
    const { wallet, device } = await payingWallet(kit)
    const { platform, accountId: account } = wallet
    const customerId = wallet.customer.id
    const to = await payee(platform, 'USD_ACCOUNT', { customerId })
    const agent = await connectAgent(platform, { customerId })
    const setup = { platform, customerId, account, to, agent }
    const signed = async (quoted: HasId, stamp: string) =>
      agent.api.post(`/agents/me/quotes/${quoted.id}/execute`, undefined, {
        headers: { 'Service-Wallet-Signature': stamp },
      })
    const first = expectStatus(await newQuote(setup, { amount: 1_000_000 }), 201)
    expectError(await run(setup, first), 401, 'WALLET_SIGNATURE_MISSING')
    expectError(await signed(first, 'abc'), 401, 'WALLET_SIGNATURE_MALFORMED')
    const action = expectStatus(await signed(first, await stampOf(device, first)), 200)
    assert.equal(action.status, 'APPROVED')
    assert.equal(await balanceOf(platform, account), 99_000_000)

    expectStatus(await setPolicy(platform, agent.id, APPROVAL), 200)
    const second = expectStatus(await newQuote(setup, { amount: 1_000_000 }), 201)
    expectError(await run(setup, second), 401, 'WALLET_SIGNATURE_MISSING')
    const other = await stampOf(device, first)
    expectError(await signed(second, other), 401, 'WALLET_SIGNATURE_INVALID')
    const waiting = expectStatus(await signed(second, await stampOf(device, second)), 200)
    assert.equal(waiting.status, 'PENDING_APPROVAL')
    assert.equal(await balanceOf(platform, account), 99_000_000)
    assert.equal(expectStatus(await approve(platform, waiting), 200).status, 'APPROVED')
    assert.equal(await balanceOf(platform, account), 98_000_000)
  })
})

describe('running', () => {
  test('ACT-12 an agent’s keys are its own, and a replay books nothing', async () => {
    const setup = await setUp()
    const { platform, customerId, agent } = setup
    const headers = { 'idempotency-key': 'mine' }
    const first = await send(setup, 1000, { headers })
    const again = await send(setup, 1000, { headers })
    assert.deepEqual(expectStatus(again, 201), expectStatus(first, 201))
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 1)
    const different = await send(setup, 1001, { headers })
    expectError(different, 409, 'IDEMPOTENCY_KEY_REUSED')
    const sibling = await connectAgent(platform, { customerId })
    const theirs = expectStatus(await send({ ...setup, agent: sibling }, 1000, { headers }), 201)
    assert.notEqual(theirs.id, first.body.id)
    const config = { umaDomain: undefined, webhookEndpoint: 'http://127.0.0.1:9/none' }
    expectStatus(await platform.api.patch('/config', config, { headers }), 200)
  })

  test('ACT-13 an agent gets the refusal that the platform would get, and no action is stored', async () => {
    const setup = await setUp()
    const { platform, customerId, agent } = setup
    expectError(await send(setup, 100_001), 400, 'INSUFFICIENT_BALANCE')
    const quoted = expectStatus(await newQuote(setup, { amount: 100_001 }), 201)
    expectError(await run(setup, quoted), 400, 'INSUFFICIENT_BALANCE')
    assert.equal((await readQuote(platform, quoted)).status, 'PENDING')
    const coin = await payee(platform, 'SOLANA_WALLET', { customerId })
    expectError(await send(setup, 1000, { to: coin }), 400, 'INVALID_CURRENCY')
    const actions = expectStatus(await agent.api.get('/agents/me/actions'), 200)
    assert.equal(actions.totalCount, 0)
    assert.equal((await usageOf(platform, agent.id)).dailyTransactionCount, 0)
  })

  test('ACT-13 approval does not replace the proof of the customer', async () => {
    const platform = await kit.platform()
    const { customerId } = await newScaCustomer(platform)
    const account = await customerAccount(platform, customerId, 'USD')
    await fund(platform, account, 100_000)
    const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
    const agent = await connectAgent(platform, { customerId })
    const setup = { platform, customerId, account, to, agent }
    const first = expectStatus(await newQuote(setup), 201)
    const action = expectStatus(await run(setup, first), 200)
    assert.equal(action.status, 'APPROVED')
    assert.equal(action.transaction?.status, 'PENDING_AUTHORIZATION')
    assert.equal(action.quote?.scaChallenge?.purpose, 'PAYOUT')
    expectStatus(await setPolicy(platform, agent.id, APPROVAL), 200)
    const second = expectStatus(await newQuote(setup), 201)
    const waiting = expectStatus(await run(setup, second), 200)
    const approved = expectStatus(await approve(platform, waiting), 200)
    assert.equal(approved.status, 'APPROVED')
    assert.equal(approved.transaction?.status, 'PENDING_AUTHORIZATION')
    const transfer = { source: { accountId: account }, destination: { accountId: to }, amount: 100 }
    const usd = await payee(platform, 'USD_ACCOUNT', { customerId })
    const answer = await agent.api.post('/agents/me/transfer-out', {
      ...transfer,
      destination: { accountId: usd },
    })
    assert.equal(expectError(answer, 409, 'CONFLICT')['reason'], 'SCA_REQUIRED')
  })

  test('QUOTE-17 an action shows its payment as it was accepted', async () => {
    const setup = await setUp()
    for (const answer of [await pull(setup), await send(setup)]) {
      const { transaction } = expectStatus(answer, 201)
      assert.equal(transaction?.status, 'PENDING')
      const later = await readTransaction(setup.platform, transaction.id)
      assert.equal(later.status, 'COMPLETED')
    }
    const executed = expectStatus(await run(setup, expectStatus(await newQuote(setup), 201)), 200)
    assert.equal(executed.transaction?.status, 'PROCESSING')
    assert.equal(executed.quote?.status, 'PROCESSING')
  })

  test('ACT-17 events and answers carry the agent', async () => {
    const setup = await setUp()
    const { platform, agent } = setup
    for (const answer of [await send(setup), await pull(setup)]) {
      const { transactionId } = expectStatus(answer, 201)
      const read = await readTransaction(platform, transactionId)
      assert.equal(read.agentId, agent.id)
      const emitted = (await listEvents(platform)).filter(({ data }) => data.id === transactionId)
      assert.ok(emitted.length > 0)
      for (const { data } of emitted) assert.equal(data.agentId, agent.id)
    }
  })
})

describe('what an agent sees', () => {
  test('ACT-14 an agent’s external accounts belong to its customer', async () => {
    const setup = await setUp()
    const { platform, customerId, agent, to } = setup
    const base = '/agents/me/external-accounts'
    const body = externalAccountBody('USD_ACCOUNT', { accountNumber: '424242000' })
    const created = expectStatus(await agent.api.post(base, body), 201)
    assert.equal(created.customerId, customerId)
    const twice = { ...body, customerId }
    expectError(await agent.api.post(base, twice), 409, 'CONFLICT')
    const stranger = { ...body, customerId: (await payer(platform)).customerId }
    expectError(await agent.api.post(base, stranger), 404, 'USER_NOT_FOUND')
    const listed = expectStatus(await agent.api.get(base), 200)
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [created.id, to],
    )
    const platforms = await payee(platform, 'USD_ACCOUNT')
    expectError(await agent.api.get(`${base}/${platforms}`), 404, 'REFERENCE_NOT_FOUND')
    expectError(await agent.api.delete(`${base}/${platforms}`), 404, 'REFERENCE_NOT_FOUND')
    assert.deepEqual(expectStatus(await agent.api.get(`${base}/${created.id}`), 200), created)
    expectStatus(await agent.api.delete(`${base}/${created.id}`), 204)
    expectError(await agent.api.get(`${base}/${created.id}`), 404, 'REFERENCE_NOT_FOUND')
  })

  test('ACT-15 an agent sees only allowed accounts, and transactions that touch one of them', async () => {
    const setup = await setUp()
    const { platform, customerId, account, agent } = setup
    const eur = await customerAccount(platform, customerId, 'EUR')
    await fund(platform, eur, 5000)
    const stranger = await payer(platform)
    const paid = quoteBody({ from: stranger.account, to: account, amount: 100 })
    const theirs = expectStatus(
      await platform.api.post('/quotes', { ...paid, immediatelyExecute: true }),
      201,
    )
    const own = expectStatus(await send(setup), 201)
    const listAccounts = async () => {
      const answer = await agent.api.get('/agents/me/internal-accounts', { query: { limit: 100 } })
      return expectStatus(answer, 200).data
    }
    const listTransactions = async (more = {}) => {
      const query = { limit: 100, ...more }
      return expectStatus(await agent.api.get('/agents/me/transactions', { query }), 200).data
    }
    const accounts = await listAccounts()
    assert.ok(accounts.length > 2)
    assert.ok(accounts.every((one) => text(one.customerId) === customerId))
    const all = await listTransactions()
    assert.ok(all.every((one) => one.customerId === customerId))
    assert.ok(!all.some(({ id }) => id === theirs.transactionId), 'the payer’s side is not theirs')
    const touchesEur = ({ destination }: Pick<Shown<Transaction>, 'destination'>) =>
      destination?.accountId === eur
    const hidden = all.find(touchesEur)
    assert.ok(hidden)
    assert.ok(all.length >= 3)
    const allowed = { accountRestrictions: { allowedAccountIds: [account] } }
    expectStatus(await setPolicy(platform, agent.id, allowed), 200)
    assert.deepEqual(
      (await listAccounts()).map(({ id }) => id),
      [account],
    )
    const fewer = await listTransactions()
    assert.equal(fewer.length, all.length - 1)
    assert.ok(!fewer.some(touchesEur))
    assert.equal((await listTransactions({ type: 'OUTGOING' })).length, 1)
    const read = (id: string | undefined) => agent.api.get(`/agents/me/transactions/${id}`)
    expectStatus(await read(own.transactionId), 200)
    expectError(await read(hidden.id), 404, 'TRANSACTION_NOT_FOUND')
    expectError(await read(theirs.transactionId), 404, 'TRANSACTION_NOT_FOUND')
  })

  test('ACT-15 CTXN-1 a card transaction that is listed can be read', async () => {
    const platform = await kit.platform()
    const { customerId, accountId, accounts, authorize } = await newCard(platform)
    const agent = await connectAgent(platform, { customerId })
    const { id } = await authorize(1000)
    const list = expectStatus(
      await agent.api.get('/agents/me/transactions', { query: { type: 'CARD' } }),
      200,
    )
    assert.deepEqual(
      list.data.map((one) => one.id),
      [id],
    )
    const read = (name: string) => agent.api.get(`/agents/me/transactions/${name}`)
    const shown = expectStatus(await read(id), 200)
    assert.deepEqual(shown, list.data[0])
    assert.equal(shown.accountId, accountId)
    const otherKind = id.replace('CardTransaction', 'Transaction')
    expectError(await read(otherKind), 404, 'TRANSACTION_NOT_FOUND')
    const allowedAccountIds = [accounts['EUR']]
    const allowed = { accountRestrictions: { allowedAccountIds } }
    expectStatus(await setPolicy(platform, agent.id, allowed), 200)
    expectError(await read(id), 404, 'TRANSACTION_NOT_FOUND')
  })

  test('ACT-16 an agent lists its own actions, newest first, and finds no others', async () => {
    const setup = await setUp({ approvalThresholds: { currency: 'USD', amount: 1500 } })
    const { platform, customerId, agent } = setup
    const sibling = await connectAgent(platform, { customerId })
    const ids = []
    for (const amount of [1000, 2000, 1200]) {
      ids.push(expectStatus(await send(setup, amount), 201).id)
    }
    const list = async (query = {}) => {
      const body = expectStatus(await agent.api.get('/agents/me/actions', { query }), 200)
      return body.data.map(({ id }) => id)
    }
    assert.deepEqual(await list(), ids.toReversed())
    assert.deepEqual(await list({ status: 'PENDING_APPROVAL' }), [ids[1]])
    assert.deepEqual(await list({ status: 'FAILED' }), [])
    expectStatus(await agent.api.get(`/agents/me/actions/${ids[0]}`), 200)
    const answer = await sibling.api.get(`/agents/me/actions/${ids[0]}`)
    expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    const theirs = expectStatus(await sibling.api.get('/agents/me/actions'), 200)
    assert.equal(theirs.totalCount, 0)
  })
})
