/** Payments through a network that fails by seed. `npm run faults` runs more of them; FAULT_SEED repeats a run. */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'node:test'
import { newUuid } from '../../src/kernel/ids.ts'
import { signMessage, verifyMessage } from '../../src/providers/http/sign-message.ts'
import { expectStatus, items, text, type Body } from '../kit/api.ts'
import { startOwnKit } from '../kit/florin.ts'
import { operate } from '../kit/operator.ts'
import { serveHttp } from '../kit/outside/loopback-server.ts'
import { payee, payer, quote, readTransaction } from '../kit/payments.ts'
import { startFaultProxy } from '../kit/processes/fault-proxy.ts'
import { randomFrom } from '../kit/random-from.ts'

const SEED = Number(process.env['FAULT_SEED'] ?? Math.floor(Date.now() / 1_000))
const PAYMENTS = Number(process.env['FAULT_PAYMENTS'] ?? 40)
const FAULT_PERCENT = 40
const REPORT_AGAIN_MS = 20

const kit = await startOwnKit()

type Outcome = 'SETTLED' | 'FAILED' | 'RETURNED'
type Booked = { outcome: Outcome; amount: Body; reports: object[] }

/** What becomes of an order, and all that is reported of it. */
function begin(order: Body, random: (below: number) => number): Booked {
  const outcome: Outcome =
    (['SETTLED', 'SETTLED', 'FAILED', 'RETURNED'] as const)[random(4)] ?? 'SETTLED'
  const orderId = text(order['id'])
  const amount = order['amount'] as Body
  const at = new Date().toISOString()
  const said = (sequence: number, state: string, more: object = {}) => ({
    orderId,
    sequence,
    state,
    at,
    ...more,
  })
  const settled = said(2, 'SETTLED', { amount })
  const reports =
    outcome === 'FAILED'
      ? [said(1, 'SENT'), said(2, 'FAILED', { reason: 'ACCOUNT_CLOSED' })]
      : [
          said(1, 'SENT'),
          settled,
          ...(outcome === 'RETURNED' ? [said(3, 'RETURNED', { amount, returnId: 'r1' })] : []),
        ]
  return { outcome, amount, reports }
}

/** A provider that is right: one payout per order id, whatever is repeated, and reports until they are taken. */
async function startBank(seed: number) {
  const random = randomFrom(seed)
  const book = new Map<string, Booked>()
  let secret = ''
  let reportsTo = ''
  const reporting = new Set<Promise<void>>()

  const report = async (one: object): Promise<void> => {
    const body = JSON.stringify({ reports: [one] })
    const id = newUuid()
    for (;;) {
      const headers = signMessage({ id, at: new Date(), body }, [secret])
      const answer = await fetch(reportsTo, { method: 'POST', headers, body }).catch(
        () => undefined,
      )
      const isTaken = answer?.status === 200 && (await isResult(answer))
      if (isTaken) return
      await delay(REPORT_AGAIN_MS)
    }
  }
  const { url } = await serveHttp((request, response) => {
    void buffer(request).then((bytes) => {
      const send = (status: number, json: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(json))
      }
      const message = { headers: request.headers, body: bytes }
      if (!verifyMessage(message, { secrets: [secret], now: new Date() })) return send(401, {})
      if (request.method === 'GET') {
        const id =
          decodeURIComponent(request.url ?? '')
            .split('/')
            .at(-1) ?? ''
        const found = book.get(id)
        if (!found) return send(404, { state: 'NOT_FOUND', id })
        const { reports } = found
        return send(200, { id, state: 'ACCEPTED', sequence: reports.length, reports })
      }
      const order = JSON.parse(bytes.toString('utf8')) as Body
      const id = text(order['id'])
      if (!book.has(id)) {
        const booked = begin(order, random)
        book.set(id, booked)
        // Out of order as well: each report is a message of its own.
        for (const one of booked.reports.toSorted(() => random(2) - 0.5)) {
          const sent = report(one)
          reporting.add(sent)
          void sent.finally(() => reporting.delete(sent))
        }
      }
      return send(200, { state: 'ACCEPTED', reference: `R-${id.slice(-12)}` })
    })
  })
  return {
    url,
    book,
    connect: (given: Readonly<{ secret: string; reportsTo: string }>) =>
      void ({ secret, reportsTo } = given),
    isQuiet: () => reporting.size === 0,
  }
}

async function isResult(answer: Response): Promise<boolean> {
  const body = (await answer.json().catch(() => ({}))) as { results?: unknown }
  return Array.isArray(body.results)
}

const STATUS: Readonly<Record<Outcome, string>> = {
  SETTLED: 'COMPLETED',
  FAILED: 'FAILED',
  RETURNED: 'FAILED',
}

test('PROV-153 PROV-48 through a network that fails every payment ends as the book of the provider says', async (t) => {
  t.diagnostic(`FAULT_SEED=${SEED} FAULT_PAYMENTS=${PAYMENTS}`)
  const platform = await kit.platform()
  const { account, customerId } = await payer(platform, { funded: PAYMENTS * 10_000 })
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId })
  const bank = await startBank(SEED)
  const outward = await startFaultProxy({
    target: bank.url,
    seed: SEED,
    percent: FAULT_PERCENT,
    delayMsMax: 50,
  })
  const inward = await startFaultProxy({
    target: new URL(kit.baseUrl).origin,
    seed: SEED + 1,
    percent: FAULT_PERCENT,
    delayMsMax: 50,
  })
  const line = `providers add --name bank-${newUuid().slice(24)} --kind http --url ${outward.url} --max-in-flight 32`
  const rest = ` --environment SANDBOX --platform ${platform.platformId} --ports rails --window 3600`
  const added = await operate(kit, `${line}${rest}`)
  await kit.florin.deps.providers.refresh()
  const reportsTo = `${inward.url}/providers/${text(added['providerId'])}/reports`
  bank.connect({ secret: text(added['secret']), reportsTo })

  const paid: string[] = []
  for (let n = 0; n < PAYMENTS; n += 1) {
    const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
    expectStatus(await platform.api.post(`/quotes/${text(made['id'])}/execute`), 200)
    paid.push(text(made['transactionId']))
  }
  const advance = async (advanceSeconds: number): Promise<void> =>
    void expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds }), 200)
  const open = async (): Promise<readonly Body[]> => {
    const listed = ['QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT'].map((state) =>
      operate(kit, `orders list --platform ${platform.platformId} --state ${state} --limit 200`),
    )
    return (await Promise.all(listed)).flatMap((list) => items(list))
  }
  for (let round = 0; (await open()).length > 0 || !bank.isQuiet(); round += 1) {
    for (const order of await open()) assert.ok(order['waitingFor'], 'it says what it waits for')
    assert.ok(round < 200, 'all of them end')
    if (round === 100) [outward, inward].forEach((proxy) => proxy.heal())
    await advance(30)
    await delay(REPORT_AGAIN_MS)
  }
  t.diagnostic(`${outward.met().length + inward.met().length} faults`)
  assert.ok(outward.met().length + inward.met().length > PAYMENTS / 2)

  assert.equal(bank.book.size, PAYMENTS, 'no payment was ordered twice, none was lost')
  const orders = new Map<string, string>()
  for (const id of paid) {
    const [order, ...others] = items(await operate(kit, `orders list --transaction ${id}`))
    assert.equal(others.length, 0)
    orders.set(id, text(order?.['orderId']))
  }
  for (const id of paid) {
    const booked = bank.book.get(orders.get(id) ?? '')
    const transaction = await readTransaction(platform, id)
    assert.equal(text(transaction['status']), STATUS[booked?.outcome ?? 'SETTLED'], booked?.outcome)
  }
  const exceptions = items(await operate(kit, `exceptions list --platform ${platform.platformId}`))
  assert.deepEqual(exceptions, [], 'a provider that is right leaves nothing to an operator')
})
