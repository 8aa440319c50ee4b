/** What the screens of waiting work have in common. */
import { html, type Html } from '../../pages/html.ts'
import { columnOf, timeOf } from '../cells/cells.ts'
import { addressOf } from '../layout.ts'
import { pageOf } from '../screens/list-page.ts'
import type { Path } from '../path.ts'
import type { Column, Older, Section, Visit } from '../section.ts'
import { actionsOfOperators, nameOfActor } from '../audit-entries.ts'

/** Counting stops one after what is shown as a number. */
export const COUNT_BOUND = { atMost: 100 }

/** Lists of waiting work have the oldest first and go on with those that came later. */
export const onAfter = <R>(placeOf: (row: R) => readonly [time: string, id: string]): Older<R> => ({
  option: 'after',
  of: (row) => placeOf(row).join('/'),
  label: 'More',
})

/** Whose it is: a customer, or else the platform itself. */
export const CUSTOMER_NAME: Column<Readonly<{ customerName?: string }>> = {
  title: 'Customer',
  cell: ({ customerName }) => customerName ?? 'The platform itself',
}

/** A line that is left out where there is nothing to say. */
export const ifAny = <R>(column: Column<R>): Column<R> => ({ ...column, isLeftOut: true })

/** What came of it in the book, whole: its id leads to its page. */
export const transactionLink = <R>(...path: Path<R>): Column<R> =>
  ifAny(
    columnOf(
      'Transaction id',
      path,
      (id, visit) =>
        html`<a href="${pageOf(visit, { path: 'transactions', id })}"><code>${id}</code></a>`,
    ),
  )

type About = Readonly<{ resources: readonly string[]; visit: Visit }>

const actionsOn = ({ resources, visit }: About) =>
  actionsOfOperators(visit, { resource: [...resources] })

/** What operators did to something, newest first. */
export async function historyView(about: About): Promise<Html> {
  const entries = await actionsOn(about)
  if (entries.length === 0) return html``
  return html`<h2>History</h2>
    <ol class="history">
      ${entries.map(
        (entry) =>
          html`<li>${timeOf(entry.at)} <strong>${nameOfActor(entry)}</strong> ${entry.action}</li>`,
      )}
    </ol>`
}

/** Tells an operator whose action was refused who acted before. */
export async function lastAction(about: About): Promise<readonly string[]> {
  const [last] = await actionsOn(about)
  if (!last) return []
  const at = last.at.slice(0, 16).replace('T', ' ')
  return [`Last was: ${nameOfActor(last)}, ${last.action}, ${at} UTC.`]
}

/** After an action the operator goes on with the oldest item in the queue. */
export async function nextView({ list, path, idOf }: Section, visit: Visit): Promise<Html> {
  const { platformId: platform } = visit
  const isNarrowed = list.byPlatform === true && platform !== undefined
  const options = { limit: '1', ...(isNarrowed && { platform }) }
  const [next] = await visit.ask(list.command, { options })
  if (!next || !idOf) return html`<p class="about">Nothing else waits here.</p>`
  const href = addressOf(visit, `/${path}/${encodeURIComponent(idOf(next))}`)
  return html`<p><a class="button" href="${href}">Next in queue</a></p>`
}
