import { countFailedRefunds } from '../../../features/settlements/index.ts'
import { html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import {
  ageColumn,
  idColumn,
  moneyColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  textIn,
} from '../../cells.ts'
import type { Section } from '../../section.ts'
import { FACTS, refundTitleOf, settlementView, transactionIdOf } from './settlement-view.ts'
import { COUNT_BOUND, CUSTOMER_NAME, lastAction, nextView, onAfter } from '../waiting.ts'

const idOf = (row: Row): string => textIn(row, 'transactionId')
const refundStatusOf = (row: Row): string => textIn(row, 'transaction', 'refund', 'status')
const isWaiting = (row: Row): boolean => refundStatusOf(row) === 'FAILED'

export const failedRefunds: Section = {
  path: 'refunds',
  title: 'Failed refunds',
  about:
    'Payments that failed and could not be given back. The money lies in suspense: remove the cause, then try again.',
  count: ({ db }) => countFailedRefunds(db.read, COUNT_BOUND),
  idOf,
  list: {
    command: 'refunds list',
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
    older: onAfter({ time: 'createdAt', id: 'transactionId' }),
  },
  detail: {
    command: 'settlements show',
    title: refundTitleOf,
    facts: FACTS,
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(failedRefunds, visit)}
      ${await settlementView(row, visit)}`,
    actions: [
      {
        name: 'retry',
        label: 'Try the refund again',
        command: 'refunds retry',
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
