/** One line through time on the page of a thing, what comes next at its end (OPER-106). */
import { mayUse } from '../../operator/access/must-be-allowed.ts'
import type { Answer } from '../../operator/command.ts'
import { timelineCommands } from '../../operator/commands/customers/timeline.ts'
import { html, type Html } from '../../pages/html.ts'
import { badge, inWords, moneyCell, timeOf } from '../cells/cells.ts'
import { linkedId } from '../page-links.ts'
import type { Visit } from '../section.ts'

type Entry = Answer<typeof timelineCommands.show>['entries'][number]

const KINDS: Readonly<Record<string, string>> = {
  ACTION: 'Done',
  BOOKED: 'Booked',
  EVENT: 'Webhook',
  ATTEMPT: 'Attempt',
  ORDER: 'Order',
  DUE: 'Next',
}

/** `IA:<uuid>:available` is a part of an internal account. */
function stateView(visit: Visit, { kind, state = '' }: Entry): Html {
  const [, uuid = '', part = ''] = /^IA:([0-9a-f-]{36}):(\w+)$/.exec(state) ?? []
  if (uuid !== '') return html`on ${linkedId(visit, `InternalAccount:${uuid}`)} ${part}`
  return state === '' || kind === 'BOOKED' ? html`` : badge(state)
}

const byView = (visit: Visit, by: string): Html =>
  /^(Token|Agent):/.test(by) ? html`by ${linkedId(visit, by)}` : html`by ${by}`

function lineView(visit: Visit, entry: Entry): Html {
  const { at, kind, what, by, why, amount, eventId } = entry
  return html`<li ${entry.isAhead ? html`class="ahead"` : ''}>
    ${timeOf(at)}
    <span class="badge ${entry.isAhead ? 'warn' : 'plain'}">${KINDS[kind] ?? inWords(kind)}</span>
    <strong>${what}</strong> ${amount === undefined ? '' : moneyCell(amount)}
    ${stateView(visit, entry)} ${by === undefined ? '' : byView(visit, by)}
    ${why === undefined ? '' : html`“${why}”`}
    ${eventId === undefined ? '' : linkedId(visit, eventId)}
  </li>`
}

export async function timelineView(visit: Visit, id: string): Promise<Html> {
  if (!mayUse(visit.caller, timelineCommands.show)) return html``
  const { entries } = await visit.ask(timelineCommands.show, { args: [id] })
  return html`<h2>Timeline</h2>
    ${
      entries.length === 0
        ? html`<p class="empty">Nothing is recorded about it.</p>`
        : html`<ol class="history timeline">
            ${entries.map((entry) => lineView(visit, entry))}
          </ol>`
    }`
}
