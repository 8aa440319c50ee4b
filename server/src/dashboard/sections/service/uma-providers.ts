import type { Row } from '../../ask.ts'
import { codeColumn, statusColumn, textColumn, textIn } from '../../cells.ts'
import type { Column, Field, Section } from '../../section.ts'

const ENVIRONMENT: Field = {
  name: 'environment',
  label: 'Environment',
  kind: 'choice',
  isRequired: true,
  choices: () => [
    { value: 'PRODUCTION', label: 'Production' },
    { value: 'SANDBOX', label: 'Sandbox' },
  ],
}

const listColumn = (title: string, name: string): Column => ({
  title,
  cell: (row) => (row[name] as readonly string[]).join(', '),
})

const ALLOWED: Column = {
  title: 'Payments',
  cell: (row, visit) =>
    statusColumn('', 'is').cell(
      { is: row['allowListStatus'] === true ? 'ALLOWED' : 'BLOCKED' },
      visit,
    ),
}

const COLUMNS = [
  codeColumn('Domain', 'domain'),
  ALLOWED,
  listColumn('Countries', 'supportedRegions'),
  listColumn('Currencies', 'supportedCurrencies'),
  codeColumn('LEI', 'lei'),
]

const environmentOf = (row: Row) => ({ environment: textIn(row, 'environment') })

export const umaProviders: Section = {
  path: 'uma-providers',
  title: 'UMA providers',
  about: 'The directory of who can be paid by UMA address.',
  idOf: (row) => `${textIn(row, 'environment')}:${textIn(row, 'domain')}`,
  list: {
    command: 'uma-providers list',
    caption: 'Providers by name',
    views: [
      { name: 'production', title: 'Production', options: { environment: 'PRODUCTION' } },
      { name: 'sandbox', title: 'Sandbox', options: { environment: 'SANDBOX' } },
    ],
    columns: [textColumn('Name', 'name'), ...COLUMNS],
    empty: 'The directory is empty.',
    limit: 1000,
  },
  actions: [
    {
      name: 'add',
      label: 'Add or replace',
      command: 'uma-providers add',
      about: 'A provider of that domain is replaced.',
      fields: [
        { name: 'domain', label: 'Domain', isWord: true, isRequired: true },
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
    title: (row) => textIn(row, 'name'),
    facts: [...COLUMNS, statusColumn('Environment', 'environment'), codeColumn('Logo', 'logoUrl')],
    actions: [
      {
        name: 'remove',
        label: 'Remove',
        command: 'uma-providers remove',
        tone: 'bad',
        about: 'It is not found any more. Payments under way go on.',
        words: (row) => [textIn(row, 'domain')],
        given: environmentOf,
        done: 'The provider is removed.',
      },
    ],
  },
}
