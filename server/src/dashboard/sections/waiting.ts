/** What the screens of waiting work have in common. */
import { html, type Html } from '../../pages/html.ts'
import { rowsOf, type Row } from '../ask.ts'
import { NOTHING, textIn, timeOf } from '../cells.ts'
import { addressOf } from '../layout.ts'
import { pageOf } from '../list-page.ts'
import type { Column, List, Section, Visit } from '../section.ts'

/** Counting stops one after what is shown as a number. */
export const COUNT_BOUND = { atMost: 100 }

/** Lists of waiting work have the oldest first and go on with those that came later. */
export const onAfter = (
  names: Readonly<{ time: string; id: string }>,
): NonNullable<List['older']> => ({
  option: 'after',
  of: (row) => `${textIn(row, names.time)}/${textIn(row, names.id)}`,
  label: 'More',
})

/** Whose it is: a customer, or else the platform itself. */
export const CUSTOMER_NAME: Column = {
  title: 'Customer',
  cell: (row) => textIn(row, 'customerName') || 'The platform itself',
}

/** A line that is left out where there is nothing to say. */
export const ifAny = (column: Column): Column => ({ ...column, isLeftOut: true })

/** What came of it in the book, whole: its id leads to its page. */
export const transactionLink = (...path: readonly string[]): Column => ({
  title: 'Transaction id',
  isLeftOut: true,
  cell: (row, visit) => {
    const id = textIn(row, ...path)
    if (id === '') return NOTHING
    return html`<a href="${pageOf(visit, { path: 'transactions', id })}"><code>${id}</code></a>`
  },
})

type About = Readonly<{ resources: readonly string[]; visit: Visit }>

const actionsOn = async ({ resources, visit }: About): Promise<readonly Row[]> => {
  const options = { actor: 'operator:', resource: [...resources], limit: '20' }
  return rowsOf(await visit.ask('audit list', { options }))
}

const operatorOf = (entry: Row): string => textIn(entry, 'actor').replace('operator:', '')

/** What operators did to something, newest first. */
export async function historyView(about: About): Promise<Html> {
  const entries = await actionsOn(about)
  if (entries.length === 0) return html``
  return html`<h2>History</h2>
    <ol class="history">
      ${entries.map(
        (entry) =>
          html`<li>
            ${timeOf(textIn(entry, 'at'))} <strong>${operatorOf(entry)}</strong>
            ${textIn(entry, 'action')}
          </li>`,
      )}
    </ol>`
}

/** Tells an operator whose action was refused who acted before. */
export async function lastAction(about: About): Promise<readonly string[]> {
  const [last] = await actionsOn(about)
  if (!last) return []
  const at = textIn(last, 'at').slice(0, 16).replace('T', ' ')
  return [`Last was: ${operatorOf(last)}, ${textIn(last, 'action')}, ${at} UTC.`]
}

/** After an action the operator goes on with the oldest item in the queue. */
export async function nextView({ list, path, idOf }: Section, visit: Visit): Promise<Html> {
  const { platformId: platform } = visit
  const isNarrowed = list.byPlatform === true && platform !== undefined
  const options = { limit: '1', ...(isNarrowed && { platform }) }
  const [next] = rowsOf(await visit.ask(list.command, { options }))
  if (!next || !idOf) return html`<p class="about">Nothing else waits here.</p>`
  const href = addressOf(visit, `/${path}/${encodeURIComponent(idOf(next))}`)
  return html`<p><a class="button" href="${href}">Next in queue</a></p>`
}
