import { countOpenExceptions, type RESOLUTIONS } from '../../../orders/index.ts'
import type { Answer } from '../../../operator/command.ts'
import { exceptionCommands } from '../../../operator/commands/providers/exceptions.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  inWords,
  NOTHING,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { tableView } from '../../cells/table-view.ts'
import { linkedId } from '../../page-links.ts'
import type { Column, Section } from '../../section.ts'
import { COUNT_BOUND, historyView, ifAny, lastAction, nextView, onAfter } from '../waiting.ts'
import { transactionLink } from '../waiting.ts'
import { RESOLVE_ACTIONS } from './exception-actions.ts'
import { ORDER_COLUMNS, PROVIDER } from './order-view.ts'
import { statementsView } from './statements.ts'
import { EXCEPTION_WORDS } from './words.ts'

type Line = Answer<typeof exceptionCommands.list>[number]
export type ExceptionPage = Answer<typeof exceptionCommands.show>

const wordsOf = ({ type }: Line): string =>
  EXCEPTION_WORDS[type as keyof typeof RESOLUTIONS] ?? inWords(type)

const SUBJECT: Column<Readonly<{ subject?: string }>> = {
  title: 'About',
  cell: ({ subject }, visit) => (subject === undefined ? NOTHING : linkedId(visit, subject)),
}

export const exceptions: Section<Line, ExceptionPage> = {
  path: 'exceptions',
  title: 'Exceptions',
  about: 'Where a provider contradicts itself or us, and only a person can decide. Oldest first.',
  count: ({ db }) => countOpenExceptions(db.read, COUNT_BOUND),
  waitsSince: ({ openedAt }) => openedAt,
  idOf: ({ exceptionId }) => exceptionId,
  list: {
    command: exceptionCommands.list,
    caption: 'Exceptions',
    byPlatform: true,
    views: [
      { name: 'open', title: 'Open' },
      { name: 'all', title: 'All, newest first', options: { all: true } },
    ],
    lookup: { label: 'Any exception', placeholder: 'Exception:…' },
    columns: [
      { title: 'What', cell: ({ type }) => inWords(type) },
      statusColumn('Status', 'status'),
      textColumn('Provider', 'provider'),
      PLATFORM_COLUMN,
      {
        title: 'Order',
        cell: ({ orderId }, visit) => (orderId === undefined ? NOTHING : linkedId(visit, orderId)),
      },
      SUBJECT,
      ageColumn('Since', 'openedAt'),
    ],
    empty: 'Nothing waits for a decision.',
    limit: 50,
    older: onAfter((row) => [row.openedAt, row.exceptionId]),
  },
  detail: {
    command: exceptionCommands.show,
    title: ({ type }) => inWords(type),
    facts: [
      statusColumn('Status', 'status'),
      ifAny(statusColumn('Resolved as', 'resolution')),
      ifAny(textColumn('Note', 'note')),
      ifAny(textColumn('Decided by', 'operator')),
      ifAny(timeColumn('Resolved', 'resolvedAt')),
      PROVIDER,
      PLATFORM_COLUMN,
      transactionLink('order', 'transactionId'),
      ifAny(SUBJECT),
      timeColumn('Opened', 'openedAt'),
      codeColumn('Id', 'exceptionId'),
    ],
    body: async (row, visit) =>
      html`<p>${wordsOf(row)}</p>
        ${row.status === 'OPEN' ? '' : await nextView(exceptions, visit)}
        ${statementsView(row.details, visit)}
        ${
          row.order === undefined
            ? ''
            : tableView(
                { title: 'Its order', columns: ORDER_COLUMNS, rows: [row.order], empty: '' },
                visit,
              )
        }
        ${await historyView({ resources: [row.exceptionId], visit })}`,
    actions: RESOLVE_ACTIONS,
    versionOf: ({ status, order }) => [status, order?.state].join(' '),
    explain: ({ exceptionId }, visit) => lastAction({ resources: [exceptionId], visit }),
  },
}
