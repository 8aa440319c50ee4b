import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, text } from '../../../test/kit/api.ts'
import { advance, issueCard, newCard, newCardholder } from '../../../test/kit/cards.ts'
import { BUSINESS, createCustomer, listEvents } from '../../../test/kit/customers.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startKit } from '../../../test/kit/florin.ts'

const kit = await startKit()
const currencies = ['USD', 'EUR', 'MXN', 'USDC', 'USDB']
const p = await kit.platform({ currencies })
const { api } = p
const UNKNOWN = '01994d2e-7c1a-7f00-8000-0000000000ff'
const PROVISIONED = ['brand', 'last4', 'expMonth', 'expYear', 'processorRef', 'issuerRef']

test('CARD-9 CARD-10 CARD-1 a card is PROCESSING in the answer and ACTIVE at the next read', async () => {
  const { customerId, accounts } = await newCardholder(p)
  const body = { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'] }
  const made = expectStatus(await api.post('/cards', body), 201)
  assert.equal(made.state, 'PROCESSING')
  for (const field of PROVISIONED) assert.equal(field in made, false, field)
  assert.deepEqual(
    [made.customerId, made.cardholderId, made.fundingSource, made.fundingSources],
    [customerId, customerId, accounts['USD'], [accounts['USD']]],
  )
  assert.equal(made.maxSpendPerTransaction, null)
  assert.equal('stateReason' in made, false)
  const card = expectStatus(await api.get(`/cards/${made.id}`), 200)
  assert.equal(card.state, 'ACTIVE')
  assert.equal(card.brand, 'VISA')
  assert.match(text(card.last4), /^\d{4}$/)
  const now = new Date()
  assert.equal(card.expMonth, now.getUTCMonth() + 1)
  assert.equal(card.expYear, now.getUTCFullYear() + 4)
  const [event] = await listEvents(p, 'CARD.STATE_CHANGE')
  assert.deepEqual(event?.data, card)
})

test('CARD-1 CARD-3 the other field names are accepted, too, and the server sets platformCardId', async () => {
  const { customerId, accounts } = await newCardholder(p)
  const fundingSources = [accounts['USD']]
  const body = { cardholderId: customerId, form: 'VIRTUAL', fundingSources, platformCardId: 17 }
  const answer = await api.post('/cards', body)
  const card = expectStatus(answer, 201)
  assert.notEqual(card.platformCardId, 17)
  assert.equal(answer.headers.get('ignored-fields'), 'platformCardId')
  const both = { ...body, customerId, fundingSource: accounts['USD'] }
  expectStatus(await api.post('/cards', both), 201)
})

test('CARD-1 CARD-2 CARD-6 CARD-7 CARD-8 all invalid fields come in one answer', async () => {
  const { customerId, accounts } = await newCardholder(p)
  const { USD: usd = '', EUR: eur = '' } = accounts
  const good = { customerId, form: 'VIRTUAL', fundingSource: usd }
  const cases: readonly (readonly [object, readonly string[], string])[] = [
    [
      { customerId: undefined, fundingSource: undefined, form: undefined },
      ['customerId', 'form', 'fundingSource'],
      'nothing',
    ],
    [{ cardholderId: `Customer:${UNKNOWN}` }, ['cardholderId'], 'two holders'],
    [{ fundingSources: [eur, usd] }, ['fundingSources'], 'two first sources'],
    [{ form: 'PHYSICAL' }, ['form'], 'no plastic'],
    [{ form: 'virtual' }, ['form'], 'exact case'],
    [{ fundingSource: undefined, fundingSources: [] }, ['fundingSources'], 'an empty list'],
    [{ fundingSources: [usd, usd] }, ['fundingSources.1'], 'a repeated account'],
    [
      { fundingSources: [usd, 'ExternalAccount:1'] },
      ['fundingSources.1'],
      'not an internal account',
    ],
    [
      {
        fundingSource: undefined,
        fundingSources: Array.from(
          { length: 11 },
          (_, n) => `InternalAccount:${UNKNOWN.slice(0, -2)}${10 + n}`,
        ),
      },
      ['fundingSources'],
      'eleven',
    ],
    [{ maxSpendPerTransaction: 0 }, ['maxSpendPerTransaction'], 'zero'],
    [{ maxSpendPerTransaction: -1 }, ['maxSpendPerTransaction'], 'negative'],
    [{ maxSpendPerTransaction: 1.5 }, ['maxSpendPerTransaction'], 'fractional'],
    [{ maxSpendPerTransaction: '5' }, ['maxSpendPerTransaction'], 'a string'],
    [{ maxSpendPerTransaction: true }, ['maxSpendPerTransaction'], 'a boolean'],
    [{ threeDSecurePassword: 'short' }, ['threeDSecurePassword'], 'too short'],
    [{ threeDSecurePassword: 'a good password' }, ['threeDSecurePassword'], 'not a EUR card'],
    [
      { form: 1, maxSpendPerTransaction: 0, fundingSource: 'x' },
      ['form', 'fundingSource', 'maxSpendPerTransaction'],
      'three at once',
    ],
  ]
  for (const [change, fields, why] of cases) {
    const answer = await api.post('/cards', { ...good, ...change })
    assert.equal(answer.status, 400, `${why}: ${answer.text}`)
    expectFields(answer, fields)
  }
  for (const wrong of ['PHYSICAL', null, undefined]) {
    const [form] = expectFields(await api.post('/cards', { ...good, form: wrong }), ['form'])
    assert.deepEqual(form?.['constraint']?.['enum'], ['VIRTUAL'], String(wrong))
  }
  const listed = expectStatus(await api.get('/cards', { query: { customerId } }), 200)
  assert.deepEqual(listed.data, [])
})

test('CARD-8 a EUR card takes a password and shows it nowhere', async () => {
  const { customerId, accounts } = await newCardholder(p)
  const threeDSecurePassword = 'correct horse battery'
  const body = { customerId, form: 'VIRTUAL', fundingSource: accounts['EUR'], threeDSecurePassword }
  const headers = { 'Idempotency-Key': 'card-8' }
  const first = await api.post('/cards', body, { headers })
  expectStatus(first, 201)
  const again = await api.post('/cards', body, { headers })
  for (const answer of [first, again]) assert.ok(!answer.text.includes(threeDSecurePassword))
  assert.deepEqual(again.body, first.body)
})

test('CARD-4 only a verified customer gets a card, which is checked first', async () => {
  const { id: customerId } = await createCustomer(p, { fullName: 'Pia Ohne 001' })
  const before = (await listEvents(p)).length
  const body = { customerId, form: 'VIRTUAL', fundingSource: `InternalAccount:${UNKNOWN}` }
  const details = expectError(await api.post('/cards', body), 400, 'CARDHOLDER_KYC_NOT_APPROVED')
  assert.ok(details['kycStatus'] !== undefined && details['kycStatus'] !== ('APPROVED' as unknown))
  assert.equal((await listEvents(p)).length, before)
  const unknown = { ...body, customerId: `Customer:${UNKNOWN}` }
  expectError(await api.post('/cards', unknown), 404, 'USER_NOT_FOUND')
})

test('CARD-5 every funding source is the holder’s own, active, eligible, in one currency', async () => {
  const { customerId, accounts } = await newCardholder(p)
  const { accounts: others } = await newCardholder(p)
  const own = expectStatus(await api.get('/platform/internal-accounts'), 200).data
  const { USD: usd, EUR: eur, MXN: mxn } = accounts
  const cases: readonly (readonly [readonly unknown[], unknown, string])[] = [
    [[mxn], mxn, 'CURRENCY_NOT_ELIGIBLE'],
    [[others['USD']], others['USD'], 'NOT_OWNED'],
    [[own[0]?.id], own[0]?.id, 'NOT_OWNED'],
    [[`InternalAccount:${UNKNOWN}`], `InternalAccount:${UNKNOWN}`, 'NOT_OWNED'],
    [[usd, eur], eur, 'CURRENCY_MISMATCH'],
    [[usd, mxn], mxn, 'CURRENCY_NOT_ELIGIBLE'],
  ]
  for (const [fundingSources, accountId, reason] of cases) {
    const answer = await api.post('/cards', { customerId, form: 'VIRTUAL', fundingSources })
    const details = expectError(answer, 400, 'FUNDING_SOURCE_INELIGIBLE')
    assert.deepEqual(details, { accountId, reason })
  }
  for (const currency of ['EUR', 'USDC', 'USDB']) {
    const card = await issueCard(p, { customerId, accounts }, { fundingSource: accounts[currency] })
    assert.equal(card.currency, currency)
  }
})

test('CARD-4 a business needs an approved kybStatus', async () => {
  const { id: customerId, kybStatus } = await createCustomer(p, BUSINESS)
  assert.equal(kybStatus, 'UNVERIFIED')
  const body = { customerId, form: 'VIRTUAL', fundingSource: `InternalAccount:${UNKNOWN}` }
  const details = expectError(await api.post('/cards', body), 400, 'CARDHOLDER_KYC_NOT_APPROVED')
  assert.equal(details['kycStatus'], 'UNVERIFIED')
})

test('section 8 the end of platformCustomerId decides what the issuer does', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const never = await newCard(own, { platformCustomerId: 'never-001' })
  const named = { platformCustomerId: '5f0c2d1e-0000-7000-8000-00000000a001' }
  const chosen = await newCard(own, named)
  assert.equal(chosen.card.state, 'PROCESSING', 'a uuid that the platform chose counts, too')
  const refused = await newCard(own, { platformCustomerId: 'no-002' })
  assert.deepEqual([refused.card.state, refused.card.stateReason], ['CLOSED', 'ISSUER_REJECTED'])
  for (const field of PROVISIONED) assert.ok(!(field in refused.card), field)
  // Last, since real time counts towards its thirty seconds.
  const slow = await newCard(own, { platformCustomerId: 'slow-005' })
  assert.equal(slow.card.state, 'PROCESSING')
  await advance(own, 29)
  assert.equal((await slow.read()).state, 'PROCESSING')
  await advance(own, 2)
  assert.equal((await slow.read()).state, 'ACTIVE')
  assert.equal((await never.read()).state, 'PROCESSING')
  const emitted = (await listEvents(own, 'CARD.STATE_CHANGE')).map(({ data }) => data.state)
  assert.deepEqual(emitted, ['ACTIVE', 'CLOSED'])
})

test('CARD-21 a change needs the token alone, also where a wallet funds the card, and is there at once', async () => {
  const { accounts, ...holder } = await newCardholder(p)
  const card = await issueCard(p, { ...holder, accounts }, { fundingSource: accounts['USDB'] })
  const path = `/cards/${card.id}` as const
  const signed = { 'Service-Wallet-Signature': 'abc', 'Request-Id': 'x' }
  for (const [state, headers] of [
    ['FROZEN', {}],
    ['ACTIVE', signed],
  ] as const) {
    const changed = expectStatus(await api.patch(path, { state }, { headers }), 200)
    assert.equal(changed.state, state)
    assert.deepEqual(expectStatus(await api.get(path), 200), changed)
  }
  const limited = expectStatus(await api.patch(path, { maxSpendPerTransaction: 500 }), 200)
  assert.equal(limited.maxSpendPerTransaction, 500)
})

test('CARD-22 CARD-23 CARD-30 a card is frozen, thawed and closed, each once', async () => {
  const { patch, read } = await newCard(p)
  const refused = async (state: string, from: string): Promise<void> => {
    const details = expectError(await patch({ state }), 409, 'INVALID_STATE_TRANSITION')
    assert.deepEqual(details, { from, to: state })
  }
  await refused('ACTIVE', 'ACTIVE')
  assert.equal(expectStatus(await patch({ state: 'FROZEN' }), 200).state, 'FROZEN')
  await refused('FROZEN', 'FROZEN')
  assert.equal(expectStatus(await patch({ state: 'ACTIVE' }), 200).state, 'ACTIVE')
  const closed = expectStatus(await patch({ state: 'CLOSED' }), 200)
  assert.deepEqual([closed.state, closed.stateReason], ['CLOSED', 'CLOSED_BY_PLATFORM'])
  expectError(await patch({ state: 'CLOSED' }), 409, 'CARD_ALREADY_CLOSED')
  await refused('ACTIVE', 'CLOSED')
  await refused('FROZEN', 'CLOSED')
  expectError(await patch({ maxSpendPerTransaction: 5 }), 409, 'CARD_NOT_MUTABLE')
  assert.deepEqual(await read(), closed)
  const events = await listEvents(p, 'CARD.STATE_CHANGE')
  const emitted = events.filter(({ data }) => data.id === closed.id)
  assert.deepEqual(
    emitted.map(({ data }) => data.state),
    ['CLOSED', 'ACTIVE', 'FROZEN', 'ACTIVE'],
  )
})

test('CARD-22 a card that is still PROCESSING changes no state, but its limit and sources', async () => {
  const { patch, accounts } = await newCard(p, { platformCustomerId: 'stays-001' })
  for (const state of ['ACTIVE', 'FROZEN', 'CLOSED']) {
    expectError(await patch({ state }), 409, 'INVALID_STATE_TRANSITION')
  }
  expectStatus(await patch({ maxSpendPerTransaction: 5, fundingSources: [accounts['USD']] }), 200)
})

test('CARD-20 CARD-24 a PATCH changes something, and a closure comes alone', async () => {
  const { patch, accounts } = await newCard(p)
  const { USD: usd } = accounts
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{}, ['']],
    [{ platformCardId: 'mine' }, ['']],
    [{ state: 'frozen' }, ['state']],
    [{ state: 'PROCESSING' }, ['state']],
    [{ maxSpendPerTransaction: 0 }, ['maxSpendPerTransaction']],
    [{ fundingSources: [] }, ['fundingSources']],
    [{ state: 'CLOSED', fundingSources: [usd] }, ['fundingSources']],
    [
      { state: 'CLOSED', fundingSource: usd, maxSpendPerTransaction: null },
      ['fundingSource', 'maxSpendPerTransaction'],
    ],
  ]
  for (const [body, fields] of cases) expectFields(await patch(body), fields)
})

test('CARD-25 CARD-26 CARD-27 sources are replaced in order, the limit set and cleared, all or nothing', async () => {
  const { patch, accounts, read, id } = await newCard(p)
  const { USD: usd, EUR: eur } = accounts
  expectStatus(await patch({ maxSpendPerTransaction: 700 }), 200)
  const before = await read()
  assert.equal(before.maxSpendPerTransaction, 700)
  const mismatch = await patch({
    state: 'FROZEN',
    maxSpendPerTransaction: 1,
    fundingSources: [eur],
  })
  const details = expectError(mismatch, 400, 'FUNDING_SOURCE_INELIGIBLE')
  assert.equal(details['reason'], 'CURRENCY_MISMATCH')
  assert.deepEqual(await read(), before, 'nothing of a refused PATCH stays')
  const same = expectStatus(await patch({ fundingSources: [usd] }), 200)
  assert.equal(same.maxSpendPerTransaction, 700, 'absent keeps')
  assert.equal(
    expectStatus(await patch({ maxSpendPerTransaction: null }), 200).maxSpendPerTransaction,
    null,
  )
  const emitted = await listEvents(p, 'CARD.FUNDING_SOURCE_CHANGE')
  assert.ok(!emitted.some(({ data }) => data.id === (id as unknown)), 'the same list is no change')
})

test('CARD-12 the list filters by holder, account, state and name, in either order', async () => {
  const own = await kit.platform({ currencies: ['USD', 'EUR'] })
  const holder = await newCardholder(own)
  const first = await issueCard(own, holder)
  const second = await issueCard(own, holder, { fundingSource: holder.accounts['EUR'] })
  const other = await newCard(own)
  expectStatus(await other.patch({ state: 'FROZEN' }), 200)
  const list = async (query: Record<string, string>): Promise<unknown[]> =>
    expectStatus(await own.api.get('/cards', { query }), 200).data.map(({ id }) => id)
  const { customerId, accounts } = holder
  assert.deepEqual(await list({}), [other.id, second.id, first.id])
  assert.deepEqual(await list({ sortOrder: 'asc' }), [first.id, second.id, other.id])
  assert.deepEqual(await list({ customerId }), [second.id, first.id])
  assert.deepEqual(await list({ cardholderId: customerId, accountId: String(accounts['EUR']) }), [
    second.id,
  ])
  assert.deepEqual(await list({ state: 'FROZEN' }), [other.id])
  assert.deepEqual(await list({ state: 'FROZEN', customerId }), [])
  assert.deepEqual(await list({ platformCardId: first.platformCardId }), [first.id])
  for (const query of [{ state: 'OPEN' }, { sortOrder: 'up' }, { cardholderId: 'x' }]) {
    expectFields(await own.api.get('/cards', { query }), Object.keys(query))
  }
  const missing = await own.api.get('/cards', { query: { customerId: `Customer:${UNKNOWN}` } })
  expectError(missing, 404, 'USER_NOT_FOUND')
  const nowhere = await own.api.get('/cards', {
    query: { accountId: `InternalAccount:${UNKNOWN}` },
  })
  expectError(nowhere, 404, 'REFERENCE_NOT_FOUND')
  const page = expectStatus(await own.api.get('/cards', { query: { limit: 2 } }), 200)
  assert.equal(page.hasMore, true)
  assert.equal(page.totalCount, 3)
  assert.deepEqual(await list({ limit: '2', cursor: text(page.nextCursor) }), [first.id])
})

test('CARD-31 the service closes the cards of a deleted customer', async () => {
  const { customerId, read, patch } = await newCard(p, { funds: 0 })
  expectStatus(await api.delete(`/customers/${customerId}`), 200)
  const card = await read()
  assert.deepEqual([card.state, card.stateReason], ['CLOSED', 'CLOSED_BY_SERVICE'])
  expectError(await patch({ state: 'CLOSED' }), 409, 'CARD_ALREADY_CLOSED')
})

test('CARD-50 PROV-9 every operation refuses a platform without an issuer', async () => {
  const live = await kit.platform({ environment: 'PRODUCTION' })
  const path = `/cards/Card:${UNKNOWN}` as const
  const body = {
    customerId: `Customer:${UNKNOWN}`,
    form: 'VIRTUAL',
    fundingSource: `InternalAccount:${UNKNOWN}`,
  }
  for (const answer of [
    await live.api.post('/cards', body),
    await live.api.get('/cards'),
    await live.api.get(path),
    await live.api.patch(path, { state: 'FROZEN' }),
  ]) {
    expectError(answer, 501, 'NOT_IMPLEMENTED')
  }
})

test('CARD-11 racing POSTs under one key make one card', async () => {
  const holder = await newCardholder(p)
  const { customerId, accounts } = holder
  const body = { customerId, form: 'VIRTUAL', fundingSource: accounts['USD'] }
  const headers = { 'Idempotency-Key': 'card-11' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => api.post('/cards', body, { headers })),
  )
  const ids = new Set(answers.filter(({ status }) => status === 201).map((one) => one.body.id))
  assert.equal(ids.size, 1)
  await eventually(async () => {
    const list = expectStatus(await api.get('/cards', { query: { customerId } }), 200)
    assert.equal(list.data.length, 1)
  })
})
