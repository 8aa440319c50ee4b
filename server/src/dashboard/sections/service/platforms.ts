import { DEVELOPER_ACTIONS, magicView } from '../developers/sandbox-tools.ts'
import { html } from '../../../pages/html.ts'
import { PERMISSIONS } from '../../../kernel/access/permissions.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { ENVIRONMENTS } from '../../../kernel/platform.ts'
import {
  codeColumn,
  inWords,
  NOTHING,
  statusColumn,
  textColumn,
  timeColumn,
  timeOf,
} from '../../cells/cells.ts'
import type { Action, Choice, Column, Field, Section } from '../../section.ts'
import { platformView, SHARE, type PlatformPage } from './platform-view.ts'
import { platformCommands } from '../../../operator/commands/service/platforms.ts'
import { tokenCommands } from '../../../operator/commands/service/tokens.ts'
import { paymentCommands } from '../../../operator/commands/money/payments.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof platformCommands.list>[number]

const ofPlatform = ({ platformId }: PlatformPage) => ({ platform: platformId })

const choice = (value: string, label: string): Choice => ({ value, label })
const UNCHANGED = choice('', 'As it is')

type SwitchName = 'skipVerificationPaperwork' | 'strictIdentifiers' | 'travelRule'

const SWITCHES: readonly (readonly [name: string, label: string, key: SwitchName])[] = [
  [
    'skip-verification-paperwork',
    'Verify by data alone (sandbox only)',
    'skipVerificationPaperwork',
  ],
  ['strict-identifiers', 'Check identifiers strictly in sandbox too', 'strictIdentifiers'],
  ['travel-rule', 'Ask for wallet ownership everywhere', 'travelRule'],
]

const switchField = (name: string, label: string): Field => ({
  name,
  label,
  kind: 'choice',
  choices: () => [UNCHANGED, choice('on', 'On'), choice('off', 'Off')],
})

const switchFact = (label: string, key: SwitchName): Column<PlatformPage> => ({
  title: label,
  cell: (row) => (row[key] ? 'On' : 'Off'),
})

const CREATE: Action = {
  name: 'create',
  label: 'New platform',
  command: platformCommands.create,
  about: 'It has accounts, webhook keys and a first token at once. The secret is shown once.',
  fields: [
    { name: 'name', label: 'Name', isRequired: true },
    {
      name: 'kind',
      label: 'Kind',
      kind: 'choice',
      isRequired: true,
      choices: () => [
        choice('UNREGULATED', 'Unregulated: leaves compliance to us'),
        choice('REGULATED', 'Regulated: runs its own compliance'),
      ],
    },
    {
      name: 'environment',
      label: 'Environment',
      kind: 'choice',
      isRequired: true,
      choices: () => ENVIRONMENTS.map((one) => choice(one, inWords(one))),
    },
    { name: 'currencies', label: 'Currencies', hint: 'As in USD,EUR,USDC.', isRequired: true },
    {
      name: 'passkey-origin',
      label: 'Passkey origins',
      kind: 'lines',
      hint: 'Web addresses from which passkeys are taken, one a line.',
    },
    {
      name: 'card-origin',
      label: 'Card origins',
      kind: 'lines',
      hint: 'Origins whose pages may hold card numbers in a frame, one a line.',
    },
    {
      name: 'skip-verification-paperwork',
      label: 'Verify by data alone (sandbox only)',
      kind: 'switch',
    },
    {
      name: 'strict-identifiers',
      label: 'Check identifiers strictly in sandbox too',
      kind: 'switch',
    },
  ],
  showsAnswer: true,
  done: 'The platform is there',
}

const ACTIONS: readonly Action<PlatformPage>[] = [
  {
    name: 'update',
    label: 'Change',
    command: platformCommands.update,
    about: 'What only the operator may change. It applies to what comes after.',
    fields: [
      { name: 'name', label: 'New name' },
      ...SWITCHES.map(([name, label]) => switchField(name, label)),
      {
        name: 'onboarding-url',
        label: 'Onboarding address',
        hint: 'Where an invited person signs up.',
      },
      {
        name: 'passkey-origin',
        label: 'Passkey origins',
        kind: 'lines',
        hint: 'Web addresses from which passkeys are taken, one a line; none takes them back.',
      },
      {
        name: 'card-origin',
        label: 'Card origins',
        kind: 'lines',
        hint: 'Origins whose pages may hold card numbers in a frame, one a line; none takes them back.',
      },
    ],
    done: 'Changed.',
  },
  {
    name: 'create-token',
    label: 'New token',
    command: tokenCommands.create,
    about: 'The secret is shown once.',
    options: ofPlatform,
    args: () => [],
    fields: [
      { name: 'name', label: 'Token’s name', isRequired: true },
      {
        name: 'permissions',
        label: 'Permissions',
        kind: 'choice',
        choices: () => [
          choice('', 'All'),
          ...PERMISSIONS.map((one) => choice(one, `${one} only`)),
          choice('VIEW,TRANSACT', 'VIEW and TRANSACT'),
        ],
      },
    ],
    showsAnswer: true,
    done: 'The token is there',
  },
  {
    name: 'revoke-token',
    label: 'Revoke a token',
    command: tokenCommands.revoke,
    tone: 'bad',
    about: 'It works no longer, within seconds, and never again.',
    args: () => [],
    isOffered: ({ tokens }) => tokens.length > 0,
    fields: [
      {
        name: 'token',
        label: 'Token',
        kind: 'choice',
        isArgument: true,
        isRequired: true,
        choices: ({ tokens }) => [
          choice('', 'Choose one'),
          ...tokens.map(({ tokenId, name, clientId }) => choice(tokenId, `${name} (${clientId})`)),
        ],
      },
    ],
    done: 'The token is revoked.',
  },
  {
    name: 'set-fees',
    label: 'Set fees',
    command: paymentCommands.feesSet,
    about: 'What we charge; binds new quotes only. What is left empty stays.',
    options: ofPlatform,
    args: () => [],
    fields: [
      { name: 'service-bps', label: 'Of a conversion', hint: 'Hundredths of a percent, as in 50.' },
      {
        name: 'service-fixed',
        label: 'Per conversion',
        hint: 'In smallest units of the currency sent: USD:50 is 0.50 USD.',
      },
      {
        name: 'application-fee',
        label: 'Per withdrawal of a coin',
        hint: 'In smallest units: USDC:100000 is 0.10 USDC.',
      },
    ],
    done: 'Fees are set.',
  },
  {
    name: 'set-limits',
    label: 'Set limits',
    command: paymentCommands.limitsSet,
    about: 'The most that may be sent in a currency. What is left empty stays.',
    options: ofPlatform,
    args: () => [],
    fields: [
      { name: 'currency', label: 'Currency sent', isRequired: true, hint: 'As in USD.' },
      { name: 'to', label: 'Only towards', hint: 'As in EUR; empty for any.' },
      {
        name: 'max-transaction',
        label: 'At once',
        hint: 'In smallest units: 100000 is 1,000.00 USD.',
      },
      { name: 'daily-volume', label: 'On one day (UTC)', hint: 'In smallest units.' },
    ],
    done: 'Limits are set.',
  },
  {
    name: 'rotate-webhook-key',
    label: 'New webhook key',
    command: platformCommands.rotateWebhookKey,
    tone: 'bad',
    about:
      'Webhooks are signed with the new key at once: the platform has to know its public key, or it refuses them.',
    done: 'Webhooks are signed with a new key; its public half is below.',
  },
]

export const platforms: Section<Line, PlatformPage> = {
  path: 'platforms',
  title: 'Platforms',
  about: 'Who uses this installation.',
  idOf: ({ platformId }) => platformId,
  list: {
    command: platformCommands.list,
    caption: 'Platforms, oldest first',
    columns: [
      textColumn('Name', 'name'),
      statusColumn('Environment', 'environment'),
      statusColumn('Kind', 'kind'),
      timeColumn('Since', 'createdAt'),
      codeColumn('Id', 'platformId'),
    ],
    empty: 'There is none yet.',
  },
  actions: [CREATE],
  detail: {
    command: platformCommands.show,
    title: ({ name }) => name,
    facts: [
      statusColumn('Environment', 'environment'),
      statusColumn('Kind', 'kind'),
      timeColumn('Since', 'createdAt'),
      textColumn('UMA domain', 'umaDomain'),
      codeColumn('Webhook endpoint', 'webhookEndpoint'),
      codeColumn('Onboarding address', 'onboardingUrl'),
      textColumn('Name on pages', 'branding', 'name'),
      codeColumn('Color on pages', 'branding', 'color'),
      textColumn('Logo on pages', 'branding', 'logo'),
      {
        title: 'Passkey origins',
        cell: ({ passkeyOrigins = [] }) => passkeyOrigins.join(', ') || NOTHING,
      },
      { title: 'Card origins', cell: ({ cardOrigins = [] }) => cardOrigins.join(', ') || NOTHING },
      {
        title: 'Clock',
        isLeftOut: true,
        cell: ({ clockOffsetSeconds }, { now }) =>
          clockOffsetSeconds === undefined ? NOTHING : timeOf(toWireTime(now)),
      },
      ...SWITCHES.map(([, label, key]) => switchFact(label, key)),
      SHARE,
      codeColumn('Id', 'platformId'),
    ],
    body: async (row, visit) => html`${platformView(row, visit)} ${await magicView(row, visit)}`,
    actions: [...ACTIONS, ...DEVELOPER_ACTIONS],
  },
}
