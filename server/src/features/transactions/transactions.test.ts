import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TransactionListResponse } from '../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Body,
  type Shown,
} from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { balanceOf } from '../../../test/kit/payments.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { formatId, mustParseId, newId, type Id } from '../../kernel/ids.ts'
import { inPlatform } from '../../operator/in-platform.ts'
import { deposit, type DepositInput } from './incoming/deposit.ts'
import { countTransactions, insertTransactions } from './record/store.ts'
import {
  newTransaction,
  type NewTransaction,
  type OutgoingTransaction,
  type Transaction,
} from './record/transaction.ts'
import { toWire } from './wire/wire.ts'

const kit = await startKit()
const { deps, lane } = kit.florin

const platformIdOf = (p: TestPlatform): Id<'platform'> => mustParseId('platform', p.platformId)

async function account(p: TestPlatform, currency = 'USD'): Promise<string> {
  const answer = await p.api.get('/platform/internal-accounts', { query: { currency } })
  return text(expectStatus(answer, 200).data[0]?.id)
}

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds))

/** An outgoing payment as the quotes will write it. */
const outgoing = (more: Partial<NewTransaction<OutgoingTransaction>> = {}): OutgoingTransaction =>
  newTransaction<OutgoingTransaction>({
    id: newId('transaction'),
    type: 'OUTGOING',
    direction: 'DEBIT',
    status: 'COMPLETED',
    customerId: null,
    platformCustomerId: null,
    source: {
      sourceType: 'ACCOUNT',
      accountId: formatId('internalAccount', newId('internalAccount')),
      currency: 'USD',
    },
    destination: {
      destinationType: 'ACCOUNT',
      accountId: formatId('externalAccount', newId('externalAccount')),
      currency: 'EUR',
    },
    sent: { amount: 10_000n, currency: 'USD' },
    createdAt: at(0),
    ...more,
  })

const write = (p: TestPlatform, rows: readonly Transaction[]): Promise<void> =>
  inPlatform(deps, { platformId: p.platformId, action: 'test' }, async ({ tx, platform }) =>
    insertTransactions(
      tx,
      rows.map((transaction) => ({ platformId: platform.id, transaction })),
    ),
  )

type Query = Record<string, string | number | undefined>

async function page(p: TestPlatform, query: Query = {}) {
  return expectStatus(await p.api.get('/transactions', { query }), 200)
}

const ids = (body: Shown<TransactionListResponse>): string[] => body.data.map((row) => row.id)

const wireIds = (...rows: readonly Transaction[]): string[] =>
  rows.map(({ id }) => formatId('transaction', id))

describe('reading', () => {
  test('every field of section 1 is answered as it was written', async () => {
    const p = await kit.platform()
    const full = outgoing({
      status: 'FAILED',
      failureReason: 'PAYOUT_RETURNED',
      pendingReason: 'COMPLIANCE_REVIEW',
      received: { amount: 9_154n, currency: 'EUR' },
      fees: 50n,
      platformFees: 20n,
      exchangeRate: 1.086956522,
      rateDetails: {
        counterpartyMultiplier: 0.5,
        counterpartyFixedFee: 0,
        serviceApiMultiplier: 2,
        serviceApiFixedFee: 1,
        serviceApiVariableFeeRate: 0.005,
        serviceApiVariableFeeAmount: 50,
      },
      quoteId: newId('quote'),
      agentId: newId('agent'),
      description: 'Rent "March"; drop table x',
      paymentReference: 'INV-7',
      reconciliationReference: 'QABCDEFGHJK',
      paymentInstructions: [
        {
          isPlatformAccount: false,
          accountOrWalletInfo: { accountType: 'LIGHTNING', invoice: 'i' },
        },
      ],
      counterpartyInformation: { FULL_NAME: 'Bob' },
      paymentRail: 'SEPA_INSTANT',
      railSelectionMode: 'AUTO',
      settlementTimelineSeconds: 86_400,
      expectedSettlementAt: at(86_400),
      refund: {
        reference: 'R1',
        status: 'COMPLETED',
        reason: 'TRANSACTION_FAILED',
        initiatedAt: at(3),
        settledAt: at(4),
      },
      receiptDeliveryConfirmedAt: at(5),
      settledAt: at(2),
      updatedAt: at(6),
    })
    await write(p, [full])
    const [id = ''] = wireIds(full)
    const shown = expectStatus(await p.api.get(`/transactions/${id}`), 200)
    assert.deepEqual(shown, JSON.parse(JSON.stringify(toWire(platformIdOf(p), full))))
    assert.equal(shown.direction, 'DEBIT')
    assert.equal(shown.customerId, p.platformId)
    assert.deepEqual(shown.refund, {
      reference: 'R1',
      initiatedAt: '2026-01-01T12:00:03.000Z',
      settledAt: '2026-01-01T12:00:04.000Z',
      status: 'COMPLETED',
      reason: 'TRANSACTION_FAILED',
    })
    assert.deepEqual(shown.reconciliationInstructions, { reference: 'QABCDEFGHJK' })
  })

  test('CORE-7 what is not known is left out', async () => {
    const p = await kit.platform()
    const bare = outgoing()
    await write(p, [bare])
    const [id = ''] = wireIds(bare)
    const shown = expectStatus(await p.api.get(`/transactions/${id}`), 200)
    assert.deepEqual(Object.keys(shown).toSorted(), [
      'createdAt',
      'customerId',
      'destination',
      'direction',
      'id',
      'platformCustomerId',
      'sentAmount',
      'source',
      'status',
      'type',
      'updatedAt',
    ])
  })

  test('TXN-5 the database refuses a reason without failure, and a failure without reason', async () => {
    const p = await kit.platform()
    const failed = outgoing({ status: 'FAILED' })
    const completed = outgoing({ status: 'COMPLETED', failureReason: 'LIMIT_EXCEEDED' })
    for (const row of [failed, completed]) {
      await assert.rejects(write(p, [row]), { constraint: 'transactions_failure_reason' })
    }
  })

  test('TXN-12 malformed, unknown and foreign ids are not found', async () => {
    const p = await kit.platform()
    const q = await kit.platform()
    const foreign = outgoing()
    await write(q, [foreign])
    const nowhere = [
      ...wireIds(foreign),
      `Transaction:${newId('transaction')}`,
      'Transaction:7',
      `Quote:${foreign.id}`,
      `CardTransaction:${foreign.id}`,
    ]
    for (const id of nowhere) {
      expectError(await p.api.get(`/transactions/${id}`), 404, 'TRANSACTION_NOT_FOUND')
    }
    const ownAsCard = `CardTransaction:${foreign.id}`
    expectError(await q.api.get(`/transactions/${ownAsCard}`), 404, 'TRANSACTION_NOT_FOUND')
  })
})

describe('TXN-9 filters', async () => {
  const p = await kit.platform({ kind: 'UNREGULATED' })
  const created = await p.api.post('/customers', {
    customerType: 'INDIVIDUAL',
    platformCustomerId: 'user-1',
  })
  const customerId = expectStatus(created, 201).id
  const owner = {
    customerId: mustParseId('customer', customerId),
    platformCustomerId: 'user-1',
  }
  const shared = formatId('internalAccount', newId('internalAccount'))
  const from = (accountId: string) =>
    ({ sourceType: 'ACCOUNT', accountId, currency: 'USD' }) as const
  const to = (accountId: string) =>
    ({ destinationType: 'ACCOUNT', accountId, currency: 'USD' }) as const
  const sends = outgoing({ ...owner, source: from(shared), paymentReference: 'REF-1' })
  const receives = newTransaction<Transaction>({
    ...outgoing({ createdAt: at(1) }),
    type: 'INCOMING',
    status: 'PENDING',
    destination: to(shared),
    reconciliationReference: 'REF-2',
    sent: null,
    received: { amount: 5n, currency: 'USD' },
    failureReason: null,
  })
  const pays = outgoing({
    createdAt: at(2),
    status: 'FAILED',
    failureReason: 'ACCOUNT_INVALID',
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$bob@vasp.example' },
    refund: {
      reference: 'REF-3',
      status: 'PENDING',
      reason: 'TIMEOUT',
      initiatedAt: at(2),
      settledAt: null,
    },
  })
  await write(p, [sends, receives, pays])
  const [first = '', second = '', third = ''] = wireIds(sends, receives, pays)

  const ROWS: readonly (readonly [query: Query, found: readonly string[], because: string])[] = [
    [{}, [third, second, first], 'TXN-11 newest first'],
    [{ sortOrder: 'asc' }, [first, second, third], 'TXN-11 oldest first'],
    [{ customerId }, [first], 'a customer'],
    [{ customerId: p.platformId }, [third, second], 'the platform itself'],
    [{ platformCustomerId: 'user-1' }, [first], 'by the platform’s own name'],
    [{ platformCustomerId: p.platformId }, [third, second], 'which for the platform is its id'],
    [{ platformCustomerId: 'user-2' }, [], 'nobody’s name'],
    [{ accountIdentifier: shared }, [second, first], 'on either side'],
    [{ senderAccountIdentifier: shared }, [first], 'sending'],
    [{ receiverAccountIdentifier: shared }, [second], 'receiving'],
    [{ accountIdentifier: '$Bob@VASP.example' }, [third], 'UMA-1 in lower case'],
    [{ senderAccountIdentifier: '$bob@vasp.example' }, [], 'he does not send'],
    [
      { accountIdentifier: formatId('externalAccount', newId('externalAccount')) },
      [],
      'an account nobody knows gives an empty page',
    ],
    [{ status: 'FAILED' }, [third], 'status'],
    [{ status: 'REFUNDED' }, [], 'a status that is never written'],
    [{ status: 'AUTHORIZED' }, [], 'CTXN-2 a card status'],
    [{ type: 'INCOMING' }, [second], 'type'],
    [{ type: 'OUTGOING', status: 'COMPLETED' }, [first], 'both'],
    [{ type: 'CARD' }, [], 'no cards yet'],
    [{ reference: 'REF-1' }, [first], 'of the payment'],
    [{ reference: 'REF-2' }, [second], 'of its reconciliation'],
    [{ reference: 'REF-3' }, [third], 'of its refund'],
    [{ reference: 'ref-3' }, [], 'exact'],
    [{ startDate: '2026-01-01T12:00:01Z' }, [third, second], 'TXN-10 inclusive at the start'],
    [{ endDate: '2026-01-01T13:00:01+01:00' }, [second, first], 'TXN-10 inclusive at the end'],
    [
      { startDate: '2026-01-01T12:00:01Z', endDate: '2026-01-01T12:00:01Z' },
      [second],
      'TXN-10 one instant',
    ],
    [{ accountIdentifier: shared, type: 'INCOMING', status: 'PENDING' }, [second], 'all combine'],
  ]
  for (const [query, found, because] of ROWS) {
    test(`${because}: ${new URLSearchParams(query as Record<string, string>)}`, async () => {
      const body = await page(p, query)
      assert.deepEqual(ids(body), found)
      assert.equal(body.totalCount, found.length, 'TXN-11 totalCount')
    })
  }

  const WRONG: readonly (readonly [query: Query, field: string])[] = [
    [{ customerId: 'user-1' }, 'customerId'],
    [{ accountIdentifier: 'bob' }, 'accountIdentifier'],
    [{ senderAccountIdentifier: 'Customer:1' }, 'senderAccountIdentifier'],
    [{ receiverAccountIdentifier: 'InternalAccount:1' }, 'receiverAccountIdentifier'],
    [{ status: 'DONE' }, 'status'],
    [{ type: 'SIDEWAYS' }, 'type'],
    [{ reference: '' }, 'reference'],
    [{ startDate: 'yesterday' }, 'startDate'],
    [{ endDate: '2026-02-30T00:00:00Z' }, 'endDate'],
    [{ startDate: '2026-01-02T00:00:00Z', endDate: '2026-01-01T00:00:00Z' }, 'startDate'],
    [{ sortOrder: 'random' }, 'sortOrder'],
    [{ limit: 101 }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
  ]
  for (const [query, field] of WRONG) {
    test(`${new URLSearchParams(query as Record<string, string>)} is refused`, async () => {
      expectFields(await p.api.get('/transactions', { query }), [field])
    })
  }

  test('CORE-4 an unknown customer and a foreign platform are 404', async () => {
    const q = await kit.platform()
    for (const unknown of [`Customer:${newId('customer')}`, q.platformId]) {
      const answer = await p.api.get('/transactions', { query: { customerId: unknown } })
      expectError(answer, 404, 'USER_NOT_FOUND')
    }
  })
})

describe('CORE-50 pages', () => {
  test('neither repeat nor skip, in both orders, on either side of an account, while rows are added', async () => {
    const p = await kit.platform()
    const hub = formatId('internalAccount', newId('internalAccount'))
    const rows = Array.from({ length: 25 }, (_, n) =>
      n % 2 === 0
        ? outgoing({
            createdAt: at(Math.floor(n / 4)),
            source: { sourceType: 'ACCOUNT', accountId: hub, currency: 'USD' },
          })
        : outgoing({
            createdAt: at(Math.floor(n / 4)),
            destination: { destinationType: 'ACCOUNT', accountId: hub, currency: 'USD' },
          }),
    )
    await write(p, rows)
    const expected = wireIds(...rows)
    for (const sortOrder of ['asc', 'desc']) {
      for (const filter of [{}, { accountIdentifier: hub }]) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const body = await page(p, { limit: 4, sortOrder, ...filter, ...(cursor && { cursor }) })
          seen.push(...ids(body))
          cursor = body.hasMore ? text(body.nextCursor) : undefined
          const newcomer = at(sortOrder === 'asc' ? -1 : 1000)
          if (seen.length === 4) await write(p, [outgoing({ createdAt: newcomer })])
        } while (cursor !== undefined)
        assert.deepEqual(
          seen.filter((id) => expected.includes(id)),
          sortOrder === 'asc' ? expected : expected.toReversed(),
        )
        assert.equal(new Set(seen).size, seen.length)
      }
    }
  })

  test('a cursor is bound to its filters and its order', async () => {
    const p = await kit.platform()
    await write(p, [outgoing(), outgoing()])
    const { nextCursor } = await page(p, { limit: 1 })
    for (const other of [{ type: 'OUTGOING' }, { sortOrder: 'asc' }]) {
      const query = { limit: 1, cursor: text(nextCursor), ...other }
      expectFields(await p.api.get('/transactions', { query }), ['cursor'])
    }
  })

  test('CORE-51 totalCount is capped at 10,000', async () => {
    const p = await kit.platform()
    const hub = formatId('internalAccount', newId('internalAccount'))
    await deps.db.read.run(
      sql`insert into transactions (platform_id, id, type, status, source, source_identifier, destination,
            destination_identifier, created_at, updated_at)
          select ${platformIdOf(p)}, gen_random_uuid(), 'OUTGOING', 'COMPLETED', '{}', ${hub}, '{}', ${hub},
            ${at(0)}, ${at(0)} from generate_series(1, 10050)`,
    )
    const platformId = platformIdOf(p)
    assert.equal(await countTransactions(deps.db.read, platformId, {}), 10_000)
    assert.equal(
      await countTransactions(deps.db.read, platformId, { accountIdentifier: hub }),
      10_000,
      'an account on both sides counts once',
    )
  })
})

describe('CTXN-1 CTXN-2 card transactions stand in the same list', () => {
  test('in one order, under their own ids, declined ones only when asked for', async () => {
    const p = await kit.platform()
    const card = await newCard(p, { funds: 0 })
    const cardId = mustParseId('card', card.id)
    const accountId = formatId('internalAccount', newId('internalAccount'))
    const insertCard = async (status: string, seconds: number): Promise<string> => {
      const id = newId('cardTransaction')
      const details = {
        direction: 'DEBIT',
        merchant: { descriptor: 'SHOP' },
        authorizedAmount: {
          amount: 5,
          currency: { code: 'USD', name: 'Dollar', symbol: '$', decimals: 2 },
        },
        accountId,
        authorizedAt: at(seconds).toISOString(),
      }
      await deps.db.read.run(
        sql`insert into transactions (platform_id, id, type, status, source_identifier, card_id, card_details,
              created_at, updated_at)
            values (${platformIdOf(p)}, ${id}, 'CARD', ${status}, ${accountId}, ${cardId}, ${sql.json(details)},
              ${at(seconds)}, ${at(seconds)})`,
      )
      return formatId('cardTransaction', id)
    }
    const before = outgoing({ createdAt: at(0) })
    const after = outgoing({ createdAt: at(3) })
    await write(p, [before, after])
    const settled = await insertCard('SETTLED', 1)
    const declined = await insertCard('DECLINED', 2)
    const [first = '', last = ''] = wireIds(before, after)
    assert.deepEqual(ids(await page(p)), [last, settled, first])
    assert.deepEqual(ids(await page(p, { status: 'DECLINED' })), [declined])
    assert.deepEqual(ids(await page(p, { type: 'CARD' })), [settled])
    assert.deepEqual(ids(await page(p, { cardId: card.id })), [settled])
    const foreign = await newCard(await kit.platform(), { funds: 0 })
    for (const other of [foreign.id, formatId('card', newId('card'))]) {
      const answer = await p.api.get('/transactions', { query: { cardId: other } })
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
    assert.deepEqual(ids(await page(p, { accountIdentifier: accountId })), [settled])
    assert.deepEqual(ids(await page(p, { senderAccountIdentifier: accountId })), [settled])
    const shown = expectStatus(await p.api.get(`/transactions/${declined}`), 200)
    assert.equal(shown.status, 'DECLINED')
    const asPayment = declined.replace('CardTransaction', 'Transaction')
    expectError(await p.api.get(`/transactions/${asPayment}`), 404, 'TRANSACTION_NOT_FOUND')
  })
})

describe('deposits', () => {
  const arrive = async (p: TestPlatform, input: DepositInput) => {
    const { platform } = await inPlatform(
      deps,
      { platformId: p.platformId, action: 'test' },
      async (work) => work,
    )
    const caller = {
      platform,
      actor: { kind: 'system', name: 'test' } as const,
      now: at(0),
      requestId: newId('request'),
      action: 'deposit',
    }
    const { body } = await lane.submit({ kind: deposit, input }, caller)
    return JSON.parse(JSON.stringify(body)) as Body
  }

  test('IACC-12 a coin on a dollar account is credited 1:1, down to the cent; the rest stays in FX', async () => {
    const p = await kit.platform()
    const accountId = mustParseId('internalAccount', await account(p))
    const credited = await arrive(p, { accountId, amount: 1_239_999n, currency: 'USDC' })
    assert.equal(credited['balance']?.['amount'], 123)
    const [transaction] = (await page(p)).data
    assert.equal(transaction?.sentAmount?.amount, 1_239_999)
    assert.equal(transaction.receivedAmount?.amount, 123)
    const rows = await deps.db.read.many<{ account: string; currency: string; amount: bigint }>(
      sql`select account, currency, amount from ledger_entries
          where platform_id = ${platformIdOf(p)} order by position`,
    )
    assert.deepEqual(
      rows.map((row) => `${row.account.replace(/IA:.*:/, 'IA:')} ${row.currency} ${row.amount}`),
      ['WORLD:SOLANA USDC -1239999', 'FX USDC 1239999', 'FX USD -123', 'IA:available USD 123'],
    )
  })

  test('IACC-12 dust credits nothing and is kept', async () => {
    const p = await kit.platform()
    const accountId = mustParseId('internalAccount', await account(p))
    const credited = await arrive(p, { accountId, amount: 9_999n, currency: 'USDB' })
    assert.equal(credited['balance']?.['amount'], 0)
  })

  test('any other coin is not taken for dollars', async () => {
    const p = await kit.platform()
    const accountId = mustParseId('internalAccount', await account(p))
    const euros = mustParseId('internalAccount', await account(p, 'EUR'))
    await assert.rejects(arrive(p, { accountId, amount: 1n, currency: 'USDT' }), {
      code: 'INVALID_CURRENCY',
    })
    await assert.rejects(arrive(p, { accountId: euros, amount: 1n, currency: 'USDC' }), {
      code: 'INVALID_CURRENCY',
    })
    assert.deepEqual((await page(p)).data, [])
  })

  test('TXN-4 an account’s balance is the sum of what its completed deposits received', async () => {
    const p = await kit.platform()
    const id = await account(p)
    for (const amount of [5, 70, 900]) {
      expectStatus(await p.api.post(`/sandbox/internal-accounts/${id}/fund`, { amount }), 200)
    }
    const rows = (await page(p, { receiverAccountIdentifier: id })).data
    const sum = rows.reduce((total, row) => total + Number(row.receivedAmount?.amount), 0)
    assert.equal(sum, 975)
    assert.equal(await balanceOf(p, id), sum)
    const reference = text(rows[0]?.reconciliationInstructions?.reference)
    assert.equal(ids(await page(p, { reference })).length, 3, 'found by the account’s reference')
  })
})
