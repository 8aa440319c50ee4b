import { countOwnershipReviews } from '../../../features/external-accounts/index.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  idColumn,
  PLATFORM_COLUMN,
  statusColumn,
  timeColumn,
} from '../../cells/cells.ts'
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
import { externalAccountCommands } from '../../../operator/commands/customers/external-accounts.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof externalAccountCommands.ownershipList>[number]
type Shown = Answer<typeof externalAccountCommands.ownershipShow>

/** A check that nobody took up in time cannot be decided any more. */
const isWaiting = ({ proof }: Shown): boolean => (proof?.state ?? 'EXPIRED') !== 'EXPIRED'

export const ownership: Section<Line, Shown> = {
  path: 'ownership',
  title: 'Ownership',
  about: 'Wallets whose holders prove by a liveness check that they are theirs, oldest first.',
  count: ({ db, clock }) => countOwnershipReviews(db.read, { now: clock.now(), ...COUNT_BOUND }),
  waitsSince: ({ askedAt }) => askedAt,
  idOf: ({ externalAccountId }) => externalAccountId,
  list: {
    command: externalAccountCommands.ownershipList,
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
    older: onAfter((row) => [row.askedAt, row.externalAccountId]),
  },
  detail: {
    command: externalAccountCommands.ownershipShow,
    title: ({ customerName }) => `Wallet of ${customerName ?? 'the platform'}`,
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
      ${accountView('Wallet', row.account)}
      ${await historyView({ resources: [row.account.id], visit })}`,
    actions: [
      {
        name: 'approve',
        label: 'Approve',
        command: externalAccountCommands.ownershipApprove,
        tone: 'good',
        about: 'The wallet is its holder’s: it may be paid any amount.',
        isOffered: isWaiting,
        done: 'Approved: the wallet is its holder’s.',
      },
      {
        name: 'reject',
        label: 'Reject',
        command: externalAccountCommands.ownershipReject,
        tone: 'bad',
        about: 'Nothing is paid to it until its holder proves it again.',
        isOffered: isWaiting,
        done: 'Rejected.',
      },
    ],
    versionOf: (row) => [row.account.status, row.proof?.expiresAt].join(' '),
    explain: (row, visit) => lastAction({ resources: [row.account.id], visit }),
  },
}
