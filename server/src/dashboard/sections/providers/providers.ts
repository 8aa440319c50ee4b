import type { Answer } from '../../../operator/command.ts'
import { providerCommands } from '../../../operator/commands/providers/providers.ts'
import { PORTS } from '../../../kernel/ports.ts'
import { html } from '../../../pages/html.ts'
import {
  codeColumn,
  figureColumn,
  inWords,
  moneyColumn,
  NOTHING,
  statusColumn,
  textColumn,
  timeColumn,
} from '../../cells/cells.ts'
import { jsonView } from '../../cells/json-view.ts'
import { linkedId } from '../../page-links.ts'
import type { Action, Column, Section } from '../../section.ts'
import { ifAny, lastAction } from '../waiting.ts'
import { NEW_FIELDS, SETTING_FIELDS } from './provider-fields.ts'
import {
  healthCell,
  openOrdersOf,
  providerView,
  secretView,
  type ProviderLine,
  type ProviderPage,
} from './provider-view.ts'

type Either = ProviderLine | ProviderPage
type Added = Answer<typeof providerCommands.add>
type Rotated = Answer<typeof providerCommands.rotateSecret>

const isRegistered = ({ providerId }: Either): boolean => providerId !== undefined

const listed = (values: readonly string[] | undefined) =>
  values === undefined ? NOTHING : values.join(', ')

/** `All`, or what it is narrowed to. */
const SERVES: Column<ProviderLine> = {
  title: 'Only for',
  cell: ({ platforms, rails, currencies, accountTypes }, visit) => {
    const named = platforms?.map(
      (id) => visit.platforms.find((one) => one.platformId === id)?.name ?? id,
    )
    const all = [named, rails, currencies, accountTypes].flatMap((values) => values ?? [])
    return all.length === 0 ? NOTHING : all.join(', ')
  },
}

const PORTS_COLUMN: Column<Either> = {
  title: 'Ports',
  cell: ({ ports }) => ports.map(inWords).join(', '),
}

const ADD: Action<object, Added> = {
  name: 'add',
  label: 'Add a provider',
  command: providerCommands.add,
  about: 'Its secret and the addresses that it may call are shown once.',
  fields: [...NEW_FIELDS, ...SETTING_FIELDS],
  showsAnswer: true,
  answerView: ({ secret, inboundUrls }) =>
    secretView({ ...(secret !== undefined && { secret }), inboundUrls }),
  done: 'The provider is registered',
}

const ROTATE: Action<ProviderPage, Rotated> = {
  name: 'rotate-secret',
  label: 'New secret',
  command: providerCommands.rotateSecret,
  about: 'Both secrets are accepted for a while, so that the provider can change over.',
  fields: [
    {
      name: 'overlap-hours',
      label: 'Hours until the former one ends',
      hint: '0 to 168; 24 if left empty.',
    },
  ],
  isOffered: ({ kind, providerId }) => kind === 'http' && providerId !== undefined,
  showsAnswer: true,
  answerView: ({ secret, formerSecretUntil: until }) => secretView({ secret, until }),
  done: 'It has a new secret',
}

const ACTIONS: readonly Action<ProviderPage>[] = [
  {
    name: 'pause',
    label: 'Pause',
    command: providerCommands.update,
    about:
      'Nothing new is sent to it: orders wait. Its reports are still taken, and open orders asked about.',
    options: () => ({ status: 'PAUSED' }),
    isOffered: (row) => isRegistered(row) && row.status === 'ENABLED',
    done: 'The provider is paused.',
  },
  {
    name: 'enable',
    label: 'Enable',
    command: providerCommands.update,
    tone: 'good',
    about: 'Orders that waited are sent.',
    options: () => ({ status: 'ENABLED' }),
    isOffered: (row) => isRegistered(row) && row.status === 'PAUSED',
    done: 'The provider is enabled.',
  },
  {
    name: 'change',
    label: 'Change',
    command: providerCommands.update,
    about:
      'What is left empty stays. The word none takes a list back. Open orders stay as they are.',
    fields: SETTING_FIELDS,
    isOffered: isRegistered,
    done: 'Changed.',
  },
  ROTATE,
  {
    name: 'remove',
    label: 'Remove',
    command: providerCommands.remove,
    tone: 'bad',
    about: 'For good. Refused while orders or exceptions of it are open.',
    isOffered: isRegistered,
    endsIt: true,
    done: 'The provider is removed.',
  },
]

export const providers: Section<ProviderLine, ProviderPage> = {
  path: 'providers',
  title: 'Providers',
  about: 'Who answers for what is done outside: registered ones first, then those built in.',
  idOf: ({ providerId, name }) => providerId ?? name,
  list: {
    command: providerCommands.list,
    caption: 'Providers',
    byPlatform: true,
    filters: [
      {
        name: 'port',
        label: 'Port',
        choices: PORTS.map((port) => ({ value: port, label: inWords(port) })),
      },
    ],
    columns: [
      textColumn('Name', 'name'),
      { title: 'Health', cell: ({ standing }) => healthCell(standing) },
      { ...statusColumn<ProviderLine>('Status', 'status') },
      PORTS_COLUMN,
      SERVES,
      {
        title: 'Open orders',
        isFigure: true,
        cell: ({ standing }) => (standing ? String(openOrdersOf(standing)) : NOTHING),
      },
      statusColumn('Environment', 'environment'),
      { title: 'Kind', cell: (row) => (isRegistered(row) ? row.kind : 'Built in') },
    ],
    empty: 'Nobody answers for this.',
  },
  actions: [ADD],
  detail: {
    command: providerCommands.show,
    title: ({ name }) => name,
    facts: [
      { title: 'Health', cell: ({ health }) => healthCell(health) },
      statusColumn('Status', 'status'),
      statusColumn('Environment', 'environment'),
      textColumn('Kind', 'kind'),
      PORTS_COLUMN,
      ifAny(codeColumn('Address', 'url')),
      {
        title: 'Platforms',
        cell: ({ platforms }, visit) =>
          platforms === undefined
            ? 'All of its environment'
            : html`${platforms.map((id) => html`<div>${linkedId(visit, id)}</div>`)}`,
      },
      ifAny({ title: 'Rails', cell: ({ rails }) => listed(rails) }),
      ifAny({ title: 'Currencies', cell: ({ currencies }) => listed(currencies) }),
      ifAny({ title: 'Account types', cell: ({ accountTypes }) => listed(accountTypes) }),
      {
        title: 'Sends again for',
        cell: ({ resendWindowSeconds }) => `${resendWindowSeconds} seconds`,
      },
      figureColumn('Orders at a time', 'maxInFlight'),
      ifAny({
        title: 'Card decisions within',
        cell: ({ ports, authorizationDeadlineMs }) =>
          ports.includes('cards') ? `${authorizationDeadlineMs} ms` : NOTHING,
      }),
      ifAny({
        title: 'Screens payments from',
        cell: (row, visit) =>
          row.ports.includes('screening')
            ? moneyColumn<ProviderPage>('', 'paymentThreshold').cell(row, visit)
            : NOTHING,
      }),
      ifAny({
        title: 'Configuration',
        cell: ({ config }) => (Object.keys(config).length === 0 ? NOTHING : jsonView(config)),
      }),
      ifAny(timeColumn('Registered', 'createdAt')),
      ifAny(timeColumn('Last changed', 'updatedAt')),
      ifAny(codeColumn('Id', 'providerId')),
    ],
    body: providerView,
    actions: ACTIONS,
    versionOf: ({ updatedAt = '' }) => updatedAt,
    explain: ({ providerId }, visit) =>
      lastAction({ resources: providerId === undefined ? [] : [providerId], visit }),
  },
}
