import { html } from '../../../pages/html.ts'
import { columnOf, NOTHING, PLATFORM_COLUMN, shortId, timeColumn } from '../../cells/cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Section } from '../../section.ts'
import { auditCommands } from '../../../operator/commands/service/audit.ts'
import { OPERATORS, type AuditEntry } from '../../audit-entries.ts'

const BY_OPERATORS: Readonly<Record<string, string>> = {
  operator: 'operator',
  'operator-token': 'operator’s token',
  local: 'local user',
}

const ACTOR: Column<AuditEntry> = {
  title: 'Actor',
  cell: ({ actor }) => {
    const [, kind = '', name = ''] = /^([\w-]+):(.*)$/s.exec(actor) ?? []
    const of = BY_OPERATORS[kind]
    if (of === undefined) return shortId(actor)
    return html`<span><strong>${name}</strong> <span class="of">${of}</span></span>`
  },
}

/** Names of operations are long words: they may break before a capital. */
const ACTION: Column<AuditEntry> = {
  title: 'Action',
  cell: ({ action }) =>
    html`<span>${action.split(/(?=[A-Z])/).map((part) => html`<wbr />${part}`)}</span>`,
}

/** The first digits are enough to compare by eye; an entry of the last seconds has no place yet. */
const CHAIN: Column<AuditEntry> = {
  title: 'Chain',
  cell: ({ seq, hash = '' }) =>
    seq === undefined
      ? NOTHING
      : html`<code class="id" title="${hash}">${String(seq)} ${hash.slice(0, 8)}</code>`,
}

export const audit: Section<AuditEntry> = {
  path: 'audit',
  title: 'Audit',
  about:
    'Every change, who made it and when. Entries are never changed; each hash covers the entry and the one before it.',
  list: {
    command: auditCommands.list,
    caption: 'Changes, newest first',
    byPlatform: true,
    views: [
      { name: 'operators', title: 'By operators', options: { actor: OPERATORS } },
      { name: 'all', title: 'By everybody' },
    ],
    filters: [
      { name: 'actor', label: 'Actor', placeholder: 'operator:anna' },
      { name: 'action', label: 'Action', placeholder: 'review' },
      { name: 'resource', label: 'Resource', placeholder: 'Customer:…' },
    ],
    columns: [
      timeColumn('When', 'at'),
      ACTOR,
      ACTION,
      linkColumn('What', 'resource'),
      PLATFORM_COLUMN,
      columnOf('Note', ['note'], (note) => html`<span class="note">${note}</span>`),
      CHAIN,
    ],
    empty: 'Nothing like this was done.',
    limit: 50,
    older: { option: 'before', of: ({ entryId }) => entryId },
  },
}
