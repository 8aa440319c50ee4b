/** What operators see of a provider: an order that waits, statements that contradict, a provider that is silent. */
import assert from 'node:assert/strict'
import { items, text, type Body } from '../api.ts'
import { eventually } from '../eventually.ts'
import type { Kit } from '../florin.ts'
import { operate } from '../operator.ts'
import { railsSetup, type RailsSetup } from './rails.ts'

const AMOUNT = { amount: 9_154, currency: 'EUR' }

/** The order of a payment, as operators see it, once it is in this state. */
export const orderInState = (kit: Kit, transactionId: string, state: string): Promise<Body> =>
  eventually(async () => {
    const [order] = items(await operate(kit, `orders list --transaction ${transactionId}`))
    assert.equal(order?.['state'], state)
    return order
  })

/** A payment that its provider called settled, with a fee, and then failed. */
export async function failedAfterSettled(
  kit: Kit,
): Promise<RailsSetup & { transactionId: string }> {
  const rails = await railsSetup(kit)
  const transactionId = await rails.pay()
  const order = await rails.provider.orderOf(transactionId)
  await orderInState(kit, transactionId, 'ACCEPTED')
  const fees = [{ amount: 12, currency: 'EUR', description: 'instant credit transfer' }]
  const settled = { state: 'SETTLED', amount: AMOUNT, fees, proofs: { trace: 'T-77' } }
  await rails.provider.report(order, 1, settled)
  await rails.provider.report(order, 2, { state: 'FAILED', reason: 'ACCOUNT_CLOSED' })
  return { ...rails, transactionId }
}

/** A payment that its provider refused, so that it was refunded, and then called settled. */
export async function settledAfterFailed(
  kit: Kit,
): Promise<RailsSetup & { transactionId: string }> {
  const rails = await railsSetup(kit)
  rails.provider.answer(() => ({ json: { state: 'REFUSED', reason: 'ACCOUNT_CLOSED' } }))
  const transactionId = await rails.pay()
  await rails.settles(transactionId, 'FAILED')
  const order = await rails.provider.orderOf(transactionId)
  await rails.provider.report(order, 1, { state: 'SETTLED', amount: AMOUNT })
  return { ...rails, transactionId }
}

const UNANSWERED = 10

/** A provider that has answered nothing for so long that orders to it wait. */
export async function silentProvider(kit: Kit): Promise<RailsSetup & { transactionId: string }> {
  const rails = await railsSetup(kit)
  rails.provider.answer(() => 'reset')
  const transactionId = await rails.pay()
  const order = text((await orderInState(kit, transactionId, 'UNKNOWN'))['orderId'])
  for (let asked = 1; asked < UNANSWERED; asked += 1) await operate(kit, `orders ask ${order}`)
  return { ...rails, transactionId }
}
