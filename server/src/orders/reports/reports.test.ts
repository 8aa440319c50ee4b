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
