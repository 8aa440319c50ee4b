/** The filters that a reader keeps of a list, as links above it (OPER-124). */
import { html, type Html } from '../../pages/html.ts'
import { mayUse } from '../../operator/access/must-be-allowed.ts'
import { filterCommands } from '../../operator/commands/operators/saved-filters.ts'
import { formToken } from '../layout.ts'
import type { Section, Visit } from '../section.ts'
import { filtersIn } from './list-filters.ts'

type Saved = Readonly<{ name: string; query: string; isShown: boolean }>

const savedLink = ({ path }: Section, visit: Visit, { name, query, isShown }: Saved): Html =>
  html`<li>
    <a href="/${path}?${query}" ${isShown ? html`aria-current="true"` : ''}>${name}</a>
    <form method="post" action="/${path}/-/delete-filter">
      ${formToken(visit)}
      <input type="hidden" name="name" value="${name}" />
      <button class="quiet" aria-label="Delete the filter ${name}">×</button>
    </form>
  </li>`

/** Offered once there is something to keep. */
const saveForm = ({ path }: Section, visit: Visit, query: string): Html =>
  html`<form class="filters" method="post" action="/${path}/-/save-filter">
    ${formToken(visit)}
    <input type="hidden" name="query" value="${query}" />
    <div>
      <label for="filter-name">Keep these filters as</label>
      <input id="filter-name" name="name" maxlength="60" required />
    </div>
    <button class="quiet">Save</button>
  </form>`

/** `query` is what the list is asked for at present. */
export async function savedView(section: Section, visit: Visit, query: string): Promise<Html> {
  const { path, list } = section
  if (!list.filters || !mayUse(visit.caller, filterCommands.list)) return html``
  const saved = await visit.ask(filterCommands.list, { options: { section: path } })
  const isSet = filtersIn(section, visit).length > 0
  return html`${
    saved.length === 0
      ? ''
      : html`<ul class="views saved" aria-label="Saved filters">
          ${saved.map((one) => savedLink(section, visit, { ...one, isShown: one.query === query }))}
        </ul>`
  }
  ${isSet ? saveForm(section, visit, query) : ''}`
}
