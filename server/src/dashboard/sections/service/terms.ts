import { html } from '../../../pages/html.ts'
import { statusColumn, textColumn, textIn, timeColumn } from '../../cells.ts'
import type { Column, Section } from '../../section.ts'

const STATE: Column = {
  title: 'State',
  cell: (row, visit) =>
    statusColumn('', 'is').cell({ is: row['isCurrent'] === true ? 'ACTIVE' : 'EARLIER' }, visit),
}

export const terms: Section = {
  path: 'terms',
  title: 'Terms',
  about: 'The end-user terms. A version is published once and stays readable; the latest holds.',
  idOf: (row) => textIn(row, 'version'),
  list: {
    command: 'terms list',
    caption: 'Versions, newest first',
    columns: [textColumn('Version', 'version'), STATE, timeColumn('Published', 'publishedAt')],
    empty: 'No version is published.',
    limit: 100,
  },
  actions: [
    {
      name: 'publish',
      label: 'Publish a version',
      command: 'terms publish',
      tone: 'good',
      about: 'It holds at once, and cannot be taken back or changed.',
      fields: [
        {
          name: 'version',
          label: 'Version',
          hint: 'As in V2; never used before.',
          isRequired: true,
        },
        {
          name: 'text',
          label: 'Text',
          kind: 'text',
          isRequired: true,
          hint: 'Paragraphs between empty lines; “## ” begins a heading, {{LEGAL_NAME}} stands for our legal name.',
        },
      ],
      done: 'The version is published.',
    },
  ],
  detail: {
    command: 'terms show',
    title: (row) => `Terms ${textIn(row, 'version')}`,
    facts: [timeColumn('Published', 'publishedAt')],
    body: (row) =>
      html`<h2>Text</h2>
        <pre class="prose" tabindex="0">${textIn(row, 'body')}</pre>`,
  },
}
