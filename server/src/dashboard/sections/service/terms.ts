import { html } from '../../../pages/html.ts'
import { textColumn, timeColumn, badge } from '../../cells/cells.ts'
import type { Column, Section } from '../../section.ts'
import { termsCommands } from '../../../operator/commands/service/terms.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof termsCommands.list>[number]
type Shown = Answer<typeof termsCommands.show>

const STATE: Column<Line> = {
  title: 'State',
  cell: ({ isCurrent }) => badge(isCurrent ? 'ACTIVE' : 'EARLIER'),
}

export const terms: Section<Line, Shown> = {
  path: 'terms',
  title: 'Terms',
  about: 'The end-user terms. A version is published once and stays readable; the latest holds.',
  idOf: ({ version }) => version,
  list: {
    command: termsCommands.list,
    caption: 'Versions, newest first',
    columns: [textColumn('Version', 'version'), STATE, timeColumn('Published', 'publishedAt')],
    empty: 'No version is published.',
    limit: 100,
  },
  actions: [
    {
      name: 'publish',
      label: 'Publish a version',
      command: termsCommands.publish,
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
    command: termsCommands.show,
    title: ({ version }) => `Terms ${version}`,
    facts: [timeColumn('Published', 'publishedAt')],
    body: (row) =>
      html`<h2>Text</h2>
        <pre class="prose" tabindex="0">${row.body}</pre>`,
  },
}
