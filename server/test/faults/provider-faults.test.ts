/**
 * Payments through a network that fails by seed, between a service and a bank that are killed by seed. `npm run faults`
 * runs a thousand of them; FAULT_SEED=… npm run faults repeats a run.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'node:test'
import { checkLedger } from '../../src/ledger/reports/check-ledger.ts'
import { expectStatus, items, text, type Body } from '../kit/api.ts'
import { eventually } from '../kit/eventually.ts'
import type { TestPlatform } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { balanceOf, platformAccount, quoteBody, readTransaction } from '../kit/payments.ts'
import type { BookedOrder } from '../kit/processes/bank-book.ts'
import { startFaultProxy } from '../kit/processes/fault-proxy.ts'
import { openPacedKit, type Immortal } from '../kit/processes/paced-kit.ts'
import { openProductionAccount, productionBank } from '../kit/setups/production.ts'
import { randomFrom } from '../kit/random-from.ts'

const SEED = Number(process.env['FAULT_SEED'] ?? Math.floor(Date.now() / 1_000))
const PAYMENTS = Number(process.env['FAULT_PAYMENTS'] ?? 40)
/** How often time runs faster than the machine's: attempts after 5, 20, 65 … s are repeated soon. */
const PACE = 20
const DELAY_MS_MAX = 30_000 / PACE
const FAULT_PERCENT = 33
/** A service starts in seconds, so parties are killed once in so many payments. */
const PAYMENTS_PER_KILL = 40
const AT_ONCE = 8
const FUNDED = PAYMENTS * 10_000
const WITHIN_MS = 60_000 + PAYMENTS * 1_500

const kit = await openPacedKit(PACE)

type Paying = Readonly<{ platform: TestPlatform; from: string; to: string }>

/** Each pays another amount, by which the bank decides what becomes of it. */
async function pay({ platform, from, to }: Paying, n: number): Promise<string> {
  const body = quoteBody({ from, to, amount: 1_000 + n, immediatelyExecute: true })
  // A connection that died is no answer; the caller tries again under the same key, as any client should.
  const made = await eventually(async () => {
    const headers = { 'idempotency-key': `payment-${n}` }
    return expectStatus(await platform.api.post('/quotes', body, { headers }), 201)
  }, WITHIN_MS)
  return text(made['transactionId'])
}

const OPEN = ['QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT']

async function listOpen({ platformId }: TestPlatform): Promise<readonly Body[]> {
  const line = `orders list --platform ${platformId} --limit 200 --state`
  const listed = await Promise.all(OPEN.map((state) => operate(kit, `${line} ${state}`)))
  return listed.flatMap((list) => items(list))
}

/** Whether what an order says that it waits for is so. */
function mustWaitTruly(order: Body): void {
  const [state, waitsFor] = [text(order['state']), text(order['waitingFor'])]
  const isHeard = state === 'ACCEPTED' || state === 'SENT'
  const allowed = isHeard ? ['PROVIDER_REPORT'] : ['PROVIDER_ANSWER', 'CIRCUIT_OPEN']
  assert.ok(allowed.includes(waitsFor), `${state} waits for ${waitsFor}`)
}

/** What the platform has to see of a payment, and what it has cost it in the end, by the bank's own book. */
function bookedEnd({ answer, reports, amount }: BookedOrder): readonly [string, number] {
  const states = [answer, ...reports].map(({ state }) => state)
  if (!states.includes('SETTLED')) return ['FAILED', 0]
  const back = reports
    .filter(({ state }) => state === 'RETURNED')
    .reduce((sum, report) => sum + (report['amount'] as { amount: number }).amount, 0)
  return back === amount.amount ? ['FAILED', 0] : ['COMPLETED', amount.amount - back]
}

test('PROV-153 PROV-48 through all faults and kills every payment ends as the book of the provider says', async (t) => {
  t.diagnostic(`FAULT_SEED=${SEED} FAULT_PAYMENTS=${PAYMENTS}`)
  const paid: string[] = []
  const parties: { service?: Immortal; bank?: Immortal } = {}
  const faults = (): number => outward.met().length + inward.met().length
  const isEnough = (): boolean =>
    faults() >= PAYMENTS && Object.values(parties).every((party) => party.kills() > 0)
  const killing = (party: 'service' | 'bank') => (): boolean => {
    const kills = parties[party]?.kills() ?? 0
    return kills * PAYMENTS_PER_KILL <= paid.length && (parties[party]?.kill() ?? false)
  }
  const [killService, killBank] = [killing('service'), killing('bank')]
  const proxied = { target: 'http://127.0.0.1:1', percent: FAULT_PERCENT, delayMsMax: DELAY_MS_MAX }
  const outward = await startFaultProxy({
    ...{ ...proxied, seed: SEED },
    ...{ killCaller: killService, killTarget: killBank },
  })
  const inward = await startFaultProxy({
    ...{ ...proxied, seed: SEED + 1 },
    ...{ killCaller: killBank, killTarget: killService },
  })
  parties.bank = await kit.startBank(
    { url: outward.url, options: '--max-in-flight 32', seed: SEED },
    outward.leadTo,
  )
  const service = await kit.startService(inward.url, inward.leadTo)
  parties.service = service
  const platform = await kit.platform(service)
  const from = await platformAccount(platform, 'USD')
  await openProductionAccount(kit, platform, { id: from, funded: BigInt(FUNDED) })
  const to = await productionBank(kit, platform)

  const cancels = randomFrom(SEED + 2)
  const lines = Array.from({ length: AT_ONCE }, async (_, line) => {
    for (let n = line; n < PAYMENTS; n += AT_ONCE) {
      const id = await pay({ platform, from, to }, n)
      paid.push(id)
      // Whatever is answered: the bank decides, and its book says how.
      if (cancels(10) === 0)
        await platform.api.post(`/transactions/${id}/cancel`).catch(() => undefined)
    }
  })
  await Promise.all(lines)
  const startedAt = performance.now()
  for (let open = await listOpen(platform); open.length > 0; open = await listOpen(platform)) {
    open.forEach(mustWaitTruly)
    const tookMs = performance.now() - startedAt
    if (isEnough()) [outward, inward].forEach((proxy) => proxy.setHealthy(true))
    assert.ok(tookMs < WITHIN_MS, `all of them end: ${JSON.stringify(open[0])}`)
    await delay(100)
  }
  await eventually(() => assert.deepEqual(kit.readBook().unheard(), []), WITHIN_MS)
  await Promise.all([service.running(), parties.bank.running()])
  const kills = `${service.kills()} kills of the service, ${parties.bank.kills()} of the bank`
  t.diagnostic(`${faults()} faults, ${kills}`)
  assert.ok(isEnough(), 'as many faults as payments, and both parties were killed')

  const { orders, wrong } = kit.readBook()
  assert.deepEqual(wrong, [], 'the bank saw nothing that it must not see')
  const booked = new Map([...orders.values()].map((order) => [order.transactionId, order]))
  assert.equal(orders.size, booked.size, 'no payment was ordered twice')
  assert.equal(new Set(paid).size, PAYMENTS, 'each was made once')
  let spent = 0
  for (const id of paid) {
    const [order, ...others] = items(await operate(kit, `orders list --transaction ${id}`))
    assert.equal(others.length, 0)
    const known = booked.get(id)
    // One that was called back before it was sent never came to the bank.
    if (!known) assert.equal(order?.['failureReason'], 'CANCELLED')
    const [status, cost] = known ? bookedEnd(known) : ['FAILED', 0]
    await eventually(async () =>
      assert.equal(
        text((await readTransaction(platform, id))['status']),
        status,
        JSON.stringify({ order, known }),
      ),
    )
    spent += cost
  }
  const exceptions = items(await operate(kit, `exceptions list --platform ${platform.platformId}`))
  assert.deepEqual(exceptions, [], 'a provider that is right leaves nothing to an operator')
  await eventually(async () => assert.equal(await balanceOf(platform, from), FUNDED - spent))
  assert.deepEqual((await checkLedger(kit.florin.deps.db)).problems, [])
})
