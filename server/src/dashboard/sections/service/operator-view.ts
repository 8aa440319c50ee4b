import { html, type Html } from '../../../pages/html.ts'
import { inWords, NOTHING, textColumn, timeColumn } from '../../cells/cells.ts'
import { tableView } from '../../cells/table-view.ts'
import { addressOf } from '../../layout.ts'
import type { AuditEntry } from '../../audit-entries.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Visit } from '../../section.ts'
import { historyView } from '../waiting.ts'
import { auditCommands } from '../../../operator/commands/service/audit.ts'
import type { operatorCommands } from '../../../operator/commands/operators/operators.ts'
import type { Answer } from '../../../operator/command.ts'

export type OperatorPage = Answer<typeof operatorCommands.show>
type Token = NonNullable<OperatorPage['tokens']>[number]

type Limited = Readonly<{ roles: readonly string[]; platforms?: readonly string[] }>

export const ROLES_COLUMN: Column<Limited> = {
  title: 'Roles',
  cell: ({ roles }) => roles.map(inWords).join(', '),
}

export const PLATFORMS_COLUMN: Column<Limited> = {
  title: 'Platforms',
  cell: ({ platforms }, visit) => platforms?.map((id) => nameOf(visit, id)).join(', ') ?? 'All',
}

const nameOf = ({ platforms }: Visit, id: string): string =>
  platforms.find(({ platformId }) => platformId === id)?.name ?? id

/** What narrows a token beyond its roles. */
const LIMITS: Column<Token> = {
  title: 'Only',
  cell({ platforms = [], commands = [], addresses = [] }, visit) {
    const names = platforms.map((id) => nameOf(visit, id))
    const limits = [...names, ...commands, ...addresses.map((one) => `from ${one}`)]
    if (limits.length === 0) return NOTHING
    return html`<div class="note">${limits.map((one) => html`<div>${one}</div>`)}</div>`
  },
}

const TOKENS: readonly Column<Token>[] = [
  { title: 'Name', cell: ({ name, personal }) => `${name}${personal ? ' (personal)' : ''}` },
  ROLES_COLUMN,
  LIMITS,
  timeColumn('Expires', 'expiresAt'),
  timeColumn('Last used', 'lastUsedAt'),
]

const ENTRIES: readonly Column<AuditEntry>[] = [
  timeColumn('When', 'at'),
  textColumn('Action', 'action'),
  linkColumn('What', 'resource'),
  textColumn('Note', 'note'),
  {
    title: 'By',
    cell: ({ actor }) => /^operator-token:.*\/(.*)$/s.exec(actor)?.[1] ?? 'In person',
  },
]

const ASKED = 200
const SHOWN = 10

/** In person and by tokens. The command takes beginnings, which names of others may share. */
async function latestEntries({ name }: OperatorPage, visit: Visit): Promise<readonly AuditEntry[]> {
  const [person, token] = [`operator:${name}`, `operator-token:${name}/`]
  const options = { actor: [person, token], limit: String(ASKED) }
  const entries = await visit.ask(auditCommands.list, { options })
  return entries.filter(({ actor }) => actor === person || actor.startsWith(token)).slice(0, SHOWN)
}

export async function operatorView(row: OperatorPage, visit: Visit): Promise<Html> {
  const { tokens, operatorId, name } = row
  const entries = await latestEntries(row, visit)
  const all = addressOf(visit, '/audit')
  const query = new URLSearchParams({ actor: `operator:${name}` })
  return html`${tokens ? tableView({ title: 'Tokens', columns: TOKENS, rows: tokens, empty: 'None that works.' }, visit) : ''}
  ${tableView({ title: 'Latest audit entries', columns: ENTRIES, rows: entries, empty: 'Nothing done yet.' }, visit)}
  ${entries.length === 0 ? '' : html`<p class="paging"><a href="${all}${all.includes('?') ? '&' : '?'}${query.toString()}">All entries in the audit</a></p>`}
  ${await historyView({ resources: [operatorId, name], visit })}`
}
