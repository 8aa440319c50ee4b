import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../test/kit/api.ts'
import { startOwnKit, type TestPlatform } from '../../test/kit/florin.ts'
import { operate } from '../../test/kit/operator.ts'
import { balanceOf, eventTypesOf, payee, payer, quote } from '../../test/kit/payments.ts'
import { railsSetup } from '../../test/kit/setups/rails.ts'
import { quotePayout, type PayoutStep } from '../providers/rails/sandbox-outcomes.ts'

const kit = await startOwnKit()

const EUROS = { amount: { amount: 9_154, currency: 'EUR' } }
/** What a provider says where the sandbox fails a payment for this reason (PROV-49). */
const REASONS: Readonly<Record<string, string>> = {
  QUOTE_EXECUTION_FAILED: 'OTHER',
  COUNTERPARTY_POST_TX_FAILED: 'RAIL_UNAVAILABLE',
}

/** A step of the sandbox as a report. */
function reportOf(step: PayoutStep): object {
  switch (step.event) {
    case 'process':
      return { state: 'SENT' }
    case 'complete':
      return { state: 'SETTLED', ...EUROS }
    case 'fail':
      return { state: 'FAILED', reason: REASONS[step.reason] }
    case 'return':
      return { state: 'RETURNED', ...EUROS, returnId: 'r1' }
  }
}

async function outcomeOf(platform: TestPlatform, id: string, account: string): Promise<unknown> {
  const read = await platform.api.get(`/transactions/${id}`)
  const { status, failureReason, refund } = expectStatus(read, 200)
  const events = await eventTypesOf(platform, id)
  const balance = await balanceOf(platform, account)
  const refunded = [refund?.status, refund?.reason]
  return { status, failureReason, refunded, events, balance }
}

/** The outcome of a payment that the built-in sandbox carries, and how many orders there are for it. */
async function inSandbox(suffix: string) {
  const platform = await kit.platform()
  const { account, customerId } = await payer(platform)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId, suffix })
  const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
  expectStatus(await platform.api.post(`/quotes/${made.id}/execute`), 200)
  expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds: 400 }), 200)
  const orders = items(await operate(kit, `orders list --platform ${platform.platformId}`))
  const outcome = await outcomeOf(platform, made.transactionId, account)
  return { outcome, orders: orders.length }
}

/** The same by a provider outside that reports the steps of the sandbox. */
async function outside(suffix: string): Promise<unknown> {
  const { platform, provider, account, pay } = await railsSetup(kit)
  const id = await pay()
  const order = await provider.orderOf(id)
  for (const [index, step] of quotePayout(suffix).entries()) {
    const result = await provider.report(order, index + 1, reportOf(step))
    assert.equal(text(result['result']), 'APPLIED')
  }
  return outcomeOf(platform, id, account)
}

for (const suffix of ['000', '002', '003', '004', '005']) {
  test(`PROV-11 a payment to ${suffix} ends in the sandbox as by reports of a provider, without an order of its own`, async () => {
    const { outcome, orders } = await inSandbox(suffix)
    assert.deepEqual(outcome, await outside(suffix))
    assert.equal(orders, 0)
  })
}
