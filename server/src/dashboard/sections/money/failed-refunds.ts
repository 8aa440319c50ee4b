import { countFailedRefunds } from '../../../features/settlements/index.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  idColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
} from '../../cells/cells.ts'
import type { Section } from '../../section.ts'
import {
  FACTS,
  refundTitleOf,
  settlementView,
  transactionIdOf,
  type Settlement,
} from './settlement-view.ts'
import { COUNT_BOUND, CUSTOMER_NAME, lastAction, nextView, onAfter } from '../waiting.ts'
import { settlementCommands } from '../../../operator/commands/money/settlements.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof settlementCommands.refundsList>[number]

const refundStatusOf = (row: Settlement): string => textIn(row, 'transaction', 'refund', 'status')
const isWaiting = (row: Settlement): boolean => refundStatusOf(row) === 'FAILED'

export const failedRefunds: Section<Line, Settlement> = {
  path: 'refunds',
  title: 'Failed refunds',
  about:
    'Payments that failed and could not be given back. The money lies in suspense: remove the cause, then try again.',
  count: ({ db }) => countFailedRefunds(db.read, COUNT_BOUND),
  isTrouble: true,
  waitsSince: ({ createdAt }) => createdAt,
  idOf: ({ transactionId }) => transactionId,
  list: {
    command: settlementCommands.refundsList,
    caption: 'Waiting',
    byPlatform: true,
    columns: [
      CUSTOMER_NAME,
      moneyColumn('Amount'),
      statusColumn('Why the payment failed', 'failureReason'),
      textColumn('Rail', 'paymentRail'),
      PLATFORM_COLUMN,
      ageColumn('Since', 'createdAt'),
      idColumn('Id', 'transactionId'),
    ],
    empty: 'No refund has failed.',
    limit: 100,
    older: onAfter((row) => [row.createdAt, row.transactionId]),
  },
  detail: {
    command: settlementCommands.show,
    title: refundTitleOf,
    facts: FACTS,
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(failedRefunds, visit)}
      ${await settlementView(row, visit)}`,
    actions: [
      {
        name: 'retry',
        label: 'Try the refund again',
        command: settlementCommands.refundsRetry,
        tone: 'good',
        about: 'The amount leaves suspense and goes where it came from; the platform is told.',
        isOffered: isWaiting,
        done: 'The refund was tried again.',
      },
    ],
    versionOf: refundStatusOf,
    explain: (row, visit) => lastAction({ resources: [transactionIdOf(row)], visit }),
  },
}
