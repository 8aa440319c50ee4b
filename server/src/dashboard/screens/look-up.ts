/** The field in the frame that leads from any id or reference to what has it. */
import type { FastifyInstance } from 'fastify'
import { html } from '../../pages/html.ts'
import type { Answer } from '../../operator/command.ts'
import { lookUpCommands } from '../../operator/commands/customers/look-up.ts'
import { inWords, PLATFORM_COLUMN } from '../cells/cells.ts'
import { addressOf, HEADERS } from '../layout.ts'
import { linkColumn, pageOfId } from '../page-links.ts'
import type { Column, Gate, Screen, Visit } from '../section.ts'
import { tableView } from '../cells/table-view.ts'

type Found = Answer<typeof lookUpCommands.lookUp>[number]

export function registerLookUp(scope: FastifyInstance, gate: Gate): void {
  scope.get('/look-up', async (request, reply) => {
    const visit = await gate.visit(request)
    const asked = visit.query.get('id')?.trim() ?? ''
    const rows = asked === '' ? [] : await visit.ask(lookUpCommands.lookUp, { words: [asked] })
    const [only, ...more] = rows
    const page = only && more.length === 0 ? pageOfRow(visit, only) : undefined
    if (page !== undefined) return reply.headers(HEADERS).redirect(page, 303)
    return gate.show(reply, visit, rows.length === 0 ? nothing(asked) : several(visit, rows))
  })
}

/** A card and an owner are on the page of their customer. */
const pageOfRow = (visit: Visit, { id, customerId }: Found): string | undefined =>
  pageOfId(visit, id) ?? (customerId === undefined ? undefined : pageOfId(visit, customerId))

const nothing = (asked: string): Screen => ({
  status: asked === '' ? 200 : 404,
  title: asked === '' ? 'Look up' : 'Nothing has this id',
  within: 'look-up',
  body: html`${asked === '' ? '' : html`<p>No platform has <code>${asked}</code>.</p>`}
    <p class="about">
      The field above takes any id of ours with or without its kind, a platform’s own id of a
      customer, a UMA address, and the reference of a payment or a refund. References have to be
      whole, and as they were written.
    </p>`,
})

const KIND: Column<Found> = {
  title: 'What',
  cell: (row) => inWords(row.kind.replace(/([a-z])([A-Z])/g, '$1 $2')),
}

const COLUMNS: readonly Column<Found>[] = [
  linkColumn('Id', 'id'),
  KIND,
  PLATFORM_COLUMN,
  linkColumn('Customer', 'customerId'),
]

const several = (visit: Visit, rows: readonly Found[]): Screen => ({
  title: 'Found',
  within: 'look-up',
  back: { href: addressOf(visit, '/'), title: 'Overview' },
  body: tableView({ title: 'Matches', columns: COLUMNS, rows, empty: '' }, visit),
})
