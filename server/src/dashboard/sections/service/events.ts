import { addMs, DAY_MS } from '../../../kernel/clock.ts'
import { countFailedEvents } from '../../../operator/queries/operator-store.ts'
import { EVENT_TYPES } from '../../../webhooks/event-types.ts'
import { html } from '../../../pages/html.ts'
import {
  codeColumn,
  figureColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { PERIOD_FILTERS, plainChoices } from '../filters.ts'
import { jsonView } from '../../cells/json-view.ts'
import type { Section, Column } from '../../section.ts'
import { tableView } from '../../cells/table-view.ts'
import { eventCommands } from '../../../operator/commands/service/events.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof eventCommands.list>[number]
type Shown = Answer<typeof eventCommands.show>

const ATTEMPTS: readonly Column<Shown['attempts'][number]>[] = [
  timeColumn('At', 'at'),
  figureColumn('Answer', 'responseStatus'),
  textColumn('Error', 'error'),
  figureColumn('Took (ms)', 'durationMs'),
  codeColumn('Address', 'url'),
]

/** As it is sent. */
const bodyOf = ({ eventId, type, timestamp, data }: Shown) => ({
  id: eventId,
  type,
  timestamp,
  data,
})

export const events: Section<Line, Shown> = {
  path: 'events',
  title: 'Events',
  about: 'What platforms are told by webhook, and whether it arrived.',
  waits: 'Undelivered in a day',
  count: ({ db, clock }) => countFailedEvents(db.read, addMs(clock.now(), -DAY_MS)),
  isTrouble: true,
  idOf: ({ eventId }) => eventId,
  list: {
    command: eventCommands.list,
    caption: 'Events, newest first',
    byPlatform: true,
    views: [
      { name: 'undelivered', title: 'Undelivered', options: { status: 'FAILED' } },
      { name: 'waiting', title: 'Waiting for an attempt', options: { status: 'PENDING' } },
      { name: 'all', title: 'All' },
    ],
    filters: [
      { name: 'type', label: 'Type', choices: plainChoices(EVENT_TYPES) },
      ...PERIOD_FILTERS,
    ],
    columns: [
      textColumn('Type', 'type'),
      statusColumn('Delivery', 'deliveryStatus'),
      PLATFORM_COLUMN,
      timeColumn('Emitted', 'timestamp'),
      figureColumn('Attempts', 'attempts'),
      figureColumn('Last answer', 'lastStatus'),
      textColumn('Last error', 'lastError'),
      timeColumn('Next attempt', 'nextAttemptAt'),
    ],
    empty: 'No event is here.',
    live: 'events',
    limit: 50,
    older: { option: 'before', of: ({ eventId }) => eventId },
    lookup: { label: 'Any event', placeholder: 'Webhook:…' },
  },
  detail: {
    command: eventCommands.show,
    title: ({ type }) => type,
    facts: [
      statusColumn('Delivery', 'deliveryStatus'),
      PLATFORM_COLUMN,
      timeColumn('Emitted', 'timestamp'),
      timeColumn('Next attempt', 'nextAttemptAt'),
      codeColumn('Id', 'eventId'),
    ],
    body: (row, visit) =>
      html`${tableView(
          {
            title: 'Attempts',
            columns: ATTEMPTS,
            rows: row.attempts,
            empty: 'None has ended yet.',
          },
          visit,
        )}
        <h2>What is sent</h2>
        ${jsonView(bodyOf(row))}`,
    actions: [
      {
        name: 'redeliver',
        label: 'Send again',
        command: eventCommands.redeliver,
        tone: 'good',
        about: 'Once more, with the same id and body, to the platform’s present endpoint.',
        done: 'It is sent again.',
      },
    ],
  },
}
