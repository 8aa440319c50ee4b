import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inShort, plotView, roundUp } from './plot.ts'

const TOPS = [
  [0, 2, 'nothing has a scale too'],
  [1, 2, 'one'],
  [1.4, 2, 'little'],
  [3, 4, 'the next even number'],
  [5, 6, 'half of five is not whole'],
  [10, 10, 'a round number stays'],
  [21, 30, 'the next round number'],
  [101, 200, 'just above a round number'],
  [7_001, 8_000, 'thousands'],
] as const

for (const [value, top, because] of TOPS) {
  test(`OPER-111 a scale for ${value} ends at ${top}: ${because}`, () => {
    assert.equal(roundUp(value), top)
  })
}

test('OPER-136 the ticks of a count are whole, whatever is counted', () => {
  for (let count = 0; count <= 5_000; count += 1) {
    const top = roundUp(count)
    assert.ok(top >= count && Number.isInteger(top / 2), `${count}: ${top}`)
  }
})

test('OPER-111 numbers on an axis are short', () => {
  assert.deepEqual([0, 250, 1_250, 2_500_000, 7e9, 3e12].map(inShort), [
    '0',
    '250',
    '1.25k',
    '2.5M',
    '7B',
    '3T',
  ])
})

test('OPER-111 a plot says its numbers without colour: names, totals, a table and a file', () => {
  const { html } = plotView(
    {
      id: 'payments',
      title: 'Payments & more',
      summary: 'Three.',
      kind: 'bars',
      labels: ['01:00', '02:00'],
      series: [
        { name: 'Completed', tone: 'good', values: [1_500, 0], total: '1,500' },
        { name: 'Failed', tone: 'bad', values: [0, 3] },
      ],
    },
    '/figures/payments.csv?range=24h',
  )
  for (const part of [
    'aria-label="Payments &amp; more: Three."',
    'Completed <strong>1,500</strong>',
    '<title>02:00: Completed 0, Failed 3</title>',
    'data-title="Completed">1,500</td>',
    'href="/figures/payments.csv?range=24h"',
  ])
    assert.ok(html.replaceAll(/\s+/g, ' ').includes(part), `${part} in ${html}`)
  assert.equal(html.match(/<rect\s+class="(good|bad)"/g)?.length, 2)
})
