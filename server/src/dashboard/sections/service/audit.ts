import { html } from '../../../pages/html.ts'
import { PLATFORM_COLUMN, shortId, textColumn, textIn, timeColumn } from '../../cells.ts'
import { linkColumn } from '../../page-links.ts'
import type { Column, Section } from '../../section.ts'

const ACTOR: Column = {
  title: 'Actor',
  cell: (row) => {
    const [, kind = '', name = ''] = /^(\w+):(.*)$/s.exec(textIn(row, 'actor')) ?? []
    if (kind === 'operator') return html`<strong>${name}</strong> <span class="of">operator</span>`
    return shortId(textIn(row, 'actor'))
  },
}

export const audit: Section = {
  path: 'audit',
  title: 'Audit',
  about: 'Every change, who made it and when. Entries are never changed.',
  list: {
    command: 'audit list',
    caption: 'Changes, newest first',
    byPlatform: true,
    views: [
      { name: 'operators', title: 'By operators', options: { actor: 'operator:' } },
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
    older: { option: 'before', of: (row) => textIn(row, 'entryId') },
  },
}
