/** The service dies between a call to its bank and the answer. `npm run faults -- kills` kills it twenty times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../../../src/ledger/reports/check-ledger.ts'
import { expectStatus, items, type Body } from '../../kit/api.ts'
import { eventually } from '../../kit/eventually.ts'
import { operate } from '../../kit/operator.ts'
import { balanceOf, platformAccount, quoteBody, readTransaction } from '../../kit/payments.ts'
import { startFaultProxy } from '../../kit/processes/fault-proxy.ts'
import { openPacedKit, type Immortal } from '../../kit/processes/paced-kit.ts'
import { openProductionAccount, productionBank } from '../../kit/setups/production.ts'

const KILLS = Number(process.env['FAULT_KILLS'] ?? 2)
/** Ten calls in a row without an answer would end the sending: then the orders are asked for instead (PROV-141). */
const KILLS_IN_A_ROW = Math.min(KILLS / 2, 8)
const PACE = 20
const AMOUNT = 100
const FUNDED = 1_000_000
const PAYMENTS_PER_KILL = 3
const WITHIN_MS = 60_000

const kit = await openPacedKit(PACE)

async function orderOf(id: string): Promise<Body> {
  const [order, ...others] = items(await operate(kit, `orders list --transaction ${id}`))
  assert.ok(order && others.length === 0, 'one order for each payment')
  return order
}

test('PROV-143 PROV-48 a service that dies between call and answer pays once, and goes on with what waits', async (t) => {
  const wanted = { kills: 0 }
  const parties: { service?: Immortal } = {}
  const killService = (): boolean =>
    (parties.service?.kills() ?? 0) < wanted.kills && (parties.service?.kill() ?? false)
  const anywhere = { target: 'http://127.0.0.1:1', seed: 1, percent: 100 }
  const killing = { faults: ['KILL_CALLER'], killCaller: killService } as const
  const outward = await startFaultProxy({ ...anywhere, ...killing })
  const inward = await startFaultProxy({ ...anywhere, faults: ['DROP_REQUEST'] })
  // One at a time, so that the others are still queued when the service dies.
  await kit.startBank({ url: outward.url, options: '--max-in-flight 1' }, outward.leadTo)
  const service = await kit.startService(inward.url, inward.leadTo)
  parties.service = service
  const platform = await kit.platform(service)
  const from = await platformAccount(platform, 'USD')
  await openProductionAccount(kit, platform, { id: from, funded: BigInt(FUNDED) })
  const to = await productionBank(kit, platform)
  const paid: string[] = []

  /** Each payment finds the service dead or alive; the key makes one of all tries. */
  const pay = async (): Promise<void> => {
    const headers = { 'idempotency-key': `payment-${paid.length}` }
    const body = quoteBody({ from, to, amount: AMOUNT, immediatelyExecute: true })
    const made = await eventually(
      async () => expectStatus(await platform.api.post('/quotes', body, { headers }), 201),
      WITHIN_MS,
    )
    paid.push(made.transactionId)
  }
  const killOnce = async (): Promise<void> => {
    wanted.kills += 1
    for (let count = 0; count < PAYMENTS_PER_KILL; count += 1) await pay()
    await eventually(() => assert.equal(service.kills(), wanted.kills), WITHIN_MS)
    await service.running()
  }
  const all = (check: (id: string) => Promise<void>): Promise<unknown> =>
    eventually(() => Promise.all(paid.map(check)), WITHIN_MS)

  // Nothing is heard of the bank but its answers: the orders are repeated until there is one.
  for (let kill = 0; kill < KILLS_IN_A_ROW; kill += 1) await killOnce()
  outward.setHealthy(true)
  await all(async (id) => assert.equal((await orderOf(id))['state'], 'ACCEPTED'))
  const attempts = await Promise.all(
    paid.map(async (id) => Number((await orderOf(id))['attempts'])),
  )
  const repeated = attempts.reduce((sum, count) => sum + count - 1, 0)
  assert.ok(repeated >= wanted.kills, 'each lost answer cost an attempt')
  inward.setHealthy(true)
  const settles = (): Promise<unknown> =>
    all(async (id) => assert.equal((await readTransaction(platform, id)).status, 'COMPLETED'))
  await settles()
  // Its reports are heard, also of orders whose answer was lost.
  outward.setHealthy(false)
  while (wanted.kills < KILLS) await killOnce()
  outward.setHealthy(true)
  await settles()
  t.diagnostic(`${service.kills()} kills, ${paid.length} payments`)

  const { orders, wrong } = kit.readBook()
  assert.deepEqual(wrong, [])
  const booked = [...orders.values()].map(({ transactionId }) => transactionId)
  assert.deepEqual(booked.toSorted(), paid.toSorted(), 'each payment was paid once')
  assert.equal(await balanceOf(platform, from), FUNDED - paid.length * AMOUNT)
  assert.deepEqual((await checkLedger(kit.florin.deps.db)).problems, [])
})
