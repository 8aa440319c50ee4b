/** The page of a provider: how it does, what it has to do, and what it costs. */
import type { Answer } from '../../../operator/command.ts'
import { orderCommands } from '../../../operator/commands/providers/orders.ts'
import type { providerCommands } from '../../../operator/commands/providers/providers.ts'
import { html, type Html } from '../../../pages/html.ts'
import { amountColumn, badge, figureColumn, inWords, NOTHING, timeOf } from '../../cells/cells.ts'
import { tableView } from '../../cells/table-view.ts'
import type { Cell, Column, Visit } from '../../section.ts'
import { historyView } from '../waiting.ts'
import { OWN_ORDER_COLUMNS } from './order-view.ts'

export type ProviderLine = Answer<typeof providerCommands.list>[number]
export type ProviderPage = Answer<typeof providerCommands.show>
type Health = NonNullable<ProviderPage['health']>
type Standing = NonNullable<ProviderLine['standing']>

export const openOrdersOf = ({ openOrders }: Pick<Standing, 'openOrders'>): number =>
  Object.values(openOrders).reduce((sum, count) => sum + count, 0)

/** Red where something is broken, amber where an operator is awaited. */
export function healthCell(standing: Standing | undefined): Cell {
  if (!standing) return NOTHING
  const { circuit, circuitSince, exceptionsOpen } = standing
  if (circuit === 'OPEN') {
    return html`<span
      ><span class="badge bad">Does not answer</span>
      ${circuitSince === undefined ? '' : html`since ${timeOf(circuitSince)}`}</span
    >`
  }
  return exceptionsOpen > 0
    ? html`<span class="badge bad">${exceptionsWord(exceptionsOpen)}</span>`
    : html`<span class="badge good">OK</span>`
}

const exceptionsWord = (count: number): string =>
  count === 1 ? '1 exception' : `${count} exceptions`

type Calls = Health['lastHour'][number] & Readonly<{ period: string }>

const milliseconds = (title: string, name: 'p50Ms' | 'p99Ms'): Column<Calls> => ({
  title,
  isFigure: true,
  cell: (row) => (row[name] === undefined ? NOTHING : `${row[name]} ms`),
})

const CALLS: readonly Column<Calls>[] = [
  { title: 'Period', cell: ({ period }) => period },
  { title: 'Port', cell: ({ port }) => inWords(port) },
  {
    title: 'Answered',
    isFigure: true,
    cell: ({ answered, unanswered }) => {
      const all = answered + unanswered
      return all === 0
        ? NOTHING
        : `${answered} of ${all} (${((100 * answered) / all).toFixed(1)} %)`
    },
  },
  milliseconds('Half within', 'p50Ms'),
  milliseconds('99 % within', 'p99Ms'),
]

const callsOf = ({ lastHour, lastDay }: Health): readonly Calls[] => [
  ...lastHour.map((one) => ({ ...one, period: 'Last hour' })),
  ...lastDay.map((one) => ({ ...one, period: 'Last day' })),
]

type StateCount = Readonly<{ state: string; count: number; href: string }>

const STATES: readonly Column<StateCount>[] = [
  { title: 'State', cell: ({ state, href }) => html`<a href="${href}">${badge(state)}</a>` },
  figureColumn('Orders', 'count'),
]

async function ordersView(row: ProviderPage, health: Health, visit: Visit): Promise<Html> {
  const oldest = await visit.ask(orderCommands.list, {
    options: { provider: row.providerId ?? '', open: true, limit: '5' },
  })
  const states = Object.entries(health.openOrders).map(([state, count]) => ({
    state,
    count,
    href: `/orders?${new URLSearchParams({ provider: row.name, state })}`,
  }))
  return html`${tableView(
    {
      title: 'Open orders by state',
      columns: STATES,
      rows: states,
      empty: 'It has no open orders.',
    },
    visit,
  )}
  ${
    oldest.length === 0
      ? ''
      : tableView(
          { title: 'Oldest open orders', columns: OWN_ORDER_COLUMNS, rows: oldest, empty: '' },
          visit,
        )
  }`
}

const FEES: readonly Column<Health['outsideFees'][number]>[] = [
  { title: 'Currency', cell: ({ currency }) => currency },
  amountColumn('Charged', 'amount'),
]

const BUILT_IN: readonly Column<ProviderPage['builtIn'][number]>[] = [
  { title: 'Port', cell: ({ port }) => inWords(port) },
  { title: 'Answered by', cell: ({ provider }) => provider ?? 'Nobody: what needs it is refused' },
]

export async function providerView(row: ProviderPage, visit: Visit): Promise<Html> {
  const { health, builtIn, providerId } = row
  if (!health || providerId === undefined) {
    return html`<p class="about">It is built in and answers where nothing else is registered.</p>`
  }
  return html`${await ordersView(row, health, visit)}
  ${tableView(
    { title: 'Calls to it', columns: CALLS, rows: callsOf(health), empty: 'None in the last day.' },
    visit,
  )}
  ${tableView(
    {
      title: 'Fees that it charged us in the last 30 days',
      columns: FEES,
      rows: health.outsideFees,
      empty: 'It reported none.',
    },
    visit,
  )}
  ${tableView({ title: 'Without it', columns: BUILT_IN, rows: builtIn, empty: '' }, visit)}
  ${await historyView({ resources: [providerId], visit })}`
}

type Secret = Readonly<{ secret?: string; inboundUrls?: readonly string[]; until?: string }>

/** Shown once, after adding and after a rotation. */
export const secretView = ({ secret, inboundUrls = [], until }: Secret): Html =>
  secret === undefined
    ? html`<p class="about">Providers of this kind have no secret.</p>`
    : html`<h2>Secret</h2>
        <p class="about">
          Give it to the provider now: it is not shown again.
          ${until === undefined ? '' : html`The former secret is accepted until ${timeOf(until)}.`}
        </p>
        <pre tabindex="0" aria-label="Secret"><code>${secret}</code></pre>
        ${
          inboundUrls.length === 0
            ? ''
            : html`<h2>Addresses that it calls</h2>
                <pre
                  tabindex="0"
                  aria-label="Addresses that it calls"
                ><code>${inboundUrls.join('\n')}</code></pre>`
        }`
