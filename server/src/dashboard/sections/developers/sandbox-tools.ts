/** What developers try their integration with, on the page of their platform. */
import { sandboxCommands } from '../../../operator/commands/developers/sandbox.ts'
import { webhookCommands } from '../../../operator/commands/developers/webhooks.ts'
import { traitsOf } from '../../../kernel/platform-traits.ts'
import { html, type Html } from '../../../pages/html.ts'
import { textColumn } from '../../cells/cells.ts'
import { tableView } from '../../cells/table-view.ts'
import type { Action, Column, Visit } from '../../section.ts'
import type { PlatformPage } from '../service/platform-view.ts'

const hasTools = (row: PlatformPage): boolean => traitsOf(row).hasTestTools

export const DEVELOPER_ACTIONS: readonly Action<PlatformPage>[] = [
  {
    name: 'webhook-endpoint',
    label: 'Set the webhook endpoint',
    command: webhookCommands.setEndpoint,
    about: 'Events go there from now on; a TEST event goes first.',
    fields: [
      { name: 'url', label: 'Endpoint', hint: 'https://…' },
      { name: 'none', label: 'No endpoint', kind: 'switch' },
    ],
    words: () => [],
    given: ({ platformId }) => ({ platform: platformId }),
    done: 'The endpoint is set.',
  },
  {
    name: 'test-webhook',
    label: 'Send a test webhook',
    command: webhookCommands.test,
    about: 'One event of type TEST goes to the endpoint, once; its answer is shown.',
    words: () => [],
    given: ({ platformId }) => ({ platform: platformId }),
    isOffered: (row) => hasTools(row) && row.webhookEndpoint !== undefined,
    done: 'The endpoint took it',
    showsAnswer: true,
  },
  {
    name: 'fund',
    label: 'Fund an account',
    command: sandboxCommands.fund,
    about: 'Money comes in at once, as a transaction and a webhook.',
    fields: [
      {
        name: 'account',
        label: 'Account',
        hint: 'InternalAccount:…',
        isRequired: true,
        isWord: true,
      },
      { name: 'amount', label: 'Amount', hint: 'In smallest units, as cents.', isRequired: true },
    ],
    words: () => [],
    isOffered: hasTools,
    done: 'The money has come in.',
  },
  {
    name: 'clock',
    label: 'Move the clock',
    command: sandboxCommands.clock,
    about: 'Everything that comes due on the way happens: settlements, expiries, retries.',
    fields: [{ name: 'advance', label: 'Seconds forward', isRequired: true }],
    words: () => [],
    given: ({ platformId }) => ({ platform: platformId }),
    isOffered: hasTools,
    done: 'The clock has moved.',
  },
]

type Magic = Readonly<{ where: string; value: string; then: string }>

/** Those that are needed first; docs/concepts/sandbox.md has all. */
const MAGIC: readonly Magic[] = [
  { where: 'End of a person’s full name', value: '001', then: 'KYC stays pending' },
  { where: 'End of a person’s full name', value: '002', then: 'KYC is rejected' },
  { where: 'Last three of a payee’s account', value: '002', then: 'The payout fails' },
  {
    where: 'Last three of a payee’s account',
    value: '003',
    then: 'It completes after six minutes',
  },
  { where: 'Last three of a payee’s account', value: '005', then: 'It completes, then comes back' },
]

const COLUMNS: readonly Column<Magic>[] = [
  textColumn('Where', 'where'),
  textColumn('Value', 'value'),
  textColumn('Then', 'then'),
]

export const magicView = (row: PlatformPage, visit: Visit): Html =>
  hasTools(row)
    ? html`${tableView({ title: 'Magic values', columns: COLUMNS, rows: MAGIC, empty: '' }, visit)}
        <p class="small">All of them are in <code>docs/concepts/sandbox.md</code>.</p>`
    : html``
