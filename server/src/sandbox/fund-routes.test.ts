import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectFields, expectStatus, text } from '../../test/kit/api.ts'
import { startOwnKit, type TestPlatform } from '../../test/kit/florin.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { mustParseId, newId, newUuid } from '../kernel/ids.ts'
import { AMOUNT_MAX } from '../kernel/money/money.ts'
import { availableOf, RECEIVABLE_PLATFORM, worldOf } from '../ledger/chart.ts'
import { post } from '../ledger/post.ts'
import { inPlatform } from '../operator/in-platform.ts'

const kit = await startOwnKit()
const { deps } = kit.florin

async function account(p: TestPlatform, currency = 'USD'): Promise<string> {
  const answer = await p.api.get('/platform/internal-accounts', { query: { currency } })
  return text(expectStatus(answer, 200).data[0]?.id)
}

const fund = (p: TestPlatform, id: string, body: unknown, headers: Record<string, string> = {}) =>
  p.api.post(`/sandbox/internal-accounts/${id}/fund`, body, { headers })

async function balance(p: TestPlatform, currency = 'USD') {
  const answer = await p.api.get('/platform/internal-accounts', { query: { currency } })
  return expectStatus(answer, 200).data[0]?.balance.amount
}

async function transactions(p: TestPlatform, query: Record<string, string> = {}) {
  return expectStatus(await p.api.get('/transactions', { query }), 200).data
}

async function events(p: TestPlatform) {
  const answer = await p.api.get('/events', { query: { limit: 100 } })
  return expectStatus(answer, 200).data.toReversed()
}

describe('funding', () => {
  test('IACC-14 scenario 3: the money is there at once, with its transaction and its events', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const funded = expectStatus(await fund(p, id, { amount: 200_000 }), 200)
    assert.equal(funded.id, id)
    assert.equal(funded.balance.amount, 200_000)
    assert.equal(funded.totalBalance.amount, 200_000)
    assert.equal(funded.balance.currency.decimals, 2)
    const [transaction, ...rest] = await transactions(p, { type: 'INCOMING' })
    assert.deepEqual(rest, [])
    assert.equal(transaction?.status, 'COMPLETED')
    assert.equal(transaction.direction, 'CREDIT')
    assert.equal(transaction.receivedAmount?.amount, 200_000)
    assert.deepEqual(transaction.source, {
      sourceType: 'REALTIME_FUNDING',
      currency: 'USD',
      paymentRail: 'ACH',
    })
    assert.equal(transaction.destination?.accountId, id)
    assert.equal(transaction.customerId, p.platformId)
    assert.equal(transaction.platformCustomerId, p.platformId)
    assert.equal(transaction.settledAt, transaction.createdAt)
    const emitted = await events(p)
    assert.deepEqual(
      emitted.map((event) => event.type),
      ['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
    )
    assert.deepEqual(emitted[0]?.data, transaction)
    assert.deepEqual(emitted[1]?.data, funded)
  })

  test('IACC-14 works for a customer of any status and for accounts of every type', async () => {
    const p = await kit.platform({
      kind: 'UNREGULATED',
      currencies: ['EUR', 'USDB', 'BTC', 'USDC'],
    })
    const created = await p.api.post('/customers', { customerType: 'INDIVIDUAL' })
    const customer = expectStatus(created, 201)
    const customerId = customer.id
    const listed = await p.api.get('/customers/internal-accounts', { query: { customerId } })
    for (const one of expectStatus(listed, 200).data) {
      const funded = expectStatus(await fund(p, one.id, { amount: 7 }), 200)
      assert.equal(funded.balance.amount, 7)
    }
    const mine = await transactions(p, { customerId })
    assert.equal(mine.length, 4)
    for (const transaction of mine) {
      assert.equal(transaction.customerId, customerId)
      assert.equal(transaction.platformCustomerId, customer.platformCustomerId)
    }
    const bitcoin = mine.find(({ source }) => text(source?.currency) === 'BTC')
    assert.equal(bitcoin?.source?.onChainTransaction?.network, 'SPARK')
    assert.equal(bitcoin.source.paymentRail, undefined)
    assert.equal((await transactions(p, { customerId: p.platformId })).length, 0)
  })

  test('IACC-13 scenario 4: an amount that is none changes nothing', async () => {
    const p = await kit.platform()
    const id = await account(p)
    for (const amount of [0, -5, 1.5, '100', 100_000_000_001, true, null, [1]]) {
      expectFields(await fund(p, id, { amount }), ['amount'])
    }
    expectFields(await fund(p, id, {}), ['amount'])
    assert.equal(await balance(p), 0)
    assert.deepEqual(await transactions(p), [])
    expectStatus(await fund(p, id, { amount: 100_000_000_000 }), 200)
  })

  test('IACC-13 a balance does not pass what any amount may be', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const inner = mustParseId('internalAccount', id)
    await inPlatform(deps, { platformId: p.platformId, action: 'test' }, (work) =>
      post(work, [
        {
          type: 'test',
          reference: newUuid(),
          postings: [
            { account: worldOf('TEST'), currency: 'USD', amount: -(AMOUNT_MAX - 10n) },
            { account: availableOf(inner), currency: 'USD', amount: AMOUNT_MAX - 10n },
          ],
        },
      ]),
    )
    const details = expectError(await fund(p, id, { amount: 11 }), 400, 'AMOUNT_OUT_OF_RANGE')
    assert.deepEqual(details, { maximum: 10, currency: 'USD' })
    const full = expectStatus(await fund(p, id, { amount: 10 }), 200)
    assert.equal(full.balance.amount, 9_000_000_000_000_000)
  })

  test('IACC-15 neither a production platform nor anything but an account of one’s own', async () => {
    const p = await kit.platform()
    const q = await kit.platform()
    const production = await kit.platform({ environment: 'PRODUCTION' })
    const own = await account(production)
    expectError(await fund(production, own, { amount: 1 }), 403, 'FORBIDDEN')
    const foreign = await account(q)
    const nowhere = [
      foreign,
      `InternalAccount:${newId('internalAccount')}`,
      `ExternalAccount:${newId('externalAccount')}`,
      'InternalAccount:1',
      foreign.toUpperCase(),
    ]
    for (const id of nowhere) {
      expectError(await fund(p, id, { amount: 1 }), 404, 'REFERENCE_NOT_FOUND')
    }
    assert.equal(await balance(q), 0)
  })

  test('L14 a credit to a platform’s account pays first what the platform owes', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const inner = mustParseId('internalAccount', id)
    await inPlatform(deps, { platformId: p.platformId, action: 'test' }, (work) =>
      post(work, [
        {
          type: 'test',
          reference: newUuid(),
          postings: [
            { account: RECEIVABLE_PLATFORM, currency: 'USD', amount: -30n },
            { account: worldOf('X'), currency: 'USD', amount: 30n },
          ],
        },
      ]),
    )
    assert.equal(
      expectStatus(await fund(p, id, { amount: 20 }), 200).balance.amount,
      0,
      'all of it is owed',
    )
    assert.equal(
      expectStatus(await fund(p, id, { amount: 25 }), 200).balance.amount,
      15,
      'the rest of the debt, then the balance',
    )
    const rows = await deps.db.read.many<{ account: string; amount: bigint }>(
      sql`select account, amount from ledger_balances
          where platform_id = ${mustParseId('platform', p.platformId)} and currency = 'USD'
            and account in (${RECEIVABLE_PLATFORM}, ${availableOf(inner)}) order by account`,
    )
    assert.deepEqual(
      rows.map(({ amount }) => amount),
      [15n, 0n],
    )
  })
})

describe('IACC-16 many at once', () => {
  test('50 concurrent funds of 1 raise the balance by exactly 50, one transaction each', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const answers = await Promise.all(Array.from({ length: 50 }, () => fund(p, id, { amount: 1 })))
    for (const answer of answers) expectStatus(answer, 200)
    const shown = answers.map(({ body }) => Number(body.balance?.amount))
    assert.deepEqual(
      shown.toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, n) => n + 1),
      'each answer shows the balance after its own credit',
    )
    assert.equal(await balance(p), 50)
    const all = await transactions(p, { limit: '100' })
    assert.equal(all.length, 50)
    const emitted = await events(p)
    const balances = emitted.filter(({ type }) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED')
    assert.ok(balances.length >= 1 && balances.length <= 50, 'one per commit')
    assert.equal(balances.at(-1)?.data?.['balance']?.['amount'], 50)
  })

  test('a replay with the same key credits once and answers the same', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const headers = { 'idempotency-key': newUuid() }
    const first = await fund(p, id, { amount: 9 }, headers)
    expectStatus(first, 200)
    const again = await fund(p, id, { amount: 9 }, headers)
    assert.deepEqual(expectStatus(again, 200), first.body)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    expectError(await fund(p, id, { amount: 8 }, headers), 409, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal(await balance(p), 9)
  })

  test('20 at once under one key credit once', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const headers = { 'idempotency-key': newUuid() }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fund(p, id, { amount: 3 }, headers)),
    )
    for (const answer of answers) {
      if (answer.status === 200) assert.equal(answer.body.balance?.amount, 3)
      else expectError(answer, 409, 'IDEMPOTENCY_KEY_IN_USE')
    }
    assert.ok(answers.some(({ status }) => status === 200))
    assert.equal(await balance(p), 3)
    assert.equal((await transactions(p)).length, 1)
  })

  test('a refusal under a key is answered again as it was', async () => {
    const p = await kit.platform()
    const headers = { 'idempotency-key': newUuid() }
    const id = `InternalAccount:${newId('internalAccount')}`
    expectError(await fund(p, id, { amount: 1 }, headers), 404, 'REFERENCE_NOT_FOUND')
    const again = await fund(p, id, { amount: 1 }, headers)
    expectError(again, 404, 'REFERENCE_NOT_FOUND')
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  })

  test('across two processes on one database nothing is lost', async () => {
    const p = await kit.platform()
    const id = await account(p)
    const neighbour = await kit.neighbour()
    const authorization = `Basic ${Buffer.from(`${p.clientId}:${p.clientSecret}`).toString('base64')}`
    const there = (): Promise<Response> =>
      fetch(`${neighbour}/sandbox/internal-accounts/${encodeURIComponent(id)}/fund`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 1 }),
      })
    const statuses = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 2 === 0
          ? there().then(({ status }) => status)
          : fund(p, id, { amount: 1 }).then(({ status }) => status),
      ),
    )
    assert.deepEqual(new Set(statuses), new Set([200]))
    assert.equal(await balance(p), 60)
  })
})
