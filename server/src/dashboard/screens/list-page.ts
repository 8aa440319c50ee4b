/** A section's list: filters, table, and the way on to older rows. */
import { html, type Html } from '../../pages/html.ts'
import type { Call, Values } from '../../operator/command-line/command-line.ts'
import { mayUse } from '../../operator/access/must-be-allowed.ts'
import { UsageError } from '../../operator/command.ts'
import type { Row } from '../ask.ts'
import { atClockOf } from '../cells/at-clock-of.ts'
import { addressOf } from '../layout.ts'
import type { Cell, Column, Screen, Section, View, Visit } from '../section.ts'
import { savedView } from './saved-filters.ts'
import { filtersIn, filtersView, inLabels, lookupView } from './list-filters.ts'

/** With the list of the view that is asked for. */
export const sectionInView = (section: Section, visit: Visit): Section => ({
  ...section,
  list: { ...section.list, ...viewOf(section, visit)?.list },
})

export async function listScreen(given: Section, visit: Visit): Promise<Screen> {
  const section = sectionInView(given, visit)
  const { path, title, about, list } = section
  const lacksPlatform = list.needsPlatform !== undefined && visit.platformId === undefined
  const { rows, problem } = lacksPlatform ? NO_ROWS : await readRows(section, visit)
  const isShown = !lacksPlatform && problem === undefined
  const unset = Object.fromEntries(filtersIn(section, visit).map(({ name }) => [name, '']))
  const clearHref = listAddress(section, visit, unset)
  const body = html`<p class="about">${about}</p>
    ${sectionActions(section, visit)} ${viewsView(section, visit)}
    ${(await list.notice?.(visit)) ?? ''}
    ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <div class="tools">
      ${filtersView(section, visit, { view: viewOf(section, visit), clearHref })}
      ${lookupView(section, visit)}
    </div>
    ${await savedView(section, visit, queryWith(visit, {}).toString())}
    ${lacksPlatform ? html`<p class="empty">${list.needsPlatform ?? ''}</p>` : ''}
    ${isShown ? shownView(section, visit, rows) : ''}`
  return { title, within: path, body, ...(problem !== undefined && { status: BAD_REQUEST }) }
}

/** The first page of a list that is watched says where it hears of changes; without script it is loaded again. */
function shownView(section: Section, visit: Visit, rows: readonly Row[]): Html {
  const isFirst = !PLACES.some((name) => visit.query.has(name))
  const query = queryWith(visit, {}).toString()
  if (section.list.live === undefined || !isFirst) return rowsView(section, visit, rows)
  return html`<p class="small live">
      <a href="/${section.path}?${query}">Reload</a> <span data-live-state></span>
    </p>
    <div data-live="/${section.path}/-/live?${query}" tabindex="-1">
      ${rowsView(section, visit, rows)}
    </div>`
}

const rowsView = (section: Section, visit: Visit, rows: readonly Row[]): Html =>
  html`${table(section, visit, rows)} ${hasFile(section, rows) ? csvView(section, visit) : ''}
  ${olderView(section, visit, rows)}`

/** What of the list changes while it is open. */
export async function freshRows(given: Section, visit: Visit): Promise<Html> {
  const section = sectionInView(given, visit)
  return rowsView(section, visit, (await readRows(section, visit)).rows)
}

const BAD_REQUEST = 400

type Read = Readonly<{ rows: readonly Row[]; problem?: string }>

const NO_ROWS: Read = { rows: [] }

/** Where a filter has a bad value, what is wrong with it: the form stays as it was typed (OPER-120). */
async function readRows(section: Section, visit: Visit): Promise<Read> {
  try {
    return {
      rows: await visit.ask(section.list.command, callOf(section, visit, { isWhole: false })),
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { rows: [], problem: inLabels(section, error.message) }
  }
}

/** The view that is asked for, or the first. */
const viewOf = ({ list }: Section, { query }: Visit): View | undefined =>
  list.views?.find(({ name }) => name === query.get('view')) ?? list.views?.[0]

/** What is asked of the command: the page at hand, or from the first row on. */
export function callOf(
  section: Section,
  visit: Visit,
  { isWhole }: Readonly<{ isWhole: boolean }>,
): Call {
  const { filters = [], older } = section.list
  const asked = [...filters.map(({ name }) => name), ...(older && !isWhole ? [older.option] : [])]
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

/** What is asked for, with something else in it. */
function queryWith(
  { query, platformId }: Visit,
  change: Readonly<Record<string, string>>,
): URLSearchParams {
  const kept = Object.fromEntries([...query].filter(([name]) => !PLACES.includes(name)))
  const asked = { ...kept, ...(platformId !== undefined && { platform: platformId }), ...change }
  return new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ''))
}

/** The address of this list with something else in its query. */
const listAddress = (
  { path }: Section,
  visit: Visit,
  change: Readonly<Record<string, string>>,
): string => `/${path}?${queryWith(visit, change)}`

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

const cellOf = (column: Column, row: Row, visit: Visit): Cell => column.cell(row, visit)

function table(section: Section, visit: Visit, rows: readonly Row[]): Html {
  const { list, idOf, path } = section
  if (rows.length === 0) return html`<p class="empty">${list.empty}</p>`
  const line = (row: Row): Html => {
    const id = idOf?.(row)
    const href = id === undefined ? undefined : pageOf(visit, { path, id })
    const seen = atClockOf(section, visit, row)
    return html`<tr>
      ${list.columns.map((column, index) => {
        const cell = cellOf(column, row, seen)
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

/** A list that is cut off and has no further pages has no file, which would be cut off too. */
const hasFile = ({ list: { limit, older } }: Section, rows: readonly Row[]): boolean =>
  rows.length > 0 && (older !== undefined || limit === undefined || rows.length < limit)

/** All that the filters leave, not only this page. */
const csvView = (section: Section, visit: Visit): Html =>
  html`<p class="export">
    <a href="/${section.path}.csv?${queryWith(visit, {}).toString()}" download
      >All of these as CSV</a
    >
  </p>`

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
