import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectStatus, type Answer, type Api, type Body } from '../kit/api.ts'
import { createCustomer, currencyOf, listAccounts, readCustomer } from '../kit/customers.ts'
import { eventually } from '../kit/eventually.ts'
import { MANY_CONNECTIONS, startOwnKit, type TestPlatform } from '../kit/florin.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)
const neighbour = await kit.neighbour()
const p = await kit.platform({ kind: 'UNREGULATED', currencies: ['USD', 'EUR'] })
const domain = expectStatus(await p.api.get('/config'), 200).umaDomain

const RACERS = 20

/** Twenty requests at once, from two processes of the service; how often each outcome came. */
async function race<P extends Promise<Answer>>(
  platform: TestPlatform,
  send: (api: Api, n: number) => P,
) {
  const apis = [platform.api, client(neighbour, platform)]
  const answers = await Promise.all(
    Array.from({ length: RACERS }, (_, n) => send(apis[n % 2] as Api, n)),
  )
  const grouped = Map.groupBy(answers, ({ status, body }) =>
    status < 300 ? String(status) : `${status} ${(body as Body)['code']}`,
  )
  const outcomes = Object.fromEntries([...grouped].map(([outcome, all]) => [outcome, all.length]))
  return { outcomes, answers }
}

const list = async (query: Record<string, string>) =>
  expectStatus(await p.api.get('/customers', { query }), 200).data

const individual = (body: object = {}) => ({ customerType: 'INDIVIDUAL', ...body })

test('CUST-18 twenty creations with one platformCustomerId: one customer, nineteen told which', async () => {
  const { outcomes, answers } = await race(p, (api) =>
    api.post('/customers', individual({ platformCustomerId: 'raced' })),
  )
  assert.deepEqual(outcomes, { 201: 1, '409 CONFLICT': RACERS - 1 })
  const [only, ...rest] = await list({ platformCustomerId: 'raced' })
  assert.equal(rest.length, 0)
  for (const { status, body } of answers) {
    if (status === 409) assert.equal(body.details?.['customerId'], only?.id)
  }
  assert.equal((await listAccounts(p, only!)).length, 2)
})

test('CUST-20 twenty creations with one UMA address: exactly one 201', async () => {
  const umaAddress = `$raced@${domain}`
  const { outcomes } = await race(p, (api, n) =>
    api.post('/customers', individual({ umaAddress, platformCustomerId: `uma-${n}` })),
  )
  assert.deepEqual(outcomes, { 201: 1, '409 UMA_ADDRESS_EXISTS': RACERS - 1 })
  assert.equal((await list({ umaAddress })).length, 1)
})

test('CUST-20 CUST-57 a creation and nineteen changes race for one UMA address: one has it', async () => {
  const umaAddress = `$wanted@${domain}`
  const customers = await Promise.all(Array.from({ length: RACERS }, () => createCustomer(p)))
  const { answers } = await race(p, (api, n) =>
    n === 0
      ? api.post('/customers', individual({ umaAddress }))
      : api.patch(`/customers/${customers[n]?.id}`, individual({ umaAddress })),
  )
  assert.equal(answers.filter(({ status }) => status < 300).length, 1)
  assert.equal((await list({ umaAddress })).length, 1)
})

test('CUST-25 CORE-42 twenty creations under one key: one customer', async () => {
  const headers = { 'idempotency-key': 'one-customer' }
  const body = individual({ fullName: 'Keyed' })
  const { answers } = await race(p, (api) => api.post('/customers', body, { headers }))
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body: b }) => b.id))
  assert.equal(ids.size, 1)
  for (const { status, body: b } of answers) {
    if (status !== 201) assert.equal(b.code, 'IDEMPOTENCY_KEY_IN_USE')
  }
})

test('CUST-58 twenty changes of different fields all take effect', async () => {
  const customer = await createCustomer(p)
  const fields = ['fullName', 'nationality', 'birthDate', 'pepStatus', 'netWorthRange'] as const
  const values = ['Ana', 'BR', '1990-01-01', 'NONE', 'OVER_25M']
  const { outcomes } = await race(p, (api, n) =>
    api.patch(
      `/customers/${customer.id}`,
      individual({ [fields[n % 5] as string]: values[n % 5] }),
    ),
  )
  assert.deepEqual(outcomes, { 200: RACERS })
  const after = await readCustomer(p, customer)
  assert.deepEqual(
    fields.map((field) => after[field]),
    values,
  )
})

test('CUST-61 twenty deletions: one 200, the others 410', async () => {
  const customer = await createCustomer(p)
  const { outcomes } = await race(p, (api) => api.delete(`/customers/${customer.id}`))
  assert.deepEqual(outcomes, { 200: 1, '410 CUSTOMER_DELETED': RACERS - 1 })
})

test('CUST-62 a deletion against nineteen deposits: either all the money or none of the customer is gone', async () => {
  const customer = await createCustomer(p)
  const [account] = await listAccounts(p, customer)
  const { answers } = await race(p, (api, n) =>
    n === 10
      ? api.delete(`/customers/${customer.id}`)
      : api.post(`/sandbox/internal-accounts/${account?.id}/fund`, { amount: 1 }),
  )
  const funded = answers.filter(({ status }, n) => n !== 10 && status === 200).length
  const isDeleted = answers[10]?.status === 200
  const total = (await listAccounts(p, customer))
    .map(({ totalBalance }) => Number(totalBalance.amount))
    .reduce((sum, amount) => sum + amount, 0)
  assert.equal(total, funded)
  assert.ok(!isDeleted || funded === 0, `deleted with ${funded} in its accounts`)
})

test('CFG-10 customers made while a currency is added all end up with it', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const usd = {
    currencyCode: 'USD',
    minAmount: 1,
    maxAmount: 1000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING'],
  }
  const { answers } = await race(own, (api, n) =>
    n === 7
      ? api.patch('/config', { supportedCurrencies: [usd, { ...usd, currencyCode: 'EUR' }] })
      : api.post('/customers', individual()),
  )
  for (const { status, text: shown } of answers) assert.ok(status < 300, shown)
  const query = { limit: 100 }
  await eventually(async () => {
    const page = expectStatus(await own.api.get('/customers', { query }), 200)
    const customers = page.data
    assert.equal(customers.length, RACERS - 1)
    for (const customer of customers) {
      assert.deepEqual(customer.currencies, ['USD', 'EUR'])
      const accounts = (await listAccounts(own, customer)).map(currencyOf).toSorted()
      assert.deepEqual(accounts, ['EUR', 'USD'])
    }
  })
})
