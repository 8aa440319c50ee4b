/** The form above a list: its filters as they stand in the address. */
import { isCalendarDate } from '../../kernel/clock.ts'
import { html, type Html } from '../../pages/html.ts'
import type { Filter, Section, View, Visit } from '../section.ts'

/** The filters that are set. */
export const filtersIn = ({ list: { filters = [] } }: Section, { query }: Visit): Filter[] =>
  filters.filter(({ name }) => (query.get(name)?.trim() ?? '') !== '')

const hidden = (name: string, value: string | undefined): Html =>
  value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`

type Shown = Readonly<{ view: View | undefined; clearHref: string }>

export function filtersView(section: Section, visit: Visit, { view, clearHref }: Shown): Html {
  const { filters = [], views = [] } = section.list
  if (filters.length === 0) return html``
  const isChosen = filters.every(({ choices }) => choices !== undefined)
  return html`<form
    class="filters ${isChosen ? 'chosen-only' : ''}"
    method="get"
    action="/${section.path}"
    role="search"
  >
    ${hidden('platform', visit.platformId)}
    ${hidden('view', views.length > 1 ? view?.name : undefined)}
    ${filters.map((filter) => filterView(filter, visit))}
    <button class="quiet">Filter</button>
    ${filtersIn(section, visit).length > 0 ? html`<a href="${clearHref}">Clear</a>` : ''}
  </form>`
}

export const lookupView = ({ path, list: { lookup } }: Section, { platformId }: Visit): Html =>
  lookup === undefined
    ? html``
    : html`<form class="filters lookup" method="get" action="/${path}">
        ${hidden('platform', platformId)}
        <div>
          <label for="lookup">${lookup.label}</label>
          <input id="lookup" name="id" size="46" placeholder="${lookup.placeholder}" required />
        </div>
        <button class="quiet">Open</button>
      </form>`

type Control = Readonly<{ id: string; name: string; value: string }>

/** A time, or what is no day at all, is kept as it was typed. */
const inputView = ({ kind, placeholder = '' }: Filter, { id, name, value }: Control): Html => {
  const isDay = kind === 'day' && (value === '' || isCalendarDate(value))
  return html`<input
    id="${id}"
    name="${name}"
    value="${value}"
    placeholder="${placeholder}"
    ${isDay ? html`type="date"` : ''}
    ${kind === 'amount' ? html`inputmode="decimal" size="10"` : ''}
  />`
}

function filterView(filter: Filter, visit: Visit): Html {
  const { name, label, choices: given } = filter
  const id = `filter-${name}`
  const value = visit.query.get(name) ?? ''
  const choices = typeof given === 'function' ? given(visit) : given
  const control = choices
    ? html`<select id="${id}" name="${name}" data-submit>
        <option value="">Any</option>
        ${choices.map(
          (one) =>
            html`<option value="${one.value}" ${one.value === value ? html`selected` : ''}>
              ${one.label}
            </option>`,
        )}
      </select>`
    : inputView(filter, { id, name, value })
  return html`<div><label for="${id}">${label}</label>${control}</div>`
}

/** What is wrong with the filters; options of the command are called as the form calls them. */
export function inLabels({ list: { filters = [] } }: Section, message: string): string {
  return message.replaceAll(
    /--([a-z-]+)/g,
    (_, option: string) => filters.find(({ name }) => name === option)?.label ?? option,
  )
}
