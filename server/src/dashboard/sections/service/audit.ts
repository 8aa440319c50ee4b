import { html } from '../../../pages/html.ts'
import { OPERATORS, PLATFORM_COLUMN, shortId, textColumn, timeColumn } from '../../cells/cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Section } from '../../section.ts'
import { serviceCommands } from '../../../operator/commands/service/service.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof serviceCommands.auditList>[number]

const BY_OPERATORS: Readonly<Record<string, string>> = {
  operator: 'operator',
  'operator-token': 'operator’s token',
  local: 'user of the machine',
}

const ACTOR: Column<Line> = {
  title: 'Actor',
  cell: ({ actor }) => {
    const [, kind = '', name = ''] = /^([\w-]+):(.*)$/s.exec(actor) ?? []
    const of = BY_OPERATORS[kind]
    if (of === undefined) return shortId(actor)
    return html`<strong>${name}</strong> <span class="of">${of}</span>`
  },
}

export const audit: Section<Line> = {
  path: 'audit',
  title: 'Audit',
  about: 'Every change, who made it and when. Entries are never changed.',
  list: {
    command: serviceCommands.auditList,
    caption: 'Changes, newest first',
    byPlatform: true,
    views: [
      { name: 'operators', title: 'By operators', options: { actor: OPERATORS } },
      { name: 'all', title: 'By everybody' },
    ],
    filters: [
      { name: 'actor', label: 'Actor', placeholder: 'operator:anna' },
      { name: 'action', label: 'AuditAction', placeholder: 'review' },
      { name: 'resource', label: 'Resource', placeholder: 'Customer:…' },
    ],
    columns: [
      timeColumn('When', 'at'),
      ACTOR,
      textColumn('AuditAction', 'action'),
      linkColumn('What', 'resource'),
      PLATFORM_COLUMN,
      textColumn('Note', 'note'),
    ],
    empty: 'Nothing like this was done.',
    limit: 50,
    older: { option: 'before', of: ({ entryId }) => entryId },
  },
}
