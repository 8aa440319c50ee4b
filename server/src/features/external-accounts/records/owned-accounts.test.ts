/** Ownership of records through HTTP: duplicates, the default deposit account, lists, deletion. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ExternalAccountListResponse } from '../../../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Api,
  type Shown,
} from '../../../../test/kit/api.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  CUSTOMERS,
  PLATFORM,
  accountIdOf,
  asOperator,
  newAccount,
  newCustomer,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { mustParseId, newId, newUuid } from '../../../kernel/ids.ts'
import { findDefaultAccount, listSideAccounts, saveTrust } from '../index.ts'

const kit = await startKit()
const platform = await kit.platform()
const { api } = platform

const usd = (changes: object = {}) => externalAccountBody('USD_ACCOUNT', { ...changes })
const numbered = (n: number) => usd({ accountNumber: `${10_000_000 + n}9` })

const list = async (path: typeof CUSTOMERS | typeof PLATFORM, query = {}, by: Api = api) =>
  expectStatus(await by.get(path, { query }), 200)

const idsOf = (page: Shown<ExternalAccountListResponse>): string[] => page.data.map(({ id }) => id)

/** All pages of a list, one account at a time. */
async function walk(
  path: typeof CUSTOMERS | typeof PLATFORM,
  query: object,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await list(path, { ...query, limit, cursor })
    ids.push(...idsOf(page))
    cursor = page.nextCursor
    assert.equal(page.hasMore, cursor !== undefined)
  } while (cursor)
  return ids
}

describe('EACC-10 duplicates', () => {
  const SAME: readonly (readonly [why: string, accountType: string, again: object])[] = [
    ['blanks do not matter', 'USD_ACCOUNT', { accountNumber: '123 456 789' }],
    ['another name, the same account', 'USD_ACCOUNT', { bankAccountType: 'SAVINGS' }],
    [
      'the case of a hex address',
      'BASE_WALLET',
      { address: `0x${'5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'.toLowerCase()}` },
    ],
    [
      'bech32 in capitals',
      'SPARK_WALLET',
      { address: String(externalAccountBody('SPARK_WALLET').accountInfo['address']).toUpperCase() },
    ],
    ['the case of a name', 'INR_ACCOUNT', { vpa: 'ASHA@OKBANK' }],
  ]
  for (const [why, accountType, again] of SAME) {
    test(`EACC-10 an equal account is refused with the id of the first: ${why}`, async () => {
      const customerId = await newCustomer(api)
      const first = await newAccount(api, { customerId, ...externalAccountBody(accountType) })
      const body = { customerId, ...externalAccountBody(accountType, { ...again }) }
      const details = expectError(await api.post(CUSTOMERS, body), 409, 'CONFLICT')
      assert.equal(details['externalAccountId'], first.id)
    })
  }

  const OTHER: readonly (readonly [why: string, accountType: string, other: object])[] = [
    ['another number', 'USD_ACCOUNT', { accountNumber: '987654321' }],
    ['the same number at another bank', 'USD_ACCOUNT', { routingNumber: '026009593' }],
    ['another provider', 'UGX_ACCOUNT', { provider: 'Airtel' }],
    ['another bank', 'PHP_ACCOUNT', { bankName: 'BPI' }],
    [
      'base58 in another case',
      'SOLANA_WALLET',
      { address: 'EpjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
    ],
  ]
  for (const [why, accountType, other] of OTHER) {
    test(`EACC-10 a different account is accepted: ${why}`, async () => {
      const customerId = await newCustomer(api)
      await newAccount(api, { customerId, ...externalAccountBody(accountType) })
      await newAccount(api, { customerId, ...externalAccountBody(accountType, { ...other }) })
    })
  }

  test('EACC-10 another currency, another chain, another owner is another account', async () => {
    const [one, two] = [await newCustomer(api), await newCustomer(api)]
    const evm = externalAccountBody('ETHEREUM_WALLET')
    await newAccount(api, { customerId: one, ...evm })
    await newAccount(api, { customerId: one, ...evm, currency: 'USDT' })
    await newAccount(api, { customerId: one, ...externalAccountBody('BASE_WALLET') })
    await newAccount(api, { customerId: two, ...evm })
    await newAccount(api, evm, PLATFORM)
    const details = expectError(await api.post(PLATFORM, evm), 409, 'CONFLICT')
    assert.match(text(details['externalAccountId']), /^ExternalAccount:/)
  })

  test('EACC-10 a deleted account is no duplicate', async () => {
    const customerId = await newCustomer(api)
    const first = await newAccount(api, { customerId, ...usd() })
    expectStatus(await api.delete(`${CUSTOMERS}/${first.id}`), 204)
    const second = await newAccount(api, { customerId, ...usd() })
    assert.notEqual(second.id, first.id)
  })

  for (const owner of ['a customer', 'the platform'] as const) {
    test(`EACC-10 of racing equal creates for ${owner} exactly one answers 201`, async () => {
      const { api } = await kit.platform()
      const customerId = owner === 'a customer' ? await newCustomer(api) : undefined
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => api.post(CUSTOMERS, { customerId, ...usd() })),
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.equal(made.length, 1)
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        const details = expectError(answer, 409, 'CONFLICT')
        assert.equal(details['externalAccountId'], made[0]?.body.id)
      }
    })
  }
})

describe('EACC-12 the default deposit account', () => {
  const defaults = async (customerId: string): Promise<string[]> => {
    const { data } = await list(CUSTOMERS, { customerId, limit: 100 })
    return data
      .filter((account) => (account.defaultUmaDepositAccount as unknown) === true)
      .map(({ id }) => id)
  }
  const add = (customerId: string, n: number, isDefault?: boolean) =>
    api.post(CUSTOMERS, { customerId, ...numbered(n), defaultUmaDepositAccount: isDefault })

  test('EACC-12 the flag is always answered, and only the latest default has it', async () => {
    const customerId = await newCustomer(api)
    const plain = expectStatus(await add(customerId, 1), 201)
    assert.equal(plain.defaultUmaDepositAccount, false)
    const first = expectStatus(await add(customerId, 2, true), 201)
    assert.equal(first.defaultUmaDepositAccount, true)
    const second = expectStatus(await add(customerId, 3, true), 201)
    expectStatus(await add(customerId, 4, false), 201)
    assert.deepEqual(await defaults(customerId), [second.id])
    const read = expectStatus(await api.get(`${CUSTOMERS}/${first.id}`), 200)
    assert.equal(read.defaultUmaDepositAccount, false)
  })

  test('EACC-12 racing defaults leave exactly one', async () => {
    const customerId = await newCustomer(api)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => add(customerId, n, true)),
    )
    for (const answer of answers) expectStatus(answer, 201)
    assert.equal((await defaults(customerId)).length, 1)
  })

  test('EACC-12 a refused account leaves the flag where it is', async () => {
    const customerId = await newCustomer(api)
    const first = expectStatus(await add(customerId, 1, true), 201)
    expectStatus(await add(customerId, 2), 201)
    const headers = { 'idempotency-key': newUuid() }
    const body = { customerId, ...numbered(2), defaultUmaDepositAccount: true }
    expectError(await api.post(CUSTOMERS, body, { headers }), 409, 'CONFLICT')
    assert.deepEqual(await defaults(customerId), [first.id])
  })

  test('EACC-12 the flag is a boolean, and refused for accounts of the platform', async () => {
    const body = { ...numbered(1), defaultUmaDepositAccount: true }
    expectFields(await api.post(CUSTOMERS, body), ['defaultUmaDepositAccount'])
    for (const defaultUmaDepositAccount of ['true', 1, {}]) {
      const wrong = { ...numbered(1), defaultUmaDepositAccount }
      expectFields(await api.post(CUSTOMERS, wrong), ['defaultUmaDepositAccount'])
    }
  })

  test('EACC-14 deletion clears the flag', async () => {
    const customerId = await newCustomer(api)
    const account = expectStatus(await add(customerId, 1, true), 201)
    const find = () =>
      asOperator(kit, platform, ({ tx, platform: { id } }) =>
        findDefaultAccount(tx, id, mustParseId('customer', customerId)),
      )
    assert.equal((await find())?.id, accountIdOf(account))
    expectStatus(await api.delete(`${CUSTOMERS}/${account.id}`), 204)
    assert.equal(await find(), undefined)
  })
})

describe('EACC-13 reach and lists', () => {
  test('EACC-13 the customers’ paths reach every account of the platform, the platform’s only its own', async () => {
    const customerId = await newCustomer(api)
    const theirs = await newAccount(api, { customerId, ...numbered(100) })
    const own = await newAccount(api, numbered(100), PLATFORM)
    expectStatus(await api.get(`${CUSTOMERS}/${own.id}`), 200)
    for (const [method, path, body] of [
      ['GET', `${PLATFORM}/${theirs.id}`, undefined],
      ['DELETE', `${PLATFORM}/${theirs.id}`, undefined],
      ['POST', `${PLATFORM}/${theirs.id}/challenge`, { method: 'LIVENESS' }],
      ['POST', `${PLATFORM}/${theirs.id}/verify`, { signature: 'x' }],
    ] as const) {
      const answer = await api.send(method, path, {
        ...(body && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
    expectStatus(await api.delete(`${CUSTOMERS}/${own.id}`), 204)
  })

  test('EACC-13 each list shows its own kind, newest first, with a total', async () => {
    const { api } = await kit.platform()
    const [one, two] = [await newCustomer(api), await newCustomer(api)]
    const a = await newAccount(api, { customerId: one, ...numbered(1) })
    const b = await newAccount(api, { customerId: two, ...externalAccountBody('BASE_WALLET') })
    const own = await newAccount(api, numbered(1), PLATFORM)
    const all = await list(CUSTOMERS, {}, api)
    assert.deepEqual(idsOf(all), [b.id, a.id])
    assert.equal(all.totalCount, 2)
    assert.equal(all.hasMore, false)
    assert.deepEqual(idsOf(await list(CUSTOMERS, { customerId: one }, api)), [a.id])
    assert.deepEqual(idsOf(await list(CUSTOMERS, { currency: 'USDC' }, api)), [b.id])
    assert.deepEqual(idsOf(await list(CUSTOMERS, { currency: 'USDC', customerId: one }, api)), [])
    assert.deepEqual(idsOf(await list(PLATFORM, {}, api)), [own.id])
    assert.deepEqual(idsOf(await list(PLATFORM, { currency: 'EUR' }, api)), [])
  })

  test('EACC-13 a currency is a code, and a customer of another platform is not found', async () => {
    for (const currency of ['usd', 'US', 'TOOLONG', '']) {
      expectFields(await api.get(CUSTOMERS, { query: { currency } }), ['currency'])
      expectFields(await api.get(PLATFORM, { query: { currency } }), ['currency'])
    }
    const foreign = await newCustomer((await kit.platform()).api)
    for (const customerId of [foreign, `Customer:${newUuid()}`]) {
      expectError(await api.get(CUSTOMERS, { query: { customerId } }), 404, 'USER_NOT_FOUND')
    }
    expectFields(await api.get(CUSTOMERS, { query: { customerId: 'nobody' } }), ['customerId'])
  })

  test('CORE-50 a cursor is good for its own list and filters', async () => {
    const { api } = await kit.platform()
    const customerId = await newCustomer(api)
    for (const n of [1, 2]) await newAccount(api, { customerId, ...numbered(n) })
    for (const n of [1, 2]) await newAccount(api, numbered(n), PLATFORM)
    const { nextCursor } = await list(CUSTOMERS, { limit: 1 }, api)
    const cursor = text(nextCursor)
    for (const [path, query] of [
      [PLATFORM, {}],
      [CUSTOMERS, { customerId }],
      [CUSTOMERS, { currency: 'USD' }],
    ] as const) {
      expectFields(await api.get(path, { query: { cursor, ...query } }), ['cursor'])
    }
  })

  test('CUST-63 a deleted customer’s accounts are listed only where that customer is named', async () => {
    const { api } = await kit.platform()
    const customerId = await newCustomer(api)
    const account = await newAccount(api, { customerId, ...numbered(1) })
    expectStatus(await api.delete(`/customers/${customerId}`), 200)
    assert.deepEqual(idsOf(await list(CUSTOMERS, {}, api)), [])
    assert.deepEqual(idsOf(await list(CUSTOMERS, { customerId }, api)), [account.id])
    expectStatus(await api.get(`${CUSTOMERS}/${account.id}`), 200)
  })

  test('EACC-20 a racing create of 20 different accounts yields 20, and pages show each once', async () => {
    const customerId = await newCustomer(api)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => api.post(CUSTOMERS, { customerId, ...numbered(n) })),
    )
    const made = answers.map((answer) => expectStatus(answer, 201).id)
    assert.equal(new Set(made).size, 20)
    const shown = await walk(CUSTOMERS, { customerId }, 3)
    assert.deepEqual(shown.toSorted(), made.toSorted())
    assert.equal((await list(CUSTOMERS, { customerId })).totalCount, 20)
  })

  test('EACC-20 an account that appears while pages are walked shifts none', async () => {
    const customerId = await newCustomer(api)
    const made: string[] = []
    for (const n of [1, 2, 3]) {
      made.unshift((await newAccount(api, { customerId, ...numbered(n) })).id)
    }
    const first = await list(CUSTOMERS, { customerId, limit: 2 })
    await newAccount(api, { customerId, ...numbered(4) })
    const cursor = text(first.nextCursor)
    const second = await list(CUSTOMERS, { customerId, limit: 2, cursor })
    assert.deepEqual([...idsOf(first), ...idsOf(second)], made)
  })
})

describe('EACC-14 EACC-15 deletion', () => {
  test('EACC-14 a deleted account is not found on any path, and history keeps it', async () => {
    const customerId = await newCustomer(api)
    const account = await newAccount(api, { customerId, ...usd() })
    const path = `${CUSTOMERS}/${account.id}` as const
    const answer = await api.delete(path)
    expectStatus(answer, 204)
    assert.equal(answer.text, '')
    expectError(await api.get(path), 404, 'REFERENCE_NOT_FOUND')
    expectError(await api.delete(path), 404, 'REFERENCE_NOT_FOUND')
    assert.deepEqual(idsOf(await list(CUSTOMERS, { customerId })), [])
    const other = await newAccount(api, { customerId, ...numbered(300) })
    const id = accountIdOf(account)
    const known = await asOperator(kit, platform, ({ tx, platform }) =>
      listSideAccounts(tx, [
        { platformId: platform.id, id },
        { platformId: newId('platform'), id: accountIdOf(other) },
      ]),
    )
    assert.deepEqual(
      known.map((side) => side.id),
      [id],
    )
    assert.ok(known[0]?.deletedAt instanceof Date)
  })

  test('EACC-14 of racing deletes one answers 204, the rest 404', async () => {
    const account = await newAccount(api, numbered(200), PLATFORM)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.delete(`${PLATFORM}/${account.id}`)),
    )
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 204)) {
      expectError(answer, 404, 'REFERENCE_NOT_FOUND')
    }
  })

  test('EACC-14 creation and deletion emit no event', async () => {
    const { api } = await kit.platform()
    const account = await newAccount(api, numbered(1), PLATFORM)
    expectStatus(await api.delete(`${PLATFORM}/${account.id}`), 204)
    assert.deepEqual(await listEvents({ api }, 'EXTERNAL_ACCOUNT.STATUS_UPDATED'), [])
  })

  test('EACC-15 TRUST-9 a trusted account cannot be deleted until its trust is withdrawn', async () => {
    const customerId = await newCustomer(api)
    const account = await newAccount(api, { customerId, ...externalAccountBody('BASE_WALLET') })
    const path = `${CUSTOMERS}/${account.id}` as const
    const trust = (isTrusted: boolean) =>
      asOperator(kit, platform, ({ tx, platform }) =>
        saveTrust(tx, platform.id, { id: accountIdOf(account), isTrusted }),
      )
    await trust(true)
    expectError(await api.delete(path), 409, 'BENEFICIARY_TRUSTED')
    assert.deepEqual(expectStatus(await api.get(path), 200), account)
    await trust(false)
    expectStatus(await api.delete(path), 204)
  })
})
