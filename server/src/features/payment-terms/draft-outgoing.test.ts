import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kernel/ids.ts'
import { ownerOf, settlementTimeline } from './draft-outgoing.ts'

const createdAt = new Date('2026-03-01T10:00:00.000Z')

const TIMELINES: readonly (readonly [
  rail: string,
  seconds: number,
  expected: string | undefined,
])[] = [
  ['ACH', 86_400, '2026-03-02T10:00:00.000Z'],
  ['WIRE', 14_400, '2026-03-01T14:00:00.000Z'],
  ['SEPA', 86_400, '2026-03-02T10:00:00.000Z'],
  ['SWIFT', 172_800, '2026-03-03T10:00:00.000Z'],
  ['NEFT', 7_200, '2026-03-01T12:00:00.000Z'],
  ['SEPA_INSTANT', 0, undefined],
  ['PIX', 0, undefined],
  ['RTP', 0, undefined],
]

for (const [paymentRail, seconds, expected] of TIMELINES) {
  test(`TXN-17 ${paymentRail} settles in ${seconds} s`, () => {
    const emitted = settlementTimeline({ paymentRail, railSelectionMode: 'AUTO', createdAt })
    assert.deepEqual(emitted, {
      paymentRail,
      railSelectionMode: 'AUTO',
      settlementTimelineSeconds: seconds,
      ...(expected && { expectedSettlementAt: new Date(expected) }),
    })
  })
}

const [named, source, destination] = [newId('customer'), newId('customer'), newId('customer')]

test('TXN-2 the owner is the named customer, else the source account’s, else the destination’s, else nobody', () => {
  const all = {
    named: named,
    paying: source,
    paid: destination,
  }
  assert.equal(ownerOf(all), named)
  assert.equal(ownerOf({ ...all, named: undefined }), source)
  assert.equal(ownerOf({ paid: destination }), destination)
  assert.equal(ownerOf({}), undefined)
})
