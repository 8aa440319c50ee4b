import { NETWORK_NAMES } from '../../../features/rates/index.ts'
import type { Row } from '../../ask.ts'
import {
  codeColumn,
  figureColumn,
  inWords,
  NOTHING,
  statusColumn,
  textColumn,
  textIn,
  timeColumn,
} from '../../cells.ts'
import type { Action, Column, OtherList, Section } from '../../section.ts'

const STATE = statusColumn('State', 'state')

const stateColumn = (stateOf: (row: Row) => string): Column => ({
  ...STATE,
  cell: (row, visit) => STATE.cell({ state: stateOf(row) }, visit),
})

const PRICES: OtherList = {
  command: 'rates show',
  caption: 'Prices',
  columns: [
    textColumn('Currency', 'currency'),
    { ...codeColumn('Units per 1 USD', 'unitsPerUsd'), isFigure: true },
    stateColumn((row) => (row['isFresh'] === true ? 'ACTIVE' : 'STALE')),
    timeColumn('Set', 'setAt'),
  ],
  empty: 'No price is set: production platforms cannot quote.',
}

/** `NETWORK_FEE:SOLANA` as people write it. */
function useOf(row: Row): string {
  const [use = '', network] = textIn(row, 'usedFor').split(':')
  return network === undefined ? inWords(use) : `${inWords(use)} on ${inWords(network)}`
}

function needOf({ price, stale }: Row): string {
  if (price === undefined) return 'MISSING'
  return stale === true ? 'STALE' : 'ACTIVE'
}

const REQUIRED: OtherList = {
  command: 'rates required',
  caption: 'Required prices',
  columns: [
    textColumn('Currency', 'code'),
    { title: 'Required for', cell: useOf },
    { ...codeColumn('Units per 1 USD', 'price'), isFigure: true },
    stateColumn(needOf),
    timeColumn('Set', 'updatedAt'),
  ],
  empty: 'No price is required: there is no production platform.',
}

/** `0.000005 SOL`: the fee in whole units of the gas asset. */
function inWholeUnits(row: Row): string {
  const decimals = Number(row['feeAssetDecimals'])
  const digits = BigInt(Number(row['fee']))
    .toString()
    .padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${whole}${fraction && '.'}${fraction} ${textIn(row, 'feeAsset')}`
}

const NETWORK_FEES: OtherList = {
  command: 'network-fees show',
  caption: 'Network fees',
  columns: [
    { title: 'Network', cell: (row) => inWords(textIn(row, 'network')) },
    { title: 'Coins', cell: (row) => (row['assets'] as readonly string[]).join(', ') },
    {
      title: 'Fee per payout',
      isFigure: true,
      cell: (row) => (row['fee'] === undefined ? NOTHING : inWholeUnits(row)),
    },
    figureColumn('In smallest units', 'fee'),
    stateColumn((row) => (row['fee'] === undefined ? 'NOT_SET' : 'ACTIVE')),
    timeColumn('Set', 'updatedAt'),
  ],
  empty: 'There is no network.',
}

const SET_PRICES: Action = {
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
}

const SET_NETWORK_FEE: Action = {
  name: 'network-fee',
  label: 'Set a network fee',
  command: 'network-fees set',
  tone: 'good',
  about:
    'New quotes of production over the network are charged this. Without a fee it is not served.',
  fields: [
    {
      name: 'network',
      label: 'Network',
      kind: 'choice',
      isRequired: true,
      choices: () => NETWORK_NAMES.map((value) => ({ value, label: inWords(value) })),
    },
    {
      name: 'fee',
      label: 'Fee per payout',
      isRequired: true,
      hint: 'A whole number of the smallest unit of the gas asset: lamport, wei, sun or satoshi.',
    },
  ],
  done: 'The network fee is set.',
}

export const rates: Section = {
  path: 'rates',
  title: 'Rates',
  about:
    'Prices and network fees of production. A price holds for 15 minutes; a stale one is not used.',
  list: {
    ...PRICES,
    views: [
      { name: 'prices', title: 'Prices' },
      { name: 'required', title: 'Required', list: REQUIRED },
      { name: 'network-fees', title: 'Network fees', list: NETWORK_FEES },
    ],
  },
  actions: [SET_PRICES, SET_NETWORK_FEE],
}
