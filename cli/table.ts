import type { Run } from './command.ts'

type Option = Readonly<{ about: string; value?: string; flag?: boolean; required?: boolean }>

export type ClientCommand = Readonly<{
  name: string
  about: string
  takes?: readonly string[]
  options?: Readonly<Record<string, Option>>
  load(): Promise<Run>
}>

const AFTER = { about: 'Begin after the event with this number; 0 is the oldest kept.', value: 'N' }
const LIMIT = { about: 'End after so many.', value: 'N' }

/** The commands for users of the API: they need a client id and its secret, and no database. */
export const CLIENT_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'login',
    about:
      'Store a client id and its secret for the other commands, from FLORIN_CLIENT_ID and FLORIN_CLIENT_SECRET or two lines of standard input.',
    options: {
      origin: { about: 'Address of the service (default http://127.0.0.1:8080).', value: 'URL' },
      dashboard: { about: 'Address of the dashboard, for florin open.', value: 'URL' },
    },
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'listen',
    about:
      'Forward the events of your platform to an address on this machine, signed as webhooks are.',
    options: {
      'forward-to': { about: 'Where they go.', value: 'URL', required: true },
      after: AFTER,
      limit: LIMIT,
      'from-now': { about: 'Do not go on where the last run ended.', flag: true },
    },
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  {
    name: 'events tail',
    about: 'Print the events of your platform as they happen.',
    options: {
      after: AFTER,
      type: { about: 'Only of this type.', value: 'TYPE' },
      limit: LIMIT,
    },
    load: async () => (await import('./commands/events.ts')).tail,
  },
  {
    name: 'events resend',
    about: 'Send an event of your platform to its endpoint again.',
    takes: ['eventId'],
    load: async () => (await import('./commands/events.ts')).resend,
  },
  {
    name: 'requests tail',
    about: 'Print the requests of your platform as they are answered.',
    options: { limit: LIMIT },
    load: async () => (await import('./commands/requests.ts')).tail,
  },
  {
    name: 'open',
    about: 'Print the address of a thing’s page on the dashboard, and open it.',
    takes: ['id'],
    options: { print: { about: 'Only print it.', flag: true } },
    load: async () => (await import('./commands/open.ts')).openPage,
  },
  {
    name: 'trigger',
    about: 'Make the sandbox do what an event tells of, with real objects.',
    takes: ['eventType'],
    options: {
      on: {
        about: 'The customer, account or card that it happens to; else a new one.',
        value: 'ID',
      },
    },
    load: async () => (await import('./commands/trigger.ts')).trigger,
  },
  {
    name: 'demo',
    about:
      'Fill a sandbox with a believable month: customers, payments in all outcomes, cards, an agent. Moves its clock.',
    options: {
      seed: { about: 'The same seed makes the same month (default 1).', value: 'N' },
      days: { about: 'How many days pass (default 30).', value: 'N' },
    },
    load: async () => (await import('./commands/demo.ts')).demo,
  },
]
