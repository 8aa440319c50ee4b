import { codeColumn, statusColumn, textColumn, timeColumn } from '../cells.ts'
import type { Column, Section } from '../section.ts'

const FRESHNESS: Column = {
  ...statusColumn('State'),
  cell: (row, visit) =>
    statusColumn('', 'state').cell({ state: row['isFresh'] === true ? 'ACTIVE' : 'STALE' }, visit),
}

export const rates: Section = {
  path: 'rates',
  title: 'Rates',
  about: 'Prices of production. One holds for 15 minutes; a stale one is not used.',
  list: {
    command: 'rates show',
    caption: 'Prices',
    columns: [
      textColumn('Currency', 'currency'),
      { ...codeColumn('Units per 1 USD', 'unitsPerUsd'), isFigure: true },
      FRESHNESS,
      timeColumn('Set', 'setAt'),
    ],
    empty: 'No price is set: production platforms cannot quote.',
  },
  actions: [
    {
      name: 'set',
      label: 'Set prices',
      command: 'rates set',
      tone: 'good',
      about: 'They hold for new quotes at once, on every production platform.',
      fields: [
        {
          name: 'price',
          label: 'Prices',
          kind: 'lines',
          isRequired: true,
          hint: 'Units per 1 USD, one a line, as in EUR=0.92 or BTC=1/120000.',
        },
      ],
      done: 'Prices are set.',
    },
  ],
}
