/** The field in the frame that leads from any id, name or number to what has it (OPER-112). */
import type { FastifyInstance } from 'fastify'
import { unstorableValues } from '../../infra/http/input/unstorable-values.ts'
import { html } from '../../pages/html.ts'
import type { Answer } from '../../operator/command.ts'
import { lookUpCommands } from '../../operator/commands/customers/look-up.ts'
import { inWords, PLATFORM_COLUMN, shortId, statusColumn, textColumn } from '../cells/cells.ts'
import { addressOf, HEADERS } from '../layout.ts'
import { linkColumn, pageOfId } from '../page-links.ts'
import type { Column, Gate, Screen, Visit } from '../section.ts'
import { tableView } from '../cells/table-view.ts'

type Found = Answer<typeof lookUpCommands.lookUp>[number]

export function registerLookUp(scope: FastifyInstance, gate: Gate): void {
  scope.get('/look-up', async (request, reply) => {
    const visit = await gate.visit(request)
    const asked = visit.query.get('id')?.trim() ?? ''
    // Nothing of ours has a text in it that cannot be stored.
    const isAsked = asked !== '' && unstorableValues(asked).length === 0
    const rows = isAsked ? await visit.ask(lookUpCommands.lookUp, { args: [asked] }) : []
    const [only, ...more] = rows
    const isMeant = only && more.length === 0 && EXACT.includes(only.foundBy)
    const page = isMeant ? pageOfRow(visit, only) : undefined
    if (page !== undefined) return reply.headers(HEADERS).redirect(page, 303)
    return gate.show(
      reply,
      visit,
      rows.length === 0 ? nothing(asked) : several(visit, { asked, rows }),
    )
  })
}

/** What is found by one of these and alone is what was meant; anything else is offered. */
const EXACT: readonly string[] = ['ID', 'REFERENCE', 'EMAIL', 'PHONE']

/** A card and an owner are on the page of their customer. */
const pageOfRow = (visit: Visit, { id, customerId }: Found): string | undefined =>
  pageOfId(visit, id) ?? (customerId === undefined ? undefined : pageOfId(visit, customerId))

const HOW = html`<p class="about search-help">
    The field above takes any id of ours, whole or its last eight digits as lists print them, a
    platform’s own id of a customer, a UMA address, the reference of a payment or a refund, the name
    of a person, company, agent or beneficiary, an e-mail address, a phone number, an amount such as
    82.71 or 82.71 USD, and the last four digits of a card.
  </p>
  <p class="small">
    Names may be misspelt. Payments are found by amount, or by the end of their id, among the newest
    50,000, shared out between the platforms.
  </p>`

const nothing = (asked: string): Screen => ({
  status: asked === '' ? 200 : 404,
  title: asked === '' ? 'Search' : 'Nothing found',
  within: 'look-up',
  body: html`${asked === '' ? '' : html`<p>Nothing has or is called <code>${asked}</code>.</p>`}
  ${HOW}`,
})

const kindOf = (row: Found): string => inWords(row.kind.replace(/([a-z])([A-Z])/g, '$1 $2'))

const COLUMNS: readonly Column<Found>[] = [
  {
    title: 'Id',
    cell: (row, visit) => {
      const href = pageOfRow(visit, row)
      return href === undefined ? shortId(row.id) : html`<a href="${href}">${shortId(row.id)}</a>`
    },
  },
  textColumn('Found', 'title'),
  statusColumn('By', 'foundBy'),
  PLATFORM_COLUMN,
  linkColumn('Customer', 'customerId'),
]

/** A customer needs no second link to itself. */
const columnsOf = (rows: readonly Found[]): readonly Column<Found>[] =>
  rows.every(({ id, customerId }) => customerId === undefined || customerId === id)
    ? COLUMNS.slice(0, -1)
    : COLUMNS

/** One table for each kind; the kind with the best match first. */
const several = (
  visit: Visit,
  { asked, rows }: Readonly<{ asked: string; rows: readonly Found[] }>,
): Screen => {
  const kinds = Map.groupBy(rows, kindOf)
  return {
    title: `Found: ${asked}`,
    within: 'look-up',
    back: { href: addressOf(visit, '/'), title: 'Overview' },
    body: html`${[...kinds].map(([kind, found]) =>
      tableView({ title: `${kind}s`, columns: columnsOf(found), rows: found, empty: '' }, visit),
    )}
    ${HOW}`,
  }
}
