/** A section's list: filters, table, and the way on to older rows. */
import { html, type Html } from '../../pages/html.ts'
import type { Call, Values } from '../../operator/command-line/command-line.ts'
import { mayUse } from '../../operator/access/may-run.ts'
import type { Row } from '../ask.ts'
import { addressOf } from '../layout.ts'
import type { Cell, Column, Filter, Screen, Section, View, Visit } from '../section.ts'

export async function listScreen(given: Section, visit: Visit): Promise<Screen> {
  const section = { ...given, list: { ...given.list, ...viewOf(given, visit)?.list } }
  const { path, title, about, list } = section
  const lacksPlatform = list.needsPlatform !== undefined && visit.platformId === undefined
  const rows = lacksPlatform ? [] : await visit.ask(list.command, callOf(section, visit))
  const body = html`<p class="about">${about}</p>
    ${sectionActions(section, visit)} ${viewsView(section, visit)}
    ${(await list.notice?.(visit)) ?? ''}
    <div class="tools">${filtersView(section, visit)} ${lookupView(section, visit)}</div>
    ${lacksPlatform ? html`<p class="empty">${list.needsPlatform ?? ''}</p>` : table(section, visit, rows)}
    ${olderView(section, visit, rows)}`
  return { title, within: path, body }
}

/** The view that is asked for, or the first. */
const viewOf = ({ list }: Section, { query }: Visit): View | undefined =>
  list.views?.find(({ name }) => name === query.get('view')) ?? list.views?.[0]

function callOf(section: Section, visit: Visit): Call {
  const { filters = [], older } = section.list
  const asked = [...filters.map(({ name }) => name), ...(older ? [older.option] : [])]
  const given = asked.flatMap((name) => {
    const value = visit.query.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  const ofView = viewOf(section, visit)?.options
  return { options: { ...ofView, ...Object.fromEntries(given), ...boundsOf(section, visit) } }
}

/** How far every look at a list goes, whatever it is filtered by. */
function boundsOf({ list }: Section, { platformId }: Visit): Values {
  const { byPlatform, limit, needsPlatform } = list
  const isNarrowed = byPlatform === true || needsPlatform !== undefined
  return {
    ...(isNarrowed && platformId !== undefined && { platform: platformId }),
    ...(limit !== undefined && { limit: String(limit) }),
  }
}

function sectionActions({ actions = [], path }: Section, visit: Visit): Html {
  const offered = actions.filter(({ command }) => mayUse(visit.caller, command))
  if (offered.length === 0) return html``
  return html`<p class="doings">
    ${offered.map(
      ({ name, label }) =>
        html`<a class="button" href="${addressOf(visit, `/${path}/-/${name}`)}">${label}</a>`,
    )}
  </p>`
}

/** The position in a list; another filter starts from the first page. */
const PLACES: readonly string[] = ['before', 'after']

/** The address of this list with something else in its query. */
function listAddress(
  { path }: Section,
  { query, platformId }: Visit,
  change: Readonly<Record<string, string>>,
): string {
  const kept = Object.fromEntries(
    [...query].filter(([name, value]) => !PLACES.includes(name) && value),
  )
  const asked = { ...kept, ...(platformId !== undefined && { platform: platformId }), ...change }
  return `/${path}?${new URLSearchParams(asked)}`
}

function viewsView(section: Section, visit: Visit): Html {
  const { views = [] } = section.list
  if (views.length < 2) return html``
  const current = viewOf(section, visit)
  return html`<ul class="views" aria-label="Lists">
    ${views.map(
      (view) =>
        html`<li>
          <a
            href="${listAddress(section, visit, { view: view.name })}"
            ${view === current ? html`aria-current="true"` : ''}
            >${view.title}</a
          >
        </li>`,
    )}
  </ul>`
}

function filtersView(section: Section, visit: Visit): Html {
  const { filters = [], views = [] } = section.list
  if (filters.length === 0) return html``
  const { platformId } = visit
  const isChosen = filters.every(({ choices }) => choices !== undefined)
  const view = viewOf(section, visit)
  return html`<form
    class="filters ${isChosen ? 'chosen-only' : ''}"
    method="get"
    action="/${section.path}"
    role="search"
  >
    ${
      platformId === undefined
        ? ''
        : html`<input type="hidden" name="platform" value="${platformId}" />`
    }
    ${views.length > 1 && view ? html`<input type="hidden" name="view" value="${view.name}" />` : ''}
    ${filters.map((filter) => filterView(filter, visit))}
    <button class="quiet">Filter</button>
  </form>`
}

const lookupView = ({ path, list: { lookup } }: Section, { platformId }: Visit): Html =>
  lookup === undefined
    ? html``
    : html`<form class="filters lookup" method="get" action="/${path}">
        ${
          platformId === undefined
            ? ''
            : html`<input type="hidden" name="platform" value="${platformId}" />`
        }
        <div>
          <label for="lookup">${lookup.label}</label>
          <input id="lookup" name="id" size="46" placeholder="${lookup.placeholder}" required />
        </div>
        <button class="quiet">Open</button>
      </form>`

function filterView({ name, label, choices: given, placeholder = '' }: Filter, visit: Visit): Html {
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
    : html`<input id="${id}" name="${name}" value="${value}" placeholder="${placeholder}" />`
  return html`<div><label for="${id}">${label}</label>${control}</div>`
}

const cellOf = (column: Column, row: Row, visit: Visit): Cell => column.cell(row, visit)

function table(section: Section, visit: Visit, rows: readonly Row[]): Html {
  const { list, idOf, path } = section
  if (rows.length === 0) return html`<p class="empty">${list.empty}</p>`
  const line = (row: Row): Html => {
    const id = idOf?.(row)
    const href = id === undefined ? undefined : pageOf(visit, { path, id })
    return html`<tr>
      ${list.columns.map((column, index) => {
        const cell = cellOf(column, row, visit)
        const shown = index === 0 && href !== undefined ? html`<a href="${href}">${cell}</a>` : cell
        return html`<td ${column.isFigure ? html`class="figure"` : ''} data-title="${column.title}">
          ${shown}
        </td>`
      })}
    </tr>`
  }
  return html`<div class="table">
    <table>
      <caption>
        ${list.caption}: ${rows.length === 1 ? 'one' : String(rows.length)}
      </caption>
      <thead>
        <tr>
          ${list.columns.map(
            ({ title, isFigure }) =>
              html`<th scope="col" ${isFigure ? html`class="figure"` : ''}>${title}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(line)}
      </tbody>
    </table>
  </div>`
}

/** The page of one thing of a section. */
export const pageOf = (
  visit: Visit,
  { path, id }: Readonly<{ path: string; id: string }>,
): string => addressOf(visit, `/${path}/${encodeURIComponent(id)}`)

function olderView(section: Section, visit: Visit, rows: readonly Row[]): Html {
  const { limit, older } = section.list
  const last = rows.at(-1)
  if (limit === undefined || last === undefined || rows.length < limit) return html``
  if (!older) return html`<p class="small">Only the first ${String(limit)} are shown.</p>`
  const href = listAddress(section, visit, { [older.option]: older.of(last) })
  return html`<p class="paging">
    <a class="button" href="${href}" rel="next">${older.label ?? 'Older'}</a>
  </p>`
}

const ONLY_VIEW: View = { name: '', title: '' }

/** One row of a section's list by its id, from whichever view has it. */
export async function findRow(
  section: Section,
  visit: Visit,
  id: string,
): Promise<Row | undefined> {
  const { views = [ONLY_VIEW], command } = section.list
  for (const { options } of views) {
    const call = { options: { ...options, ...boundsOf(section, visit) } }
    const rows = await visit.ask(command, call)
    const found = rows.find((row) => section.idOf?.(row) === id)
    if (found) return found
  }
  return undefined
}
