import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, items, type Body } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { connect, openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { startCollector, type ReceivedSpan } from '../../../../test/kit/outside/trace-collector.ts'
import { payee, payer, quote } from '../../../../test/kit/payments.ts'
import { railsSetup } from '../../../../test/kit/setups/rails.ts'
import { sql } from '../../db/statement/sql.ts'
import { addMs, DAY_MS } from '../../../kernel/clock.ts'
import { pruneCarried } from './carried-traces.ts'

const collector = await startCollector()
const kit = await startOwnKit({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=key-of-the-collector',
})

const newCaller = (flags = '01') => {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

const below = (spans: readonly ReceivedSpan[], parent: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)

const named = (spans: readonly ReceivedSpan[], name: string | RegExp): ReceivedSpan => {
  const found = spans.find((span) =>
    typeof name === 'string' ? span.name === name : name.test(span.name),
  )
  assert.ok(found, `${String(name)} is one of: ${spans.map((span) => span.name).join(', ')}`)
  return found
}

const attribute = ({ attributes }: ReceivedSpan, wanted: string): string | undefined =>
  Object.values(attributes.find(({ key }) => key === wanted)?.value ?? {})[0]

test('OPER-140 OPER-141 a payment is one trace from the caller to the batch, its statements, the provider and the webhook', async () => {
  const { platform, provider, account } = await railsSetup(kit)
  const receiver = await openReceiver()
  await connect(platform, receiver, '/secret-path-of-the-platform')
  const to = await payee(platform, 'EUR_ACCOUNT')
  const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
  const caller = newCaller()
  const executed = await platform.api.post(`/quotes/${made.id}/execute`, undefined, {
    headers: caller.headers,
  })
  expectStatus(executed, 200)
  await provider.orderOf(made.transactionId)
  const spans = await eventually(() => {
    const found = collector.ofTrace(caller.traceId)
    named(found, 'webhook attempt')
    // A span is sent when it has ended, so after those below it.
    named(found, /^order/)
    return found
  })
  const request = named(spans, 'POST /2025-10-13/quotes/:quoteId/execute')
  assert.equal(request.parentSpanId, caller.spanId)
  assert.equal(attribute(request, 'http.response.status_code'), '200')
  assert.equal(attribute(request, 'florin.platform_id'), platform.platformId)
  const batch = named(below(spans, request), 'lane batch')
  const link = ({ traceId, spanId }: ReceivedSpan) => ({ traceId, spanId })
  assert.deepEqual(batch.links, [link(request)])
  assert.deepEqual(request.links, [link(batch)])
  const statements = below(spans, batch)
  const written = named(statements, / ledger_/)
  assert.match(attribute(written, 'db.query.text') ?? '', /\$1/)
  named(statements, 'COMMIT')
  const call = named(spans, 'provider call')
  assert.match(attribute(call, 'florin.provider') ?? '', /^p-/)
  const order = named(spans, 'order PAYOUT')
  assert.equal(call.parentSpanId, order.spanId)
  const attempt = named(spans, 'webhook attempt')
  assert.equal(attribute(attempt, 'http.response.status_code'), '200')
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    assert.ok(BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano))
})

test('OPER-141 no secret, body or personal data leaves with a trace', async () => {
  const platform = await kit.platform()
  const caller = newCaller()
  const fullName = 'Ottilie Unmistakable'
  const body = { customerType: 'INDIVIDUAL', region: 'US', fullName, email: 'o@unmistakable.test' }
  await platform.api.post('/customers', body, { headers: caller.headers })
  await platform.api.get('/receiver/uma/$ottilie@unmistakable.test', { headers: caller.headers })
  await eventually(() => named(collector.ofTrace(caller.traceId), /receiver/))
  const sent = collector.text()
  for (const word of ['nmistakable', platform.clientSecret, 'secret-path', 'key-of-the-collector'])
    assert.ok(!sent.includes(word), `${word} is not in any span`)
  assert.ok(collector.keys.every((key) => key === 'key-of-the-collector'))
})

test('OPER-140 a batch names every request that it serves', async () => {
  const platform = await kit.platform()
  const { account } = await payer(platform)
  const to = await payee(platform, 'USD_ACCOUNT')
  const callers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const caller = newCaller()
      const asked = { from: account, to, amount: 100 }
      const { id } = expectStatus(await quote(platform, asked), 201)
      return { ...caller, id }
    }),
  )
  await Promise.all(
    callers.map(({ id, headers }) =>
      platform.api.post(`/quotes/${id}/execute`, undefined, { headers }),
    ),
  )
  await eventually(() => {
    const served = collector.spans().filter(({ name }) => name === 'lane batch')
    const linked = new Set(served.flatMap(({ links = [] }) => links.map(({ traceId }) => traceId)))
    for (const { traceId } of callers) assert.ok(linked.has(traceId))
  })
})

test('OPER-140 a caller that does not trace is not traced, and one with a malformed header begins a trace', async () => {
  const { api } = await kit.platform()
  const silent = newCaller('00')
  await api.get('/config', { headers: silent.headers })
  const zeros = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`
  for (const traceparent of ['nonsense', zeros])
    await api.get('/discoveries', { headers: { traceparent } })
  await eventually(() => {
    const roots = collector.spans().filter(({ name }) => name.endsWith('/discoveries'))
    assert.equal(roots.length, 2)
    assert.ok(roots.every(({ parentSpanId }) => parentSpanId === undefined))
  })
  assert.deepEqual(collector.ofTrace(silent.traceId), [])
})

test('OPER-140 what was left to be done forgets its trace after a day', async () => {
  const { db, clock } = kit.florin.deps
  const count = async () =>
    (await db.read.one<{ count: number }>(sql`select count(*)::int as count from carried_traces`))
      .count
  assert.ok((await count()) > 0)
  await pruneCarried(db, clock.now())
  assert.ok((await count()) > 0)
  await pruneCarried(db, addMs(clock.now(), 2 * DAY_MS))
  assert.equal(await count(), 0)
})

type Doctor = Readonly<{ checks: readonly Body[] }>

test('OPER-142 a collector that takes nothing slows no request, and metrics and doctor say so', async () => {
  const { api } = await kit.platform()
  const checkOf = async () =>
    items((await operate<Doctor>(kit, 'doctor')).checks).find(
      ({ check }) => String(check) === 'traces',
    )
  assert.equal((await checkOf())?.['ok'], true)
  collector.answer(503)
  expectStatus(await api.get('/config'), 200)
  await eventually(async () => {
    const figures = await kit.florin.metrics.registry.metrics()
    assert.match(figures, /florin_trace_spans_total\{outcome="exported"\} [1-9]/)
    assert.match(figures, /florin_trace_spans_total\{outcome="dropped"\} [1-9]/)
  })
  const check = await checkOf()
  assert.equal(check?.['ok'], false)
  assert.match(String(check?.['detail']), /503/)
  collector.answer(200)
})
