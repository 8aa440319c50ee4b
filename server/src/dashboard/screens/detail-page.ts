/** The page of one thing: what is known of it, and what can be done about it. */
import { html, type Html } from '../../pages/html.ts'
import { mayUse } from '../../operator/access/must-be-allowed.ts'
import type { Row } from '../ask.ts'
import { actionForm, type Attempt } from './action-form.ts'
import { atClockOf } from '../cells/at-clock-of.ts'
import { NOTHING } from '../cells/cells.ts'
import { addressOf } from '../layout.ts'
import { timelineView } from './timeline.ts'
import type { Column, Screen, Section, Visit } from '../section.ts'

export const factsView = <R>(facts: readonly Column<R>[], row: R, visit: Visit): Html =>
  html`<dl class="facts">
    ${facts.map((fact) => {
      const cell = fact.cell(row, visit)
      if (fact.isLeftOut === true && cell === NOTHING) return html``
      return html`<div>
        <dt>${fact.title}</dt>
        <dd>${cell}</dd>
      </div>`
    })}
  </dl>`

export type Shown = Readonly<{ id: string; row: Row; attempt?: Attempt }>

export async function detailScreen(
  section: Section,
  visitor: Visit,
  { id, row, attempt }: Shown,
): Promise<Screen> {
  const { path, title, detail } = section
  const visit = atClockOf(section, visitor, row)
  const facts = detail?.facts ?? []
  const back = { href: addressOf(visit, `/${path}`), title }
  const body = html`<div class="detail">
    <div class="about-it">
      ${facts.length > 0 ? factsView(facts, row, visit) : ''}
      ${(await detail?.body?.(row, visit)) ?? ''}
      ${detail?.timelineOf ? await timelineView(visit, detail.timelineOf(row)) : ''}
    </div>
    ${actionsView(section, visit, { id, row, ...(attempt && { attempt }) })}
  </div>`
  return { title: detail?.title(row) ?? title, within: path, back, body }
}

/** Each action opens where it stands; of several one is open. */
function actionsView({ path, detail }: Section, visit: Visit, { id, row, attempt }: Shown): Html {
  const isTried = (name: string): boolean => attempt?.action === name
  const offered = (detail?.actions ?? []).filter(
    ({ isOffered, name, command }) =>
      mayUse(visit.caller, command) && (isTried(name) || (isOffered?.(row, visit) ?? true)),
  )
  if (offered.length === 0) return html``
  return html`<aside class="doings" aria-label="Actions">
    <h2>Actions</h2>
    ${offered.map((action) => {
      const { name, label, tone = 'plain' } = action
      const address = addressOf(visit, `/${path}/${encodeURIComponent(id)}/${name}`)
      const typed = isTried(name) ? attempt?.typed : undefined
      return html`<details name="action" class="${tone}" ${isTried(name) ? html`open` : ''}>
        <summary>${label}</summary>
        ${actionForm(visit, { action, row, address, typed, seen: detail?.versionOf?.(row) })}
      </details>`
    })}
  </aside>`
}
