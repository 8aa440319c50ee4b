import { countOwnershipReviews } from '../../../features/external-accounts/index.ts'
import { html } from '../../../pages/html.ts'
import type { Row } from '../../ask.ts'
import {
  ageColumn,
  idColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textIn,
  timeColumn,
} from '../../cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Section } from '../../section.ts'
import { accountView } from './account-view.ts'
import {
  COUNT_BOUND,
  CUSTOMER_NAME,
  historyView,
  ifAny,
  lastAction,
  nextView,
  onAfter,
} from '../waiting.ts'

const idOf = (row: Row): string => textIn(row, 'externalAccountId')
const accountIdOf = (row: Row): string => textIn(row, 'account', 'id')
/** A check that nobody took up in time cannot be decided any more. */
const isWaiting = (row: Row): boolean => !['', 'EXPIRED'].includes(textIn(row, 'proof', 'state'))

export const ownership: Section = {
  path: 'ownership',
  title: 'Ownership',
  about: 'Wallets whose holders prove by a liveness check that they are theirs, oldest first.',
  count: ({ db, clock }) => countOwnershipReviews(db.read, { now: clock.now(), ...COUNT_BOUND }),
  idOf,
  list: {
    command: 'ownership list',
    caption: 'Waiting',
    byPlatform: true,
    lookup: { label: 'Any account', placeholder: 'ExternalAccount:…' },
    columns: [
      CUSTOMER_NAME,
      statusColumn('Account', 'accountType'),
      PLATFORM_COLUMN,
      statusColumn('Environment', 'environment'),
      ageColumn('Asked', 'askedAt'),
      timeColumn('Submitted', 'submittedAt'),
      timeColumn('Until', 'expiresAt'),
      idColumn('Id', 'externalAccountId'),
    ],
    empty: 'No proof of ownership waits.',
    limit: 100,
    older: onAfter({ time: 'askedAt', id: 'externalAccountId' }),
  },
  detail: {
    command: 'ownership show',
    title: (row) => `Wallet of ${textIn(row, 'customerName') || 'the platform'}`,
    facts: [
      ifAny(statusColumn('Proof by', 'proof', 'method')),
      ifAny(statusColumn('Proof', 'proof', 'state')),
      ifAny(timeColumn('Submitted', 'proof', 'submittedAt')),
      ifAny(timeColumn('Until', 'proof', 'expiresAt')),
      CUSTOMER_NAME,
      linkColumn('Customer id', 'account', 'customerId'),
      PLATFORM_COLUMN,
      statusColumn('Environment', 'environment'),
    ],
    body: async (row, visit) =>
      html`${isWaiting(row) ? '' : await nextView(ownership, visit)}
      ${accountView('Wallet', row['account'])}
      ${await historyView({ resources: [accountIdOf(row)], visit })}`,
    actions: [
      {
        name: 'approve',
        label: 'Approve',
        command: 'ownership approve',
        tone: 'good',
        about: 'The wallet is its holder’s: it may be paid any amount.',
        isOffered: isWaiting,
        done: 'Approved: the wallet is its holder’s.',
      },
      {
        name: 'reject',
        label: 'Reject',
        command: 'ownership reject',
        tone: 'bad',
        about: 'Nothing is paid to it until its holder proves it again.',
        isOffered: isWaiting,
        done: 'Rejected.',
      },
    ],
    versionOf: (row) =>
      [textIn(row, 'account', 'status'), textIn(row, 'proof', 'expiresAt')].join(' '),
    explain: (row, visit) => lastAction({ resources: [accountIdOf(row)], visit }),
  },
}
