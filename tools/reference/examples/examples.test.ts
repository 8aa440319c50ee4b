import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBetter, type Exchange } from './exchange.ts'
import { mergeExamples } from './merge-examples.ts'
import { presentable } from './presentable.ts'

const exchange = (answer: unknown, more: Partial<Exchange> = {}): Exchange => ({
  operationId: 'getTokenById',
  status: 200,
  request: {},
  answer,
  isSample: false,
  ...more,
})

test('OPER-180 the better example is a sample, then the one with more fields, then the shorter one', () => {
  const ordered = [
    exchange({ a: 1 }, { isSample: true }),
    exchange({ a: 'x', b: 1 }),
    exchange({ a: 1, c: 2, d: [{ e: 1 }, { e: 2 }] }),
    exchange({ a: 1 }),
    exchange({ a: 12 }),
  ]
  const [sample, two, four, one, longer] = ordered as [
    Exchange,
    Exchange,
    Exchange,
    Exchange,
    Exchange,
  ]
  for (const [better, worse] of [
    [sample, four],
    [four, two],
    [two, one],
    [one, longer],
    [one, exchange({ a: 'x'.repeat(20_000), b: 1 })],
  ] as const) {
    assert.ok(isBetter(better, worse))
    assert.ok(!isBetter(worse, better), 'whatever their order is')
  }
})

test('OPER-180 secrets and places are not shown, what the tests make up is', () => {
  assert.deepEqual(
    presentable({
      clientSecret: 'abc',
      identifier: '123-45-6789',
      code: 'AB12',
      otp: { code: '123456' },
      panEmbedUrl: 'http://127.0.0.1:8080/embed/cards/abcdefghijklmnopqrstuvwxyz',
      data: [1, 2, 3, 4],
    }),
    {
      clientSecret: '[redacted]',
      identifier: '123-45-6789',
      code: 'XX00',
      otp: { code: '123456' },
      panEmbedUrl: 'https://pay.example.com/embed/cards/[redacted]',
      data: [1, 2, 3],
    },
  )
})

test('OPER-181 what fits its schema stays, the rest is recorded again; equal refusals are kept once', () => {
  const refusal = (id: string) =>
    exchange(
      { status: 404, code: 'TOKEN_NOT_FOUND', message: 'No such token.' },
      { operationId: id, status: 404 },
    )
  const before = {
    requests: { getSandboxClock: {} },
    answers: {
      getSandboxClock: { 200: { now: '2026-03-02T09:30:00.000Z', offsetSeconds: 0 } },
      getTokenById: { 200: { isNoToken: true } },
    },
    refusals: {},
    refused: {},
  }
  const token = { id: 'Token:1' }
  const merged = mergeExamples(before, [
    exchange(token),
    exchange({ now: 'later' }, { operationId: 'getSandboxClock' }),
    refusal('getTokenById'),
    refusal('deleteTokenById'),
  ])
  assert.deepEqual(merged.answers, {
    getSandboxClock: before.answers.getSandboxClock,
    getTokenById: { 200: token },
  })
  assert.equal(merged.refusals['TOKEN_NOT_FOUND']?.length, 1)
  assert.equal(merged.refused['deleteTokenById']?.['TOKEN_NOT_FOUND'], 0)
})
