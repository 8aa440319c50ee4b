/**
 * Payments through a network that fails by seed, between a service and a bank that are killed by seed. `npm run faults`
 * runs a thousand of them; FAULT_SEED=… npm run faults repeats a run.
 */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'node:test'
import { checkLedger } from '../../../src/ledger/reports/check-ledger.ts'
import { expectStatus, items, text, type Body } from '../../kit/api.ts'
import { eventually } from '../../kit/eventually.ts'
import type { TestPlatform } from '../../kit/florin.ts'
import { operate } from '../../kit/operator.ts'
import { balanceOf, platformAccount, quoteBody, readTransaction } from '../../kit/payments.ts'
import type { BookedOrder } from '../../kit/processes/bank-book.ts'
import { startFaultProxy } from '../../kit/processes/fault-proxy.ts'
import { openPacedKit, type Immortal } from '../../kit/processes/paced-kit.ts'
import { openProductionAccount, productionBank } from '../../kit/setups/production.ts'
import { randomFrom } from '../../kit/random/random-from.ts'

const SEED = Number(process.env['FAULT_SEED'] ?? Math.floor(Date.now() / 1_000))
const PAYMENTS = Number(process.env['FAULT_PAYMENTS'] ?? 40)
/** How often time runs faster than the machine's: attempts after 5, 20, 65 … s are repeated soon. */
const PACE = 20
const DELAY_MS_MAX = 30_000 / PACE
const FAULT_PERCENT = 33
/** A service starts in seconds, so parties are killed once in so many payments. */
const PAYMENTS_PER_KILL = 40
const AT_ONCE = 8
/** More are made where the seed was kind, until there were faults enough. */
const PAYMENTS_MAX = PAYMENTS * 5
const FUNDED = PAYMENTS_MAX * 10_000
const WITHIN_MS = 60_000 + PAYMENTS * 1_500

/** Until a party runs. */
const NOWHERE = 'http://127.0.0.1:1'

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
  return made.transactionId
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
  // What an operator is asked about while reports are missing closes by itself: at the end nothing may be open.
  const allowed = isHeard ? ['PROVIDER_REPORT', 'OPERATOR'] : ['PROVIDER_ANSWER', 'CIRCUIT_OPEN']
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

type Parties = Readonly<{
  service: Immortal
  bank: Immortal
  faults(): number
  /** As many faults as payments, and both parties were killed. */
  isEnough(): boolean
  heal(): void
}>

/** Service and bank with a network between them that fails by seed, and kills either. `paid` are the payments so far. */
async function startParties(paid: readonly string[]): Promise<Parties> {
  const started: { service?: Immortal; bank?: Immortal } = {}
  const killing = (party: 'service' | 'bank') => (): boolean => {
    const kills = started[party]?.kills() ?? 0
    return kills * PAYMENTS_PER_KILL <= paid.length && (started[party]?.kill() ?? false)
  }
  const [killService, killBank] = [killing('service'), killing('bank')]
  const proxied = { target: NOWHERE, percent: FAULT_PERCENT, delayMsMax: DELAY_MS_MAX }
  const outward = await startFaultProxy({
    ...{ ...proxied, seed: SEED },
    ...{ killCaller: killService, killTarget: killBank },
  })
  const inward = await startFaultProxy({
    ...{ ...proxied, seed: SEED + 1 },
    ...{ killCaller: killBank, killTarget: killService },
  })
  const registered = { url: outward.url, options: '--max-in-flight 32', seed: SEED }
  const bank = (started.bank = await kit.startBank(registered, outward.leadTo))
  const service = (started.service = await kit.startService(inward.url, inward.leadTo))
  const faults = (): number => outward.met().length + inward.met().length
  return {
    service,
    bank,
    faults,
    isEnough: () => faults() >= PAYMENTS && service.kills() > 0 && bank.kills() > 0,
    heal: () => [outward, inward].forEach((proxy) => proxy.setHealthy(true)),
  }
}

/** Several at once; one in ten is called back, whatever the answer: the bank decides, and its book says how. */
async function payAll(paying: Paying, paid: string[], parties: Parties): Promise<void> {
  const cancels = randomFrom(SEED + 2)
  const { api } = paying.platform
  const lines = Array.from({ length: AT_ONCE }, async (_, line) => {
    const goesOn = (n: number): boolean => n < PAYMENTS || (n < PAYMENTS_MAX && !parties.isEnough())
    for (let n = line; goesOn(n); n += AT_ONCE) {
      const id = await pay(paying, n)
      paid.push(id)
      if (cancels(10) === 0) await api.post(`/transactions/${id}/cancel`).catch(() => undefined)
    }
  })
  await Promise.all(lines)
}

/** A payment that has come to its end may still come back; one that was called back does not. */
const hasMoreToSay = ({ course, reports }: BookedOrder): boolean =>
  reports.length < course.length && !reports.some(({ state }) => state === 'CANCELLED')

/** Until no order is open and the bank has nothing more to say. */
async function untilQuiet(platform: TestPlatform, parties: Parties): Promise<void> {
  const startedAt = performance.now()
  for (let open = await listOpen(platform); open.length > 0; open = await listOpen(platform)) {
    open.forEach(mustWaitTruly)
    if (parties.isEnough()) parties.heal()
    const isLate = performance.now() - startedAt > WITHIN_MS
    assert.ok(!isLate, `all of them end: ${JSON.stringify(open[0])}`)
    await delay(100)
  }
  parties.heal()
  await eventually(() => {
    const { orders, unheard } = kit.readBook()
    assert.deepEqual([...orders.values()].filter(hasMoreToSay), [])
    assert.deepEqual(unheard(), [])
  }, WITHIN_MS)
  await Promise.all([parties.service.running(), parties.bank.running()])
}

/** Holds every payment against the bank's book; what all of them have cost. */
async function compareBooks(platform: TestPlatform, paid: readonly string[]): Promise<number> {
  const { orders, wrong } = kit.readBook()
  assert.deepEqual(wrong, [], 'the bank saw nothing that it must not see')
  const booked = new Map([...orders.values()].map((order) => [order.transactionId, order]))
  assert.equal(orders.size, booked.size, 'no payment was ordered twice')
  assert.equal(new Set(paid).size, paid.length, 'each was made once')
  let spent = 0
  for (const id of paid) {
    const [order, ...others] = items(await operate(kit, `orders list --transaction ${id}`))
    assert.equal(others.length, 0)
    const known = booked.get(id)
    // One that was called back before it was sent never came to the bank.
    if (!known) assert.equal(order?.['failureReason'], 'CANCELLED')
    const [status, cost] = known ? bookedEnd(known) : ['FAILED', 0]
    const seen = JSON.stringify({ order, known })
    await eventually(async () =>
      assert.equal((await readTransaction(platform, id)).status, status, seen),
    )
    spent += cost
  }
  return spent
}

test('PROV-153 PROV-48 through all faults and kills every payment ends as the book of the provider says', async (t) => {
  t.diagnostic(`FAULT_SEED=${SEED} FAULT_PAYMENTS=${PAYMENTS}`)
  const paid: string[] = []
  const parties = await startParties(paid)
  const { service, bank } = parties
  const platform = await kit.platform(service)
  const from = await platformAccount(platform, 'USD')
  await openProductionAccount(kit, platform, { id: from, funded: BigInt(FUNDED) })
  const to = await productionBank(kit, platform)

  await payAll({ platform, from, to }, paid, parties)
  await untilQuiet(platform, parties)
  const kills = `${service.kills()} kills of the service, ${bank.kills()} of the bank`
  t.diagnostic(`${paid.length} payments, ${parties.faults()} faults, ${kills}`)
  assert.ok(parties.isEnough(), 'as many faults as payments, and both parties were killed')

  const spent = await compareBooks(platform, paid)
  const exceptions = items(await operate(kit, `exceptions list --platform ${platform.platformId}`))
  assert.deepEqual(exceptions, [], 'a provider that is right leaves nothing to an operator')
  await eventually(async () => assert.equal(await balanceOf(platform, from), FUNDED - spent))
  assert.deepEqual((await checkLedger(kit.florin.deps.db)).problems, [])
})
