import type { Answer } from '../../../operator/command.ts'
import { METHODS, requestCommands } from '../../../operator/commands/developers/requests.ts'
import { html, type Html } from '../../../pages/html.ts'
import {
  codeColumn,
  figureColumn,
  inWords,
  PLATFORM_COLUMN,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import { PERIOD_FILTERS, plainChoices } from '../filters.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Section, Visit } from '../../section.ts'

type Line = Answer<typeof requestCommands.list>[number]
type Shown = Answer<typeof requestCommands.show>

const TONES = ['plain', 'plain', 'good', 'plain', 'warn', 'bad']

const STATUS: Column<Line> = {
  title: 'Status',
  cell: ({ status }) =>
    html`<span class="badge ${TONES[Math.floor(status / 100)] ?? 'plain'}"
      >${String(status)}</span
    >`,
}

const REQUEST: Column<Line> = {
  title: 'Request',
  plain: ({ method, path }) => `${method} ${path}`,
  cell: ({ method, path }) => html`<code>${method} ${shortPath(path)}</code>`,
}

/** The version is the same everywhere; of ids the end tells them apart. */
const shortPath = (path: string): string =>
  path
    .replace(/^\/\d{4}-\d{2}-\d{2}(?=\/)/, '')
    .replaceAll(/(?<=[:/])[0-9a-f]{8}(?:-[0-9a-f]{4}){4}([0-9a-f]{8})/g, '…$1')

const CLASSES = [
  { value: '2xx', label: '2xx, done' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, failed' },
]

/** What is missing is said, so that nobody looks for it. */
async function droppedView({ ask, platformId: platform }: Visit): Promise<Html> {
  const { requests, bodies } = await ask(requestCommands.dropped, {
    options: platform === undefined ? {} : { platform },
  })
  if (requests + bodies === 0) return html``
  return html`<p class="small">
    Too much came at once in the last 24 hours: ${String(requests)} requests are not listed,
    ${String(bodies)} are listed without their bodies.
  </p>`
}

function contentView({ query, request, response }: Shown): Html {
  const parts = Object.entries({ query, request, response }).filter(
    ([, part]) => part !== undefined,
  )
  if (parts.length === 0) return html`<p class="empty">Its bodies are not kept.</p>`
  return html`${parts.map(
      ([name, part]) =>
        html`<h2>${inWords(name)}</h2>
          ${jsonView(part)}`,
    )}
    <p class="small">
      Redacted as in logs: secrets, codes, identifiers and account numbers are not kept.
    </p>`
}

export const requests: Section<Line, Shown> = {
  path: 'requests',
  isOnServiceTime: true,
  title: 'Requests',
  about: 'What the API was asked and how it answered, newest first.',
  idOf: ({ requestId }) => requestId,
  list: {
    command: requestCommands.list,
    caption: 'Requests, newest first',
    byPlatform: true,
    notice: droppedView,
    filters: [
      { name: 'status', label: 'Status', choices: CLASSES },
      { name: 'method', label: 'Method', choices: plainChoices(METHODS) },
      { name: 'path', label: 'Path', placeholder: '/quotes' },
      { name: 'token', label: 'Token or agent', placeholder: 'Token:…' },
      ...PERIOD_FILTERS,
    ],
    columns: [
      REQUEST,
      STATUS,
      textColumn('Error', 'error'),
      PLATFORM_COLUMN,
      linkColumn('By', 'actor'),
      figureColumn('Took (ms)', 'durationMs'),
      timeColumn('At', 'at'),
    ],
    empty: 'No request is like this.',
    live: 'requests',
    limit: 50,
    older: { option: 'before', of: ({ requestId }) => requestId },
    lookup: { label: 'Any request', placeholder: 'X-Request-Id' },
  },
  detail: {
    command: requestCommands.show,
    title: ({ method, path }) => `${method} ${shortPath(path)}`,
    facts: [
      STATUS,
      { ...textColumn('Error', 'error'), isLeftOut: true },
      PLATFORM_COLUMN,
      timeColumn('At', 'at'),
      figureColumn('Took (ms)', 'durationMs'),
      { ...linkColumn('By', 'actor'), isLeftOut: true },
      { ...codeColumn('Operation', 'operation'), isLeftOut: true },
      codeColumn('Path', 'path'),
      { ...codeColumn('Idempotency key', 'idempotencyKey'), isLeftOut: true },
      codeColumn('Request id', 'requestId'),
      { ...codeColumn('The client’s id', 'clientRequestId'), isLeftOut: true },
    ],
    body: contentView,
  },
}
