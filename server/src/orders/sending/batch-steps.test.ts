import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../test/kit/api.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { railsSetup, type RailsSetup } from '../../../test/kit/setups/rails.ts'
import { invariant } from '../../kernel/invariant.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { orderKinds } from '../../operator/commands/providers/order-kinds.ts'
import { findOrder, saveOrder } from '../store.ts'
import { createBatchRunner } from './batch-steps.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { db } = deps

/** Orders that wait because their provider is paused. */
async function queuedOrders({ provider, pay, platform }: RailsSetup, count: number) {
  await operate(kit, `providers update ${provider.id} --status PAUSED`)
  await deps.providers.refresh()
  for (let n = 0; n < count; n += 1) await pay()
  const listed = items(await operate(kit, `orders list --platform ${platform.platformId}`))
  return listed.map((order) => mustParseId('order', text(order['orderId'])))
}

const orderOf = async (id: Parameters<typeof findOrder>[1]) => {
  const order = await findOrder(db.read, id)
  invariant(order, 'The order is there.')
  return order
}

test('a step that fails leaves the steps that came with it alone', async () => {
  const ids = await queuedOrders(await railsSetup(kit), 4)
  let transactions = 0
  const counting: typeof db = {
    ...db,
    transaction(body, options) {
      transactions += 1
      return db.transaction(body, options)
    },
  }
  const runBatched = createBatchRunner({ deps: { ...deps, db: counting }, kinds: orderKinds })
  const by = { actor: { kind: 'system', name: 'test' } } as const
  const orders = await Promise.all(ids.map(orderOf))
  const run = (failing?: number) =>
    Promise.allSettled(
      orders.map((order, index) =>
        runBatched(order, by, async (locked) => {
          const { work } = locked
          const lastError = `${failing ?? 'none'}/${index}`
          saveOrder(work.tx, { ...locked.order, lastError }, work.now)
          if (index === failing) throw new RangeError('this one')
          return locked.order.id
        }),
      ),
    )
  const errors = async () => (await Promise.all(ids.map(orderOf))).map((one) => one.lastError)
  assert.deepEqual(
    await run(),
    ids.map((value) => ({ status: 'fulfilled', value })),
  )
  assert.equal(transactions, 1)
  const outcomes = await run(2)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await errors(), ['2/0', '2/1', 'none/2', '2/3'])
})

test('PROV-42 PROV-45 orders that become due at once are sent once each, and none before it is recorded as begun', async () => {
  const setup = await railsSetup(kit)
  const { provider } = setup
  const ids = await queuedOrders(setup, 8)
  const begun: unknown[] = []
  provider.answer(async ({ body }) => {
    const { state, attempts } = await orderOf(mustParseId('order', text(body['id'])))
    begun.push([state, attempts])
    return { json: { state: 'ACCEPTED', reference: 'A1' } }
  })
  await operate(kit, `providers update ${provider.id} --status ENABLED`)
  await deps.providers.refresh()
  deps.wake('orders')
  await eventually(async () => {
    const rows = await db.read.many(
      sql`select state, attempts, reference, leased_until from provider_orders where id = any(${ids}::uuid[])`,
    )
    const recorded = { state: 'ACCEPTED', attempts: 1, reference: 'A1', leasedUntil: null }
    assert.deepEqual(
      rows,
      ids.map(() => recorded),
    )
  })
  assert.deepEqual(
    begun,
    ids.map(() => ['UNKNOWN', 1]),
  )
  assert.equal(provider.received.length, ids.length)
})
