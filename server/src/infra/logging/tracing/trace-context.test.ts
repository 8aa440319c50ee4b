import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startKit } from '../../../../test/kit/florin.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { sql } from '../../db/statement/sql.ts'
import { childOf, parseTraceparent, toTraceparent } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

const HEADERS: readonly [header: string | undefined, isTaken: boolean, why: string][] = [
  [`00-${TRACE}-${SPAN}-01`, true, 'the form of the standard'],
  [`00-${TRACE}-${SPAN}-00`, true, 'not sampled'],
  [`01-${TRACE}-${SPAN}-01-more`, true, 'a later version may have more'],
  [undefined, false, 'no header'],
  ['', false, 'empty'],
  [`ff-${TRACE}-${SPAN}-01`, false, 'a version that is none'],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, false, 'no trace'],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, false, 'no span'],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, false, 'upper case'],
  [`00-${TRACE}-${SPAN}`, false, 'no flags'],
]

for (const [header, isTaken, why] of HEADERS) {
  test(`OPER-140 traceparent is ${isTaken ? 'taken' : 'left'}: ${why}`, () => {
    const parsed = parseTraceparent(header)
    assert.equal(parsed !== undefined, isTaken)
    if (header?.startsWith('00') && parsed) assert.equal(toTraceparent(parsed), header)
  })
}

test('OPER-140 a share of new traces is sampled, a continued one as its caller does', () => {
  assert.ok(childOf(undefined, 1).isSampled)
  assert.ok(!childOf(undefined, 0).isSampled)
  const parent = { traceId: TRACE, spanId: SPAN, isSampled: true }
  const child = childOf(parent, 0)
  assert.deepEqual({ ...child, spanId: SPAN }, parent)
  assert.notEqual(child.spanId, SPAN)
})

test('OPER-140 without a collector nothing is traced and nothing is written', async () => {
  const kit = await startKit()
  const platform = await kit.platform()
  const headers = { traceparent: `00-${TRACE}-${SPAN}-01` }
  expectStatus(await platform.api.get('/config', { headers }), 200)
  await createCustomer(platform)
  assert.equal(kit.florin.deps.tracer, undefined)
  const id = mustParseId('platform', platform.platformId)
  const { count } = await kit.florin.deps.db.read.one<{ count: number }>(
    sql`select count(*)::int as count from carried_traces where platform_id = ${id}`,
  )
  assert.equal(count, 0)
})
