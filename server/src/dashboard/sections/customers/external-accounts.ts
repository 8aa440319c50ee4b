import { SETTABLE_STATUSES } from '../../../features/external-accounts/index.ts'
import { html } from '../../../pages/html.ts'
import {
  codeColumn,
  idColumn,
  inWords,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import type { Section } from '../../section.ts'
import { CURRENCY_FILTER, CUSTOMER_FILTER } from '../filters.ts'
import { payeeCommands } from '../../../operator/commands/customers/payees.ts'
import { externalAccountCommands } from '../../../operator/commands/customers/external-accounts.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof payeeCommands.list>[number]
type Shown = Answer<typeof payeeCommands.show>

export const externalAccounts: Section<Line, Shown> = {
  path: 'external-accounts',
  title: 'External accounts',
  about: 'Bank accounts and wallets elsewhere, which payments go to.',
  idOf: ({ externalAccountId }) => externalAccountId,
  list: {
    command: payeeCommands.list,
    caption: 'External accounts, newest first',
    needsPlatform: 'Choose a platform above to see its external accounts.',
    views: [
      { name: 'customers', title: 'Customer accounts' },
      { name: 'own', title: 'Platform accounts', options: { own: true } },
    ],
    filters: [CURRENCY_FILTER, CUSTOMER_FILTER],
    columns: [
      idColumn('Account', 'externalAccountId'),
      textColumn('Type', 'accountType'),
      textColumn('Currency', 'currency'),
      statusColumn('Status', 'status'),
      statusColumn('Name check', 'beneficiaryVerificationStatus'),
      idColumn('Customer', 'customerId'),
      timeColumn('Since', 'createdAt'),
    ],
    empty: 'No external account is here.',
    limit: 50,
    older: { option: 'before', of: ({ externalAccountId }) => externalAccountId },
    lookup: { label: 'Any external account', placeholder: 'ExternalAccount:…' },
  },
  detail: {
    command: payeeCommands.show,
    title: ({ accountType }) => accountType,
    facts: [
      statusColumn('Status', 'status'),
      textColumn('Currency', 'currency'),
      statusColumn('Name check', 'beneficiaryVerificationStatus'),
      PLATFORM_COLUMN,
      timeColumn('Since', 'createdAt'),
      codeColumn('Id', 'externalAccountId'),
      codeColumn('Customer', 'customerId'),
    ],
    body: (row) =>
      html`<h2>What is known of it</h2>
        ${jsonView(row.accountInfo)}`,
    actions: [
      {
        name: 'set-status',
        label: 'Set status',
        command: externalAccountCommands.setStatus,
        about: 'Only an active account is paid. The platform is told.',
        fields: [
          {
            name: 'status',
            label: 'Status',
            kind: 'choice',
            isArgument: true,
            isRequired: true,
            choices: () => SETTABLE_STATUSES.map((value) => ({ value, label: inWords(value) })),
          },
          {
            name: 'note',
            label: 'Note',
            kind: 'text',
            hint: 'Required after a block by a provider.',
          },
        ],
        done: 'The status is set.',
      },
    ],
    timelineOf: ({ externalAccountId }) => externalAccountId,
    versionOf: ({ status }) => status,
  },
}
