/** The plots of the overview, from the hourly figures. */
import type { Answer } from '../../operator/command.ts'
import type { figureCommands } from '../../operator/commands/money/figures.ts'
import { GRAIN_MS, type FigureName } from '../../operator/figures/figure.ts'
import { currencyOf } from '../../kernel/money/currency.ts'
import { showMoney } from '../cells/show-money.ts'
import { inNumbers, type Plot, type Series, type Tone } from './plot.ts'

export type Figures = Answer<typeof figureCommands.list>
type Figure = Figures['figures'][number]

const CURRENCIES_SHOWN = 4

/** The points in time, by their beginning. */
function timesOf({ from, until, grain }: Figures): readonly number[] {
  const [start, step] = [Date.parse(from), GRAIN_MS[grain]]
  const length = Math.round((Date.parse(until) - start) / step)
  return Array.from({ length }, (_, index) => start + index * step)
}

const labelsOf = (asked: Figures): readonly string[] =>
  timesOf(asked).map((ms) => {
    const iso = new Date(ms).toISOString()
    if (asked.grain === 'day') return iso.slice(5, 10)
    return asked.range === '24h' ? iso.slice(11, 16) : `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
  })

/** What these figures have at each point in time. */
function sumsOf<T>(
  asked: Figures,
  names: readonly FigureName[],
  { zero, add }: Readonly<{ zero: T; add(sum: T, figure: Figure): T }>,
): readonly T[] {
  const start = Date.parse(asked.from)
  const sums = timesOf(asked).map(() => zero)
  for (const figure of asked.figures) {
    if (!(names as readonly string[]).includes(figure.name)) continue
    const index = Math.floor((Date.parse(figure.at) - start) / GRAIN_MS[asked.grain])
    const sum = sums[index]
    if (sum !== undefined) sums[index] = add(sum, figure)
  }
  return sums
}

const COUNTS = { zero: 0, add: (sum: number, { count }: Figure) => sum + count }

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)

type Counted = Readonly<{ name: string; tone: Tone; figures: readonly FigureName[] }>

const countSeries =
  (asked: Figures) =>
  ({ name, tone, figures }: Counted): Series => {
    const values = sumsOf(asked, figures, COUNTS)
    return { name, tone, values, total: inNumbers(total(values)) }
  }

/** What waits is not summed over time; the last value is how it is. */
const gaugeSeries =
  (asked: Figures) =>
  (counted: Counted): Series => {
    const series = countSeries(asked)(counted)
    return { ...series, total: inNumbers(series.values.at(-1) ?? 0) }
  }

const OUTCOMES: readonly Counted[] = [
  { name: 'Completed', tone: 'good', figures: ['out.completed', 'in.completed'] },
  { name: 'Pending', tone: 'warn', figures: ['out.pending', 'in.pending'] },
  { name: 'Failed', tone: 'bad', figures: ['out.failed', 'in.failed'] },
  { name: 'Expired', tone: 'muted', figures: ['out.expired', 'in.expired'] },
]

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Number(((100 * part) / whole).toFixed(1))} %`

function paymentsPlot(asked: Figures): Plot {
  const series = OUTCOMES.map(countSeries(asked))
  const sums = series.map(({ values }) => total(values))
  const whole = total(sums)
  const shares = series.map(({ name, total: text }, n) => ({
    name,
    text,
    share: percent(sums[n] ?? 0, whole),
  }))
  const said = shares
    .filter(({ text }) => text !== '0')
    .map(({ name, share }) => `${share} ${name.toLowerCase()}`)
  return {
    id: 'payments',
    title: 'Payments',
    summary: whole === 0 ? 'None in this time.' : `${inNumbers(whole)}: ${said.join(', ')}.`,
    kind: 'bars',
    labels: labelsOf(asked),
    series: series.map((one, n) => ({
      ...one,
      total: `${one.total ?? ''} (${shares[n]?.share ?? ''})`,
    })),
  }
}

const money = (amount: bigint, currency: string): string =>
  showMoney({ amount, currency: currencyOf(currency).code })

/** In whole units, for drawing only: tables have the exact amount. */
const inUnits = (amount: bigint, currency: string): number =>
  Number(amount) / 10 ** currencyOf(currency).decimals

function moneySeries(
  { name, tone }: Pick<Series, 'name' | 'tone'>,
  {
    amounts,
    currency,
    sum,
  }: Readonly<{ amounts: readonly bigint[]; currency: string; sum: bigint }>,
): Series {
  return {
    name,
    tone,
    values: amounts.map((amount) => inUnits(amount, currency)),
    textAt: (index) => money(amounts[index] ?? 0n, currency),
    total: money(sum, currency),
  }
}

const amountsOf = (asked: Figures, names: readonly FigureName[], currency: string) =>
  sumsOf(asked, names, {
    zero: 0n,
    add: (sum: bigint, one) => (one.currency === currency ? sum + BigInt(one.amount) : sum),
  })

function volumePlot(asked: Figures, currency: string): Plot {
  const seriesOf = (name: string, tone: Tone, figure: FigureName): Series => {
    const amounts = amountsOf(asked, [figure], currency)
    return moneySeries(
      { name, tone },
      { amounts, currency, sum: amounts.reduce((a, b) => a + b, 0n) },
    )
  }
  const series = [
    seriesOf('Paid out', 'first', 'out.completed'),
    seriesOf('Paid in', 'second', 'in.completed'),
  ]
  return {
    id: `volume-${currency}`,
    title: `Volume in ${currency}`,
    summary: `Completed payments: ${series.map(({ name, total: text }) => `${text} ${name.toLowerCase()}`).join(', ')}.`,
    kind: 'bars',
    labels: labelsOf(asked),
    series,
  }
}

function balancePlot(asked: Figures, currency: string): Plot {
  const opening = asked.openingBalances.find((one) => one.currency === currency)?.amount ?? '0'
  let held = BigInt(opening)
  const amounts = amountsOf(asked, ['balance'], currency).map((change) => (held += change))
  const series = moneySeries({ name: 'Held', tone: 'first' }, { amounts, currency, sum: held })
  return {
    id: `balance-${currency}`,
    title: `Balances in ${currency}`,
    summary: `Held for customers and platforms: ${money(BigInt(opening), currency)} at the beginning, ${money(held, currency)} at the end.`,
    kind: 'lines',
    labels: labelsOf(asked),
    series: [series],
  }
}

/** The currencies with the most payments first, then those that are only held. */
function currenciesOf({ figures, openingBalances }: Figures): readonly string[] {
  const counts = new Map(
    openingBalances.filter(({ amount }) => amount !== '0').map(({ currency }) => [currency, 0]),
  )
  for (const { currency, count } of figures)
    if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([currency]) => currency)
}

type Group = Omit<Plot, 'labels' | 'series' | 'summary'> &
  Readonly<{ about: string; of: readonly Counted[]; isGauge?: true }>

const GROUPS: readonly Group[] = [
  {
    id: 'cards',
    title: 'Card authorizations',
    about: 'Answers to purchases.',
    kind: 'bars',
    of: [
      { name: 'Approved', tone: 'good', figures: ['cards.approved'] },
      { name: 'Declined', tone: 'bad', figures: ['cards.declined'] },
    ],
  },
  {
    id: 'webhooks',
    title: 'Webhook events',
    about: 'By the real time at which they came about.',
    kind: 'bars',
    of: [
      { name: 'Delivered', tone: 'good', figures: ['events.delivered'] },
      { name: 'Waiting', tone: 'warn', figures: ['events.pending'] },
      { name: 'Given up', tone: 'bad', figures: ['events.failed'] },
    ],
  },
  {
    id: 'backlog',
    title: 'Webhook backlog',
    about: 'The most attempts that waited at once; the legend has the last value.',
    kind: 'lines',
    of: [{ name: 'Attempts that wait', tone: 'warn', figures: ['webhooks.waiting'] }],
    isGauge: true,
  },
  {
    id: 'health',
    title: 'Jobs and providers',
    about: 'The most at once; the legend has the last value.',
    kind: 'lines',
    of: [
      { name: 'Jobs late', tone: 'warn', figures: ['jobs.late'] },
      { name: 'Jobs dead', tone: 'bad', figures: ['jobs.dead'] },
      { name: 'Orders open', tone: 'first', figures: ['orders.open'] },
      { name: 'Exceptions open', tone: 'second', figures: ['exceptions.open'] },
      { name: 'Reviews open', tone: 'muted', figures: ['reviews.open'] },
    ],
    isGauge: true,
  },
]

const groupPlot =
  (asked: Figures) =>
  ({ of, about, isGauge, ...group }: Group): Plot => ({
    ...group,
    summary: about,
    labels: labelsOf(asked),
    series: of.map((isGauge ? gaugeSeries : countSeries)(asked)),
  })

/** Every plot, in the order of the page; currencies beyond the first few are only in the file. */
export function plotsOf(asked: Figures, { isWhole = false } = {}): readonly Plot[] {
  const all = currenciesOf(asked)
  const currencies = isWhole ? all : all.slice(0, CURRENCIES_SHOWN)
  return [
    paymentsPlot(asked),
    ...currencies.flatMap((currency) => [
      volumePlot(asked, currency),
      balancePlot(asked, currency),
    ]),
    ...GROUPS.map(groupPlot(asked)),
  ]
}

/** The currencies without a plot of their own. */
export const currenciesLeftOut = (asked: Figures): readonly string[] =>
  currenciesOf(asked).slice(CURRENCIES_SHOWN)
