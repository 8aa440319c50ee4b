import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { railsSetup } from '../../../test/kit/setups/rails.ts'

const kit = await startOwnKit()

const SENT = { state: 'SENT' }
const SETTLED = { state: 'SETTLED', amount: { amount: 9_154, currency: 'EUR' } }

const back = (amount: number, returnId: string) => ({
  state: 'RETURNED',
  amount: { amount, currency: 'EUR' },
  returnId,
})

/** A payment that its provider has accepted, and what the provider does about it from then on. */
async function accepted(payout?: Parameters<typeof railsSetup>[2]) {
  const s = await railsSetup(kit, '', payout)
  const id = await s.pay()
  const order = await s.provider.orderOf(id)
  await eventually(async () => assert.equal((await shown())['state'], 'ACCEPTED'))
  const at = new Date().toISOString()

  async function shown() {
    return operate(kit, `orders show ${text(order['id'])}`)
  }
  return {
    ...s,
    id,
    orderId: text(order['id']),
    shown,
    /** Equal for equal arguments, as a report that is repeated is. */
    report: async (sequence: number, said: object) =>
      text((await s.provider.report(order, sequence, { at, ...said }))['result']),
    /** From now on the provider lists these when it is asked. */
    lists: (state: string, ...said: readonly object[]) => {
      const reports = said.map((one, index) => ({
        orderId: order['id'],
        sequence: index + 1,
        at,
        ...one,
      }))
      const json = { id: order['id'], state, sequence: reports.length, reports }
      s.provider.answer(() => ({ json }))
    },
    isSilent: () => s.provider.answer(() => 'reset'),
    /** The last question may be under way when the clock has moved. */
    asked: (times: number) =>
      eventually(() => {
        const asks = s.provider.received.filter(({ method }) => method === 'GET')
        assert.equal(asks.length, times)
      }),
    open: async () => (await s.exceptions()).map(({ type }) => text(type)),
    resolve: async (how: string) => {
      const [open] = await s.exceptions()
      return operate(kit, `exceptions resolve ${text(open?.['exceptionId'])} ${how} --note x`)
    },
    statuses: async () => items((await shown())['reports']).map(({ status }) => text(status)),
  }
}

test('PROV-63 a report that is missing after the end of an order is asked for, and what is listed fills the gap', async () => {
  const { report, lists, advance, asked, settles, id, open, provider } = await accepted()
  assert.equal(await report(1, SETTLED), 'APPLIED')
  assert.equal(await report(3, back(7_154, 'r2')), 'WAITING')
  const removal = operate(kit, `providers remove ${provider.id}`)
  await assert.rejects(removal, { code: 'CONFLICT', details: { openOrders: 1 } })
  lists('RETURNED', SETTLED, back(2_000, 'r1'))
  await advance(90)
  await asked(1)
  assert.equal((await settles(id, 'FAILED')).failureReason, 'PAYOUT_RETURNED')
  await advance(4_000)
  await asked(1)
  assert.deepEqual(await open(), [])
})

test('PROV-63 a report that stays missing after the end of an order is for an operator an hour later', async () => {
  const { report, isSilent, advance, asked, open } = await accepted()
  assert.equal(await report(3, back(7_154, 'r2')), 'WAITING')
  assert.equal(await report(1, SETTLED), 'APPLIED')
  isSilent()
  await advance(3_500)
  await asked(12)
  assert.deepEqual(await open(), [])
  await advance(200)
  assert.deepEqual(await open(), ['REPORT_GAP'])
  assert.equal(await report(2, back(2_000, 'r1')), 'APPLIED')
  assert.deepEqual(await open(), [], 'the report closes it (PROV-71)')
})

for (const [as, status, failureReason] of [
  ['SETTLED', 'COMPLETED', undefined],
  ['FAILED', 'FAILED', 'QUOTE_EXECUTION_FAILED'],
  ['IGNORED', 'PROCESSING', undefined],
] as const) {
  test(`PROV-70 PROV-63 a gap resolved as ${as} is given up, and what waited behind it is applied`, async () => {
    const { report, isSilent, advance, resolve, open, transaction, id, statuses, asked } =
      await accepted()
    assert.equal(await report(2, SENT), 'WAITING')
    assert.equal(await report(4, SENT), 'WAITING')
    isSilent()
    await advance(4_000)
    assert.deepEqual(await open(), ['REPORT_GAP'])
    await resolve(`--as ${as}`)
    assert.deepEqual(await statuses(), ['APPLIED', 'APPLIED'])
    const after = await transaction(id)
    assert.deepEqual([after.status, after.failureReason], [status, failureReason])
    await advance(290)
    await asked(14)
    assert.equal(await report(5, SENT), 'APPLIED')
  })
}

test('PROV-70 PROV-61 after a gap was given up reports count as before, also a late one with its number', async () => {
  const { report, isSilent, advance, resolve, transaction, id, balance, shown } = await accepted()
  assert.equal(await report(2, SENT), 'WAITING')
  isSilent()
  await advance(4_000)
  await resolve('--as SETTLED')
  assert.equal(await report(3, SETTLED), 'APPLIED')
  assert.equal(await report(4, back(7_154, 'r2')), 'APPLIED')
  assert.equal((await transaction(id)).status, 'COMPLETED')
  assert.equal(await report(1, back(2_000, 'r1')), 'APPLIED', 'money that came back is never lost')
  assert.equal(await report(1, back(2_000, 'r1')), 'DUPLICATE')
  assert.equal((await transaction(id)).failureReason, 'PAYOUT_RETURNED')
  assert.equal(await balance(), 100_000)
  assert.equal(await report(5, SETTLED), 'APPLIED', 'the late report did not set the numbers back')
  assert.equal((await shown())['state'], 'RETURNED')
})

test('PROV-68 PROV-63 what is missing behind a contradiction is asked for once it is resolved', async () => {
  const { report, isSilent, advance, resolve, asked } = await accepted()
  assert.equal(await report(1, { ...SETTLED, reference: 'Z9' }), 'EXCEPTION')
  assert.equal(await report(3, SETTLED), 'WAITING')
  isSilent()
  await resolve('--as IGNORED')
  await advance(61)
  await asked(1)
})

test('PROV-70 PROV-62 a report that reuses a number is discarded, and the report that has it counts', async () => {
  const { report, resolve, open, transaction, id, statuses } = await accepted()
  const other = { ...SETTLED, fees: [{ amount: 1, currency: 'EUR' }] }
  assert.equal(await report(2, SETTLED), 'WAITING')
  assert.equal(await report(2, other), 'EXCEPTION')
  assert.equal(await report(2, other), 'DUPLICATE')
  assert.deepEqual(await open(), ['SEQUENCE_REUSED'])
  await resolve('--as IGNORED')
  assert.equal(await report(2, other), 'DUPLICATE')
  assert.equal(await report(1, SENT), 'APPLIED')
  assert.equal((await transaction(id)).status, 'COMPLETED')
  assert.deepEqual(await statuses(), ['APPLIED', 'APPLIED'])
  assert.equal(await report(2, SETTLED), 'DUPLICATE')
  assert.deepEqual(await open(), [])
})

test('PROV-68 PROV-70 a return that is reported again under a new number is kept for the operator once, and the number counts', async () => {
  const { report, resolve, open, balance, statuses } = await accepted()
  assert.equal(await report(1, SETTLED), 'APPLIED')
  assert.equal(await report(2, back(1_000, 'r1')), 'APPLIED')
  const credited = await balance()
  assert.equal(await report(3, back(1_000, 'r1')), 'EXCEPTION')
  assert.equal(await report(3, back(1_000, 'r1')), 'DUPLICATE')
  assert.equal(await report(4, back(500, 'r2')), 'WAITING')
  assert.deepEqual(await open(), ['SEQUENCE_REUSED'])
  assert.equal(await balance(), credited)
  await resolve('--as IGNORED')
  assert.deepEqual(await statuses(), ['APPLIED', 'APPLIED', 'DISCARDED', 'APPLIED'])
  assert.ok((await balance()) > credited)
  assert.deepEqual(await open(), [])
})

test('PROV-63 on a slow rail, too, a gap is asked about again after a part of it was filled', async () => {
  const ach = { accountType: 'USD_ACCOUNT', rail: 'ACH' }
  const { report, isSilent, advance, asked, open } = await accepted(ach)
  assert.equal(await report(4, SENT), 'WAITING')
  isSilent()
  await advance(70)
  await asked(1)
  assert.equal(await report(1, SENT), 'APPLIED')
  await advance(300)
  await asked(2)
  await advance(3_600)
  assert.deepEqual(await open(), ['REPORT_GAP'])
})

test('PROV-68 PROV-44 an answer that contradicts the order is for the operator once, and ends the sending', async () => {
  const { provider, pay, advance, exceptions, transaction, balance, settles } =
    await railsSetup(kit)
  provider.answer(() => ({
    json: { state: 'SETTLED', amount: { amount: 9_153, currency: 'EUR' } },
  }))
  const id = await pay()
  await eventually(async () => assert.equal((await exceptions()).length, 1))
  await advance(600)
  const orderId = text((await provider.orderOf(id))['id'])
  const refused = { id: orderId, state: 'REFUSED', reason: 'OTHER', sequence: 0, reports: [] }
  provider.answer(() => ({ json: refused }))
  await advance(3_000)
  assert.deepEqual(
    (await exceptions()).map(({ type }) => text(type)),
    ['AMOUNT_MISMATCH'],
  )
  assert.equal(provider.received.filter(({ method }) => method === 'POST').length, 1)
  assert.equal((await transaction(id)).status, 'PROCESSING')
  assert.equal(await balance(), 90_000)
  const [open] = await exceptions()
  await operate(kit, `exceptions resolve ${text(open?.['exceptionId'])} --as IGNORED --note x`)
  await advance(900)
  await settles(id, 'FAILED')
})

test('PROV-63 PROV-44 a provider that has reported an order is asked for it, and not sent it again', async () => {
  const { provider, pay, advance, settles, exceptions, balance } = await railsSetup(kit)
  provider.answer(() => 'reset')
  const id = await pay()
  const order = await provider.orderOf(id)
  assert.equal((await provider.report(order, 2, SETTLED))['result'], 'WAITING')
  const first = { orderId: order['id'], sequence: 1, state: 'SENT', at: new Date().toISOString() }
  provider.answer(({ method }) =>
    method === 'POST'
      ? { json: { state: 'REFUSED', reason: 'INVALID_ORDER' } }
      : { json: { id: order['id'], state: 'SENT', sequence: 1, reports: [first] } },
  )
  const sent = provider.received.length
  await advance(61)
  await settles(id, 'COMPLETED')
  assert.deepEqual(
    provider.received.slice(sent).map(({ method }) => method),
    ['GET'],
  )
  assert.deepEqual([await exceptions(), await balance()], [[], 90_000])
})
