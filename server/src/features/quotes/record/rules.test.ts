import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asId, formatId } from '../../../kernel/ids.ts'
import type { QuoteStatus } from './machine.ts'
import { executionRefusal, fundingRefusal, quoteStatusAt } from './rules.ts'

const expiresAt = new Date('2026-03-01T10:05:00.000Z')
const before = new Date('2026-03-01T10:04:59.999Z')

test('QUOTE-23 a pending quote reads EXPIRED from its expiry on, any other keeps its status', () => {
  assert.equal(quoteStatusAt({ status: 'PENDING', expiresAt }, before), 'PENDING')
  assert.equal(quoteStatusAt({ status: 'PENDING', expiresAt }, expiresAt), 'EXPIRED')
  for (const status of ['PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED'] as const) {
    assert.equal(quoteStatusAt({ status, expiresAt }, expiresAt), status)
  }
})

const EXECUTIONS: readonly (readonly [QuoteStatus, Date, string | undefined])[] = [
  ['PENDING', before, undefined],
  ['PENDING', expiresAt, 'QUOTE_EXPIRED'],
  ['EXPIRED', before, 'QUOTE_EXPIRED'],
  ['PENDING_AUTHORIZATION', before, 'CONFLICT'],
  ['PROCESSING', before, 'CONFLICT'],
  ['COMPLETED', expiresAt, 'CONFLICT'],
  ['FAILED', before, 'CONFLICT'],
]

for (const [status, now, code] of EXECUTIONS) {
  const when = now === before ? 'in time' : 'at expiry'
  test(`QUOTE-13 executing or funding a ${status} quote ${when}: ${code ?? 'goes on'}`, () => {
    const executed = executionRefusal({ status, expiresAt, isRealtimeFunding: false }, now)
    const funded = fundingRefusal({ status, expiresAt, isFundedFromOutside: true }, now)
    assert.equal(executed?.code, code)
    assert.deepEqual(funded, executed)
    if (code === 'CONFLICT') assert.deepEqual(executed?.details, { quoteStatus: status })
  })
}

test('QUOTE-13 a quote whose action waits for approval names it, unless it has expired', () => {
  const awaitedActionId = asId('agentAction', '019a0000-0000-7000-8000-000000000001')
  const quote = { status: 'PENDING', expiresAt, isRealtimeFunding: false, awaitedActionId } as const
  const refused = executionRefusal(quote, before)
  assert.equal(refused?.code, 'CONFLICT')
  const actionId = formatId('agentAction', awaitedActionId)
  assert.deepEqual(refused.details, { quoteStatus: 'PENDING', actionId })
  assert.equal(executionRefusal(quote, expiresAt)?.code, 'QUOTE_EXPIRED')
})

test('QUOTE-13 a quote funded in real time is not executed, one funded from an account is not sent funds', () => {
  const quote = { status: 'PENDING', expiresAt } as const
  const executed = executionRefusal({ ...quote, isRealtimeFunding: true }, before)
  assert.equal(executed?.code, 'INVALID_INPUT')
  const funded = fundingRefusal({ ...quote, isFundedFromOutside: false }, before)
  assert.equal(funded?.code, 'INVALID_INPUT')
})
