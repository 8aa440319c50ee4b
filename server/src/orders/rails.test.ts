import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text } from '../../test/kit/api.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { startOwnKit } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import { scriptedProvider } from '../../test/kit/outside/scripted-provider.ts'
import { payee, payer, quote } from '../../test/kit/payments.ts'
import { railsSetup } from '../../test/kit/setups/rails.ts'

const kit = await startOwnKit()

/** Waits until the provider's answer is recorded. */
const accepted = (transactionId: string): Promise<void> =>
  eventually(async () => {
    const [order] = items(await operate(kit, `orders list --transaction ${transactionId}`))
    assert.equal(order?.['state'], 'ACCEPTED')
  })

const SETTLED = { state: 'SETTLED', amount: { amount: 9_154, currency: 'EUR' } }

const back = (amount: number, returnId: string) => ({
  state: 'RETURNED',
  amount: { amount, currency: 'EUR' },
  returnId,
})

test('OPER-120 orders are narrowed by time, currency and amount, from either end', async () => {
  const { pay, platform } = await railsSetup(kit)
  const transactionId = await pay()
  const found = async (options: string) => {
    const line = `orders list --platform ${platform.platformId} --transaction ${transactionId}`
    return items(await operate(kit, `${line} ${options}`)).map((order) => order['transactionId'])
  }
  const exactly = '--currency EUR --amount-min 91.54 --amount-max 91.54'
  for (const options of [exactly, `${exactly} --newest --since 2020-01-01`])
    assert.deepEqual(await found(options), [transactionId], options)
  for (const options of [
    '--currency USD',
    '--currency EUR --amount-min 91.55',
    '--until 2020-01-01',
  ])
    assert.deepEqual(await found(options), [], options)
})

test('PROV-40 PROV-41 PROV-42 an order holds amount, rail, accounts, parties and references', async () => {
  const { provider, pay, platform } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  assert.equal(order['type'], 'PAYOUT')
  assert.equal(order['test'], false)
  assert.deepEqual(order['amount'], { amount: 9_154, currency: 'EUR', decimals: 2 })
  assert.equal(order['rail'], 'SEPA_INSTANT')
  assert.match(text(order['reference']), /^FL[A-HJ-NP-Z2-9]{14}$/)
  assert.equal(text(order['endToEndId']), text(order['id']).split(':')[1]?.replaceAll('-', ''))
  assert.equal(order['platform']?.['id'], platform.platformId)
  assert.match(text(order['creditorAccount']?.['accountInfo']?.['iban']), /^DE/)
  assert.ok(text(order['debtor']?.['name']) && text(order['creditor']?.['name']))
  assert.match(text(order['reportUrl']), /\/providers\/Provider:[0-9a-f-]+\/reports$/)
  const bytes = provider.received[0]?.bytes ?? ''
  assert.doesNotMatch(bytes, /taxId|documentNumber/, 'no number of a government')
})

test('PROV-43 PROV-55 an answer SETTLED completes the payment without a report', async () => {
  const { provider, pay, settles, balance } = await railsSetup(kit)
  provider.answer(({ body }) => ({
    json: { state: 'SETTLED', reference: 'B-1', amount: body['amount'] },
  }))
  await settles(await pay(), 'COMPLETED')
  assert.equal(await balance(), 90_000)
  assert.equal(provider.orders().length, 1)
})

test('PROV-60 PROV-69 reports of an accepted order complete the payment, found by its reference', async () => {
  const { provider, pay, transaction, balance, platform } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  assert.equal((await provider.report(order, 1, { state: 'SENT' }))['result'], 'APPLIED')
  const proofs = { trace: 'trace-77', uetr: '97ed4827-7b6f-4491-a06f-b548d5a7512d' }
  const settled = { ...SETTLED, reference: 'A1', proofs }
  assert.equal((await provider.report(order, 2, settled))['result'], 'APPLIED')
  assert.equal((await transaction(id)).status, 'COMPLETED')
  assert.equal(await balance(), 90_000)
  for (const reference of ['A1', 'trace-77', proofs.uetr]) {
    const found = await platform.api.get('/transactions', { query: { reference } })
    assert.deepEqual(
      items(found.body.data).map((one) => one.id),
      [id],
      reference,
    )
  }
})

for (const [reason, failureReason] of [
  ['ACCOUNT_CLOSED', 'ACCOUNT_CANNOT_RECEIVE'],
  ['NAME_MISMATCH', 'ACCOUNT_INVALID'],
  ['COMPLIANCE', 'COMPLIANCE_REJECTED'],
  ['RAIL_UNAVAILABLE', 'COUNTERPARTY_POST_TX_FAILED'],
  ['A_WORD_OF_ITS_OWN', 'QUOTE_EXECUTION_FAILED'],
] as const) {
  test(`PROV-49 a refusal for ${reason} fails the payment as ${failureReason} and refunds it`, async () => {
    const { provider, pay, settles, balance } = await railsSetup(kit)
    provider.answer(() => ({ json: { state: 'REFUSED', reason } }))
    const failed = await settles(await pay(), 'FAILED')
    assert.equal(failed.failureReason, failureReason)
    assert.equal(failed.refund?.status, 'COMPLETED')
    assert.equal(failed.refund.reason, 'TRANSACTION_FAILED')
    assert.equal(await balance(), 100_000)
  })
}

test('PROV-43 PROV-44 PROV-25 without an answer the same bytes go again at 5, 20, 65 and 200 s', async () => {
  const { provider, pay, transaction, advance, settles } = await railsSetup(kit)
  const replies = [
    { status: 500, json: { state: 'ACCEPTED', reference: 'no' } },
    'reset',
    { html: '<h1>Gateway</h1>' },
    { json: { state: 'PERHAPS' } },
    { json: { state: 'ACCEPTED', reference: 'A1' } },
  ] as const
  let calls = 0
  provider.answer(() => replies[calls++] ?? 'reset')
  const id = await pay()
  const order = await provider.orderOf(id)
  const sent = () => provider.received.filter(({ path }) => path === '/orders')
  for (const [seconds, count] of [
    [4, 1],
    [1, 2],
    [15, 3],
    [45, 4],
    [135, 5],
    [400, 5],
  ] as const) {
    await advance(seconds)
    assert.equal(sent().length, count, `after ${seconds} s more`)
    assert.equal((await transaction(id)).status, 'PROCESSING')
  }
  assert.equal(new Set(sent().map(({ bytes }) => bytes)).size, 1)
  assert.equal(new Set(sent().map(({ headers }) => headers['webhook-id'])).size, 1)
  await provider.report(order, 1, SETTLED)
  await settles(id, 'COMPLETED')
})

test('PROV-45 PROV-46 PROV-48 an order that never arrived fails after two late answers, and only then', async () => {
  const { provider, pay, transaction, advance, settles, balance } = await railsSetup(
    kit,
    '--window 300',
  )
  provider.answer(() => 'reset')
  const id = await pay()
  const order = await provider.orderOf(id)
  await advance(790)
  const asked = () => provider.received.filter(({ method }) => method === 'GET')
  assert.equal(provider.received.filter(({ method }) => method === 'POST').length, 5)
  assert.equal(asked().length, 0)
  provider.answer(() => ({ status: 404, json: { state: 'NOT_FOUND', id: order['id'] } }))
  await advance(20)
  assert.equal(asked().length, 1)
  assert.equal((await transaction(id)).status, 'PROCESSING')
  await advance(300)
  const failed = await settles(id, 'FAILED')
  assert.equal(failed.failureReason, 'QUOTE_EXECUTION_FAILED')
  assert.equal(failed.refund?.reason, 'TIMEOUT')
  assert.equal(await balance(), 100_000)
})

test('PROV-45 PROV-46 the 404 of a proxy is no answer, and a day later an operator has to look', async () => {
  const { provider, pay, transaction, advance, balance, exceptions } = await railsSetup(
    kit,
    '--window 300',
  )
  provider.answer(() => ({ status: 404, html: '<h1>Not found</h1>' }))
  const id = await pay()
  await provider.orderOf(id)
  await advance(2_000)
  assert.equal((await transaction(id)).status, 'PROCESSING')
  await advance(90_000)
  assert.equal((await transaction(id)).status, 'PROCESSING')
  assert.equal(await balance(), 90_000)
  assert.deepEqual(
    (await exceptions()).map(({ type }) => text(type)),
    ['OUTCOME_UNKNOWN'],
  )
})

test('PROV-61 PROV-62 PROV-63 reports count in their order, once each, and a gap is asked for', async () => {
  const { provider, pay, advance, settles, transaction } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await accepted(id)
  assert.equal((await provider.report(order, 2, SETTLED))['result'], 'WAITING')
  assert.equal((await transaction(id)).status, 'PROCESSING')
  const at = new Date().toISOString()
  const first = { orderId: order['id'], sequence: 1, state: 'SENT', at }
  provider.answer(() => ({
    json: { id: order['id'], state: 'SENT', sequence: 1, reports: [first] },
  }))
  await advance(61)
  assert.equal(provider.received.filter(({ method }) => method === 'GET').length, 1)
  await settles(id, 'COMPLETED')
  const again = { reports: [first] }
  for (let n = 0; n < 3; n += 1) {
    assert.equal(
      items((await provider.post('reports', again))['results'])[0]?.['result'],
      'DUPLICATE',
    )
  }
})

test('PROV-63 a gap that is known before the answer to the order is asked about in time', async () => {
  const { provider, pay, advance } = await railsSetup(kit)
  const reported = Promise.withResolvers<void>()
  provider.answer(async ({ method }) => {
    if (method === 'POST') await reported.promise
    return { json: { state: 'ACCEPTED', reference: 'A1' } }
  })
  const id = await pay()
  const order = await provider.orderOf(id)
  assert.equal((await provider.report(order, 2, SETTLED))['result'], 'WAITING')
  reported.resolve()
  await accepted(id)
  await advance(61)
  assert.equal(provider.received.filter(({ method }) => method === 'GET').length, 1)
})

test('PROV-63 a gap is asked about again soon when the question was lost', async () => {
  const { provider, pay, advance, settles, exceptions } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await accepted(id)
  assert.equal((await provider.report(order, 2, SETTLED))['result'], 'WAITING')
  provider.answer(() => 'reset')
  await advance(61)
  const first = { orderId: order['id'], sequence: 1, state: 'SENT', at: new Date().toISOString() }
  provider.answer(() => ({
    json: { id: order['id'], state: 'SENT', sequence: 1, reports: [first] },
  }))
  await advance(300)
  await settles(id, 'COMPLETED')
  assert.deepEqual(await exceptions(), [])
})

test('PROV-29 an order of nobody, of another provider and one that was not sent are unknown alike', async () => {
  const { provider, pay } = await railsSetup(kit)
  const other = await railsSetup(kit)
  const order = await provider.orderOf(await pay())
  const nobody = { id: 'Order:0199b0c4-5d11-7c3e-9a40-3f6c2a7d1e55' } as never
  const [unknown, foreign] = [
    await provider.report(nobody, 1, SETTLED),
    await other.provider.report(order, 1, SETTLED),
  ]
  assert.equal(unknown['code'], 'REFERENCE_NOT_FOUND')
  assert.deepEqual(foreign, unknown)
})

test('PROV-60 a report without what its state needs, or from the future, is rejected', async () => {
  const { provider, pay } = await railsSetup(kit)
  const order = await provider.orderOf(await pay())
  for (const said of [
    { state: 'SETTLED' },
    { state: 'FAILED' },
    { state: 'DECIDED', verdict: 'CLEAR' },
    { state: 'RETURNED', amount: SETTLED.amount },
    { ...SETTLED, at: new Date(Date.now() + 400_000).toISOString() },
  ]) {
    const result = await provider.report(order, 1, said)
    assert.deepEqual([result['result'], result['code']], ['REJECTED', 'INVALID_INPUT'])
  }
  const settled = await provider.report(order, 1, SETTLED)
  assert.equal(settled['result'], 'APPLIED', 'what was rejected has no number')
})

for (const [name, said, type] of [
  ['another amount', { ...SETTLED, amount: { amount: 9_153, currency: 'EUR' } }, 'AMOUNT_MISMATCH'],
  [
    'another currency',
    { ...SETTLED, amount: { amount: 9_154, currency: 'USD' } },
    'AMOUNT_MISMATCH',
  ],
  ['another reference', { ...SETTLED, reference: 'Z9' }, 'REFERENCE_CHANGED'],
  [
    'a return before it was settled',
    { state: 'RETURNED', amount: SETTLED.amount, returnId: 'r1' },
    'RETURN_EXCEEDS',
  ],
] as const) {
  test(`PROV-68 ${name} contradicts: nothing moves, and an operator is asked`, async () => {
    const { provider, pay, transaction, balance, exceptions } = await railsSetup(kit)
    const id = await pay()
    const order = await provider.orderOf(id)
    await accepted(id)
    const result = await provider.report(order, 1, said)
    assert.equal(result['result'], 'EXCEPTION')
    assert.equal((await transaction(id)).status, 'PROCESSING')
    assert.equal(await balance(), 90_000)
    const [open] = await exceptions()
    assert.deepEqual([open?.['exceptionId'], open?.['type']], [result['exceptionId'], type])
    assert.equal((await provider.report(order, 2, SETTLED))['result'], 'WAITING')
  })
}

test('PROV-70 what was never settled is not resolved as returned', async () => {
  const { provider, pay, settles } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await accepted(id)
  const { exceptionId } = await provider.report(order, 1, back(9_154, 'r1'))
  const line = `exceptions resolve ${text(exceptionId)} --note x`
  const message = 'must be one of IGNORED: a PAYOUT that is ACCEPTED cannot be resolved as RETURNED'
  const errors = [{ field: 'as', message, constraint: { enum: ['IGNORED'] } }]
  await assert.rejects(operate(kit, `${line} --as RETURNED --amount 9154`), {
    code: 'INVALID_INPUT',
    details: { errors },
  })
  await provider.report(order, 2, SETTLED)
  await operate(kit, `${line} --as IGNORED`)
  await settles(id, 'COMPLETED')
})

test('PROV-68 the end of a payment is not undone by a report that contradicts it', async () => {
  const { provider, pay, transaction, balance, exceptions } = await railsSetup(kit)
  const settled = await pay()
  const order = await provider.orderOf(settled)
  await provider.report(order, 1, SETTLED)
  const failed = { state: 'FAILED', reason: 'OTHER' }
  assert.equal((await provider.report(order, 2, failed))['result'], 'EXCEPTION')
  assert.equal((await transaction(settled)).status, 'COMPLETED')
  const refunded = await pay()
  const other = await provider.orderOf(refunded)
  await provider.report(other, 1, failed)
  assert.equal((await provider.report(other, 2, SETTLED))['result'], 'EXCEPTION')
  assert.equal((await transaction(refunded)).status, 'FAILED')
  assert.equal(await balance(), 90_000)
  const types = (await exceptions()).map(({ type }) => text(type))
  assert.deepEqual(types, ['FAILED_AFTER_SETTLED', 'SETTLED_AFTER_FAILED'])
})

test('PROV-12 an operator does not settle by hand what a provider is at', async () => {
  const { provider, pay } = await railsSetup(kit)
  const id = await pay()
  await provider.orderOf(id)
  await assert.rejects(operate(kit, `settlements confirm ${id}`), { code: 'CONFLICT' })
  await assert.rejects(operate(kit, `settlements fail ${id}`), { code: 'CONFLICT' })
})

test('PROV-8 a paused provider is sent nothing new, and its reports are taken', async () => {
  const { provider, pay, transaction, settles, advance } = await railsSetup(kit)
  const before = await pay()
  const order = await provider.orderOf(before)
  await operate(kit, `providers update ${provider.id} --status PAUSED`)
  await kit.florin.deps.providers.refresh()
  const waiting = await pay()
  await advance(60)
  assert.equal(provider.orders().length, 1)
  const [queued] = items(await operate(kit, `orders list --transaction ${waiting}`))
  assert.deepEqual([queued?.['state'], queued?.['waitingFor']], ['QUEUED', 'PROVIDER_PAUSED'])
  assert.equal((await provider.report(order, 1, SETTLED))['result'], 'APPLIED')
  assert.equal((await transaction(waiting)).status, 'PROCESSING')
  provider.answer(({ body }) => ({ json: { state: 'SETTLED', amount: body['amount'] } }))
  await operate(kit, `providers update ${provider.id} --status ENABLED`)
  await kit.florin.deps.providers.refresh()
  await settles(waiting, 'COMPLETED')
})

test('PROV-141 PROV-47 after ten calls without an answer nothing is sent until one is answered', async () => {
  const { provider, pay, advance, settles } = await railsSetup(kit)
  provider.answer(() => 'reset')
  const first = await pay()
  await provider.orderOf(first)
  await advance(7_000)
  const posts = () => provider.received.filter(({ method }) => method === 'POST').length
  assert.equal(posts(), 10)
  const second = await pay()
  await advance(10)
  const waitingFor = async (id: string) =>
    items(await operate(kit, `orders list --transaction ${id}`))[0]?.['waitingFor']
  assert.deepEqual(
    [await waitingFor(first), await waitingFor(second)],
    ['CIRCUIT_OPEN', 'CIRCUIT_OPEN'],
  )
  await advance(3_600)
  assert.equal(posts(), 10, 'what was sent before is asked for instead')
  provider.answer(({ body, method, path }) =>
    method === 'POST'
      ? { json: { state: 'SETTLED', amount: body['amount'] } }
      : { status: 404, json: { state: 'NOT_FOUND', id: path.split('/')[2] } },
  )
  const [asked] = items(await operate(kit, `orders list --transaction ${first}`))
  await operate(kit, `orders ask ${text(asked?.['orderId'])}`)
  await advance(3_600)
  await settles(first, 'COMPLETED')
  await settles(second, 'COMPLETED')
})

test('PROV-65 PROV-66 PROV-64 parts of a payout that come back are credited, and the last part refunds the rest', async () => {
  const { provider, pay, transaction, balance, exceptions, platform } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await provider.report(order, 1, SETTLED)
  assert.equal((await provider.report(order, 2, back(2_000, 'r1')))['result'], 'APPLIED')
  assert.equal((await transaction(id)).status, 'COMPLETED')
  assert.equal(await balance(), 92_173)
  const found = await platform.api.get('/transactions', { query: { type: 'INCOMING' } })
  const credits = items(found.body.data).filter((one) => one.quoteId !== undefined)
  assert.deepEqual(
    credits.map((one) => [one.status, one.receivedAmount?.amount]),
    [['COMPLETED', 2_173]],
  )
  assert.equal((await provider.report(order, 3, back(7_154, 'r2')))['result'], 'APPLIED')
  const failed = await transaction(id)
  assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'PAYOUT_RETURNED'])
  assert.equal(failed.refund?.status, 'COMPLETED')
  assert.equal(await balance(), 100_000)
  assert.equal((await provider.report(order, 4, back(1, 'r3')))['result'], 'EXCEPTION')
  assert.deepEqual(
    (await exceptions()).map(({ type }) => text(type)),
    ['RETURN_EXCEEDS'],
  )
})

test('PROV-61 PROV-63 what waited is applied one after the other: settled, returned in part, then whole', async () => {
  const { provider, pay, transaction, balance } = await railsSetup(kit)
  const [part, whole] = [await pay(), await pay()]
  for (const [id, returns] of [
    [part, [back(2_000, 'r1')]],
    [whole, [back(2_000, 'r1'), back(7_154, 'r2')]],
  ] as const) {
    const order = await provider.orderOf(id)
    for (const [index, said] of [SETTLED, ...returns].entries()) {
      assert.equal((await provider.report(order, index + 2, said))['result'], 'WAITING')
    }
    assert.equal((await provider.report(order, 1, { state: 'SENT' }))['result'], 'APPLIED')
  }
  assert.equal((await transaction(part)).status, 'COMPLETED')
  const failed = await transaction(whole)
  assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'PAYOUT_RETURNED'])
  assert.equal(failed.refund?.status, 'COMPLETED')
  assert.equal(await balance(), 92_173)
})

test('PROV-70 an operator says which statement is true, and what waited is applied', async () => {
  const { provider, pay, transaction, balance, exceptions } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  await provider.report(order, 1, SETTLED)
  await provider.report(order, 2, { state: 'FAILED', reason: 'OTHER' })
  const [open] = await exceptions()
  const exceptionId = text(open?.['exceptionId'])
  await assert.rejects(operate(kit, `exceptions resolve ${exceptionId} --as RELEASED --note x`), {
    code: 'INVALID_INPUT',
  })
  const resolved = await operate(kit, `exceptions resolve ${exceptionId} --as FAILED --note asked`)
  assert.deepEqual([resolved['status'], resolved['resolution']], ['RESOLVED', 'FAILED'])
  assert.deepEqual((await transaction(id)).failureReason, 'PAYOUT_RETURNED')
  assert.equal(await balance(), 100_000)
  await assert.rejects(operate(kit, `exceptions resolve ${exceptionId} --as FAILED --note x`), {
    code: 'CONFLICT',
  })
})

for (const bearer of ['SERVICE', 'PLATFORM'] as const) {
  test(`PROV-70 what was paid out and refunded as well is borne by the ${bearer.toLowerCase()}`, async () => {
    const { provider, pay, transaction, balance, exceptions, platform } = await railsSetup(kit)
    const id = await pay()
    const order = await provider.orderOf(id)
    await provider.report(order, 1, { state: 'FAILED', reason: 'OTHER' })
    await provider.report(order, 2, SETTLED)
    const [open] = await exceptions()
    const line = `exceptions resolve ${text(open?.['exceptionId'])} --as SETTLED --note paid`
    await assert.rejects(operate(kit, line), { code: 'INVALID_INPUT' })
    await operate(kit, `${line} --bear ${bearer}`)
    assert.equal((await transaction(id)).status, 'FAILED')
    assert.equal(await balance(), 100_000)
    const balances = items(await operate(kit, `ledger balances --platform ${platform.platformId}`))
    const account = bearer === 'SERVICE' ? 'LOSS:providers' : 'RECEIVABLE:platform'
    const borne = balances.find((one) => text(one['accountClass']) === account)
    assert.deepEqual([Number(borne?.['amount']), borne?.['currency']], [-9_154, 'EUR'])
  })
}

test('PROV-8 an order that was never sent goes to another provider, one that was sent does not', async () => {
  const { provider, pay, platform, settles } = await railsSetup(kit)
  const sent = await pay()
  await provider.orderOf(sent)
  await operate(kit, `providers update ${provider.id} --status PAUSED`)
  await kit.florin.deps.providers.refresh()
  const queued = await pay()
  const { platformId } = platform
  const selectors = `--environment SANDBOX --platform ${platformId} --rail ACH --ports rails`
  const other = await scriptedProvider(kit, selectors)
  other.answer(({ body }) => ({ json: { state: 'SETTLED', amount: body['amount'] } }))
  const orderOf = async (id: string) =>
    text(items(await operate(kit, `orders list --transaction ${id}`))[0]?.['orderId'])
  const refused = operate(kit, `orders reassign ${await orderOf(sent)} --provider ${other.id}`)
  await assert.rejects(refused, { code: 'CONFLICT' })
  await operate(kit, `orders reassign ${await orderOf(queued)} --provider ${other.id}`)
  await settles(queued, 'COMPLETED')
})

const ACH = { accountType: 'USD_ACCOUNT', rail: 'ACH' }

test('PROV-50 a cancellation is asked of the provider, whose word decides', async () => {
  const { provider, pay, transaction, balance, platform } = await railsSetup(kit, '', ACH)
  const cancel = (id: string) => platform.api.post(`/transactions/${id}/cancel`)
  const first = await pay()
  await provider.orderOf(first)
  await accepted(first)
  provider.answer(() => ({ json: { state: 'CANCELLED' } }))
  const cancelled = expectStatus(await cancel(first), 200)
  assert.equal(cancelled.status, 'FAILED')
  assert.equal(cancelled.refund?.reason, 'USER_CANCELLATION')
  assert.equal(await balance(), 100_000)
  provider.answer(({ path }) => ({
    json: path.endsWith('/cancel') ? { state: 'SENT' } : { state: 'ACCEPTED', reference: 'A2' },
  }))
  const second = await pay()
  await provider.orderOf(second)
  await accepted(second)
  expectError(await cancel(second), 409, 'TRANSACTION_NOT_CANCELLABLE')
  assert.equal((await transaction(second)).status, 'PROCESSING')
  provider.answer(({ path }) =>
    path.endsWith('/cancel') ? 'reset' : { json: { state: 'ACCEPTED', reference: 'A3' } },
  )
  const third = await pay()
  const order = await provider.orderOf(third)
  await accepted(third)
  const unknown = await cancel(third)
  expectError(unknown, 503, 'SERVICE_UNAVAILABLE')
  assert.equal(unknown.headers.get('retry-after'), '10')
  assert.equal((await provider.report(order, 1, { state: 'CANCELLED' }))['result'], 'APPLIED')
  assert.equal((await transaction(third)).refund?.reason, 'USER_CANCELLATION')
})

test('PROV-50 an order that was never sent is cancelled without asking', async () => {
  const { provider, pay, platform, balance } = await railsSetup(kit, '', ACH)
  await operate(kit, `providers update ${provider.id} --status PAUSED`)
  await kit.florin.deps.providers.refresh()
  const id = await pay()
  const body = expectStatus(await platform.api.post(`/transactions/${id}/cancel`), 200)
  assert.equal(body.status, 'FAILED')
  assert.equal(await balance(), 100_000)
  assert.equal(provider.received.length, 0)
  const [order] = items(await operate(kit, `orders list --transaction ${id}`))
  assert.equal(order?.['state'], 'FAILED')
})

test('PROV-51 a payment from an account outside is pulled first and paid out then, by two orders', async () => {
  const { provider, platform, settles } = await railsSetup(kit)
  const { customerId } = await payer(platform)
  const from = await payee(platform, 'USD_ACCOUNT', { customerId })
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  provider.answer(({ body }) => ({ json: { state: 'SETTLED', amount: body['amount'] } }))
  const made = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
  expectStatus(await platform.api.post(`/quotes/${made.id}/execute`), 200)
  const id = made.transactionId
  await settles(id, 'COMPLETED')
  assert.deepEqual(
    provider.orders().map(({ type }) => text(type)),
    ['PULL', 'PAYOUT'],
  )
})

test('PROV-51 QUOTE-3 nothing is pulled from accounts that the provider does not declare', async () => {
  const platform = await kit.platform()
  await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports rails`,
  )
  const { customerId, account } = await payer(platform)
  const from = await payee(platform, 'USD_ACCOUNT', { customerId })
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const details = expectError(
    await quote(platform, { from, to, amount: 10_000 }),
    400,
    'INVALID_BANK_ACCOUNT',
  )
  assert.deepEqual(details, { reason: 'NOT_PULLABLE' })
  const transfer = { source: { accountId: from }, destination: { accountId: account }, amount: 500 }
  expectError(await platform.api.post('/transfer-in', transfer), 400, 'INVALID_BANK_ACCOUNT')
})

test('PROV-55 a transfer-in is collected by the provider, and completes when it is', async () => {
  const { provider, platform, settles, balance, account } = await railsSetup(kit)
  const from = await payee(platform, 'USD_ACCOUNT')
  const body = {
    source: { accountId: from },
    destination: { accountId: account },
    amount: 5_000,
  }
  const created = await platform.api.post('/transfer-in', body)
  const id = expectStatus(created, 201).id
  const order = await provider.orderOf(id)
  assert.equal(order['type'], 'COLLECTION')
  await provider.report(order, 1, { ...SETTLED, amount: { amount: 5_000, currency: 'USD' } })
  await settles(id, 'COMPLETED')
  assert.equal(await balance(), 105_000)
})
