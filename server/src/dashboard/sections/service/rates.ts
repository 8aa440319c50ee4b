import { NETWORK_NAMES } from '../../../features/rates/index.ts'
import {
  codeColumn,
  figureColumn,
  inWords,
  NOTHING,
  textColumn,
  timeColumn,
  badge,
} from '../../cells/cells.ts'
import type { Action, Column, OtherList, Section } from '../../section.ts'
import { paymentCommands } from '../../../operator/commands/money/payments.ts'
import { networkFeeCommands } from '../../../operator/commands/service/network-fees.ts'
import { type Answer } from '../../../operator/command.ts'

type Price = Answer<typeof paymentCommands.ratesShow>[number]
type Required = Answer<typeof paymentCommands.ratesRequired>[number]
type NetworkFee = Answer<typeof networkFeeCommands.show>[number]

const stateColumn = <R>(stateOf: (row: R) => string): Column<R> => ({
  title: 'State',
  cell: (row) => badge(stateOf(row)),
})

const PRICES: OtherList<Price> = {
  command: paymentCommands.ratesShow,
  caption: 'Prices',
  columns: [
    textColumn('Currency', 'currency'),
    textColumn('Provider', 'provider'),
    { ...codeColumn<Price>('Units per 1 USD', 'unitsPerUsd'), isFigure: true },
    { ...codeColumn<Price>('Bid', 'bid'), isFigure: true },
    { ...codeColumn<Price>('Ask', 'ask'), isFigure: true },
    stateColumn((row) => (row.isFresh ? 'ACTIVE' : 'STALE')),
    timeColumn('Set', 'setAt'),
  ],
  empty: 'No price is set: production platforms cannot quote.',
}

/** `NETWORK_FEE:SOLANA` as people write it. */
function useOf({ usedFor }: Required): string {
  const [use = '', network] = usedFor.split(':')
  return network === undefined ? inWords(use) : `${inWords(use)} on ${inWords(network)}`
}

function needOf({ price, stale }: Required): string {
  if (price === undefined) return 'MISSING'
  return stale ? 'STALE' : 'ACTIVE'
}

const REQUIRED: OtherList<Required> = {
  command: paymentCommands.ratesRequired,
  caption: 'Required prices',
  columns: [
    textColumn('Currency', 'code'),
    { title: 'Required for', cell: useOf },
    textColumn('Provider', 'provider'),
    { ...codeColumn<Required>('Units per 1 USD', 'price'), isFigure: true },
    stateColumn(needOf),
    timeColumn('Set', 'updatedAt'),
  ],
  empty: 'No price is required: there is no production platform.',
}

/** `0.000005 SOL`: the fee in whole units of the gas asset. */
function inWholeUnits({ feeAsset, feeAssetDecimals: decimals }: NetworkFee, fee: number): string {
  const digits = BigInt(fee)
    .toString()
    .padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return `${whole}${fraction && '.'}${fraction} ${feeAsset}`
}

const NETWORK_FEES: OtherList<NetworkFee> = {
  command: networkFeeCommands.show,
  caption: 'Network fees',
  columns: [
    { title: 'Network', cell: ({ network }) => inWords(network) },
    { title: 'Coins', cell: ({ assets }) => assets.join(', ') },
    {
      title: 'Fee per payout',
      isFigure: true,
      cell: (row) => (row.fee === undefined ? NOTHING : inWholeUnits(row, row.fee)),
    },
    figureColumn('In smallest units', 'fee'),
    stateColumn(({ fee }) => (fee === undefined ? 'NOT_SET' : 'ACTIVE')),
    timeColumn('Set', 'updatedAt'),
  ],
  empty: 'There is no network.',
}

const SET_PRICES: Action = {
  name: 'set',
  label: 'Set prices',
  command: paymentCommands.ratesSet,
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
  command: networkFeeCommands.set,
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

export const rates: Section<Price> = {
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
