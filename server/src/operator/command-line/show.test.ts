import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyToWire } from '../../kernel/money/wire-money.ts'
import { show } from './show.ts'

const ID = 'Transaction:019a0000-0000-7000-8000-000000000001'

test('OPER-155 amounts are shown with their currency, in its decimals and with their sign', () => {
  for (const [row, shown] of [
    [{ amount: 8271, currency: 'USD' }, '82.71 USD'],
    [{ amount: -5n, currency: 'EUR' }, '-0.05 EUR'],
    [{ amount: 500, currency: 'JPY' }, '500 JPY'],
    [{ amount: moneyToWire({ amount: 123n, currency: 'BTC' }) }, '0.00000123 BTC'],
    [{ amount: 7, currency: 'points' }, '7'],
    [{ amount: '7', currency: 'USD' }, '7'],
  ] as const) {
    assert.equal(
      show(row)
        .split('\n')[0]
        ?.replace(/^amount +/, ''),
      shown,
    )
  }
  assert.match(show([{ id: ID, held: 100, currency: 'USD' }]), / {2}1\.00 USD {2}USD$/)
})

test('OPER-155 lists and records within an object stand below their names, and are not cut', () => {
  const detail = 'x'.repeat(100)
  const health = { circuit: 'CLOSED', fee: { amount: 5, currency: 'USD' }, open: {} }
  const checks = [{ check: 'prices', detail }]
  assert.equal(
    show({ ok: false, at: new Date(0), ports: ['rails', 'deposits'], checks, health }, 80),
    [
      'ok      false',
      'at      1970-01-01T00:00:00.000Z',
      'ports   rails, deposits',
      'checks',
      '  check   detail',
      `  prices  ${detail}`,
      'health',
      '  circuit  CLOSED',
      '  fee      0.05 USD',
      '  open     {}',
    ].join('\n'),
  )
})

test('OPER-155 a table fits the terminal: the id, what a person wants first, and how much is left out', () => {
  const row = {
    id: ID,
    platformId: 'Platform:019a0000-0000-7000-8000-000000000002',
    note: 'x'.repeat(200),
    createdAt: '2026-01-01T00:00:00Z',
    amount: 100,
    currency: 'USD',
    status: 'COMPLETED',
  }
  for (const room of [60, 80, 100, 140, 200]) {
    const lines = show([row, row], room).split('\n')
    assert.ok(lines.every((line) => line.length <= room))
    assert.ok(lines[1]?.startsWith(ID))
  }
  assert.match(
    show([row], 80),
    /^id +status +amount .*\n\S+ +COMPLETED +1\.00 USD .*\n3 more columns: --json shows all\.$/,
  )
  assert.ok(show([row], 200).includes(`${'x'.repeat(39)}…`))
  assert.ok(show([row]).includes('x'.repeat(200)), 'whole where there is no terminal')
  assert.equal(show([], 80), 'none')
})
