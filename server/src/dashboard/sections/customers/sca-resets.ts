import { countResetReviews } from '../../../features/sca/index.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  PLATFORM_COLUMN,
  statusColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Section } from '../../section.ts'
import {
  COUNT_BOUND,
  CUSTOMER_NAME,
  historyView,
  ifAny,
  lastAction,
  nextView,
  onAfter,
} from '../waiting.ts'
import { scaCommands } from '../../../operator/commands/customers/sca.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof scaCommands.list>[number]
type Shown = Answer<typeof scaCommands.show>

const idOf = ({ resetId }: Line | Shown): string => resetId
const isWaiting = ({ status }: Shown): boolean => status === 'PENDING_REVIEW'

export const scaResets: Section<Line, Shown> = {
  path: 'sca-resets',
  title: 'SCA resets',
  about:
    'Customers who lost a factor and proved who they are, oldest first. After half an hour a reset is over.',
  count: ({ db, clock }) => countResetReviews(db.read, { realTime: clock.now(), ...COUNT_BOUND }),
  waitsSince: ({ startedAt }) => startedAt,
  idOf,
  list: {
    command: scaCommands.list,
    caption: 'Waiting',
    byPlatform: true,
    lookup: { label: 'Any reset', placeholder: 'ScaReset:…' },
    columns: [
      CUSTOMER_NAME,
      statusColumn('Factor', 'factor'),
      PLATFORM_COLUMN,
      statusColumn('Environment', 'environment'),
      ageColumn('Waiting', 'startedAt'),
      timeColumn('Until', 'expiresAt'),
      idColumn('Id', 'resetId'),
    ],
    empty: 'No reset waits.',
    limit: 100,
    older: onAfter((row) => [row.startedAt, row.resetId]),
  },
  detail: {
    command: scaCommands.show,
    title: ({ customerName }) => `Reset of a factor of ${customerName ?? 'a customer'}`,
    facts: [
      statusColumn('Status', 'status'),
      statusColumn('Factor', 'factor'),
      CUSTOMER_NAME,
      linkColumn('Customer id', 'customerId'),
      PLATFORM_COLUMN,
      statusColumn('Environment', 'environment'),
      timeColumn('Started', 'startedAt'),
      timeColumn('Until', 'expiresAt'),
      ifAny(timeColumn('Completed', 'completedAt')),
      codeColumn('Reset id', 'resetId'),
    ],
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(scaResets, visit)}
      ${await historyView({ resources: [idOf(row)], visit })}`,
    actions: [
      {
        name: 'approve',
        label: 'Approve',
        command: scaCommands.approve,
        tone: 'good',
        about: 'The customer may enrol the factor again; every session ends then.',
        isOffered: isWaiting,
        done: 'Approved: the customer may go on.',
      },
      {
        name: 'reject',
        label: 'Reject',
        command: scaCommands.reject,
        tone: 'bad',
        about: 'The factor stays as it is.',
        isOffered: isWaiting,
        done: 'Rejected.',
      },
    ],
    versionOf: ({ status }) => status,
    explain: (row, visit) => lastAction({ resources: [idOf(row)], visit }),
  },
}
