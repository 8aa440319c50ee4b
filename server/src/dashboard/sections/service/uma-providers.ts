import { ENVIRONMENTS } from '../../../kernel/platform.ts'
import { codeColumn, inWords, statusColumn, textColumn, badge } from '../../cells/cells.ts'
import type { Column, Field, Section } from '../../section.ts'
import { umaCommands } from '../../../operator/commands/service/uma.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof umaCommands.list>[number]

const REAL_FIRST = ENVIRONMENTS.toReversed()

const ENVIRONMENT: Field = {
  name: 'environment',
  label: 'Environment',
  kind: 'choice',
  isRequired: true,
  choices: () => REAL_FIRST.map((one) => ({ value: one, label: inWords(one) })),
}

const ALLOWED: Column<Line> = {
  title: 'Payments',
  cell: ({ allowListStatus }) => badge(allowListStatus ? 'ALLOWED' : 'BLOCKED'),
}

const COLUMNS: readonly Column<Line>[] = [
  codeColumn('Domain', 'domain'),
  ALLOWED,
  { title: 'Countries', cell: (row) => row.supportedRegions.join(', ') },
  { title: 'Currencies', cell: (row) => row.supportedCurrencies.join(', ') },
  codeColumn('LEI', 'lei'),
]

const environmentOf = ({ environment }: Line) => ({ environment })

export const umaProviders: Section<Line> = {
  path: 'uma-providers',
  title: 'UMA providers',
  about: 'The directory of who can be paid by UMA address.',
  idOf: ({ environment, domain }) => `${environment}:${domain}`,
  list: {
    command: umaCommands.list,
    caption: 'Providers by name',
    views: REAL_FIRST.map((one) => ({
      name: one.toLowerCase(),
      title: inWords(one),
      options: { environment: one },
    })),
    columns: [textColumn('Name', 'name'), ...COLUMNS],
    empty: 'The directory is empty.',
    limit: 1000,
  },
  actions: [
    {
      name: 'add',
      label: 'Add or replace',
      command: umaCommands.add,
      about: 'A provider of that domain is replaced.',
      fields: [
        { name: 'domain', label: 'Domain', isArgument: true, isRequired: true },
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'regions', label: 'Countries', hint: 'As in US,DE.', isRequired: true },
        { name: 'currencies', label: 'Currencies', hint: 'As in USD,EUR.', isRequired: true },
        { name: 'logo-url', label: 'Address of its logo' },
        { name: 'lei', label: 'Legal entity identifier' },
        ENVIRONMENT,
        { name: 'blocked', label: 'Refuse payments with it', kind: 'switch' },
      ],
      done: 'The provider is in the directory.',
    },
  ],
  detail: {
    title: ({ name }) => name,
    facts: [...COLUMNS, statusColumn('Environment', 'environment'), codeColumn('Logo', 'logoUrl')],
    actions: [
      {
        name: 'remove',
        label: 'Remove',
        command: umaCommands.remove,
        tone: 'bad',
        about: 'It is not found any more. Payments under way go on.',
        args: ({ domain }) => [domain],
        options: environmentOf,
        done: 'The provider is removed.',
      },
    ],
  },
}
