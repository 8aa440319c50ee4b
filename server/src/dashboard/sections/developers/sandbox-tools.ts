/** What developers try their integration with, on the page of their platform. */
import type { Answer } from '../../../operator/command.ts'
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
    args: () => [],
    options: ({ platformId }) => ({ platform: platformId }),
    done: 'The endpoint is set.',
  },
  {
    name: 'test-webhook',
    label: 'Send a test webhook',
    command: webhookCommands.test,
    about: 'One event of type TEST goes to the endpoint, once; its answer is shown.',
    args: () => [],
    options: ({ platformId }) => ({ platform: platformId }),
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
        isArgument: true,
      },
      { name: 'amount', label: 'Amount', hint: 'In smallest units, as cents.', isRequired: true },
    ],
    args: () => [],
    isOffered: hasTools,
    done: 'The money has come in.',
  },
  {
    name: 'clock',
    label: 'Move the clock',
    command: sandboxCommands.clock,
    about: 'Everything that comes due on the way happens: settlements, expiries, retries.',
    fields: [{ name: 'advance', label: 'Seconds forward', isRequired: true }],
    args: () => [],
    options: ({ platformId }) => ({ platform: platformId }),
    isOffered: hasTools,
    done: 'The clock has moved.',
  },
]

type Magic = Answer<typeof sandboxCommands.magicValues>[number]

const MATCHES: Readonly<Record<Magic['match'], string>> = {
  EQUALS: 'is',
  ENDS_WITH: 'ends in',
  CONTAINS: 'contains',
}

const COLUMNS: readonly Column<Magic>[] = [
  textColumn('What', 'object'),
  {
    title: 'Value',
    cell: ({ field, match, value }) => html`${field}<br />${MATCHES[match]} <code>${value}</code>`,
  },
  {
    title: 'Effect',
    cell: ({ effect, operation }) => html`${effect}<br /><code>${operation}</code>`,
  },
]

export async function magicView(row: PlatformPage, visit: Visit): Promise<Html> {
  if (!hasTools(row)) return html``
  const rows = await visit.ask(sandboxCommands.magicValues)
  return html`<details class="numbers">
    <summary>All ${String(rows.length)} magic values, by which the sandbox decides</summary>
    ${tableView({ title: 'Magic values', columns: COLUMNS, rows, empty: '' }, visit)}
  </details>`
}
