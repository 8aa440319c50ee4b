import { html, type Html } from '../../pages/html.ts'
import type { Column, Visit } from '../section.ts'

export type Table<R> = Readonly<{
  title: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  /** What is said where there are none. */
  empty: string
}>

/** A table inside a page, under a heading of its own. */
export const tableView = <R>({ title, columns, rows, empty }: Table<R>, visit: Visit): Html =>
  html`<h2>${title}</h2>
    ${rows.length === 0 ? html`<p class="small">${empty}</p>` : filled({ title, columns, rows }, visit)}`

const classOf = ({ isFigure }: Pick<Column, 'isFigure'>): Html =>
  isFigure ? html`class="figure"` : html``

const filled = <R>({ title, columns, rows }: Omit<Table<R>, 'empty'>, visit: Visit): Html =>
  html`<div class="table">
    <table>
      <caption class="unseen">
        ${title}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" ${classOf(column)}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(
                (column) =>
                  html`<td ${classOf(column)} data-title="${column.title}">
                    ${column.cell(row, visit)}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
