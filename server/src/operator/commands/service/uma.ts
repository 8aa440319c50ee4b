import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema } from '../../../infra/http/schema/wire-schema.ts'
import { isCountryCode } from '../../../kernel/text/country-codes.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import { fail } from '../../../kernel/errors.ts'
import { isDomainName } from '../../../kernel/text/formats.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import {
  domainToWire,
  listProviders,
  lockProvider,
  removeProvider,
  saveProvider,
  type Directory,
  type UmaProvider,
} from '../../../features/uma/index.ts'
import {
  defineCommand,
  onlyArg,
  record,
  UsageError,
  type Access,
  type Input,
  type Option,
} from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import { environmentOf } from '../environment.ts'
import { limitOf } from '../../queries/list-filters.ts'

const provider = {
  domain: Type.String(),
  name: Type.String(),
  supportedRegions: Type.Array(Type.String()),
  supportedCurrencies: Type.Array(Type.String()),
  logoUrl: Type.Union([Type.String(), Type.Null()]),
  lei: Type.Union([Type.String(), Type.Null()]),
  allowListStatus: Type.Boolean(),
}

const ENVIRONMENT: Option = { about: 'SANDBOX or PRODUCTION (default).', value: 'NAME' }
/** More than any directory holds; the operator sees it whole. */
const ALL = 100_000

function directoryOf(input: Input, { sandboxUmaDomains }: Settings): Directory {
  return { environment: environmentOf(input), sandboxDomains: sandboxUmaDomains }
}

function codesOf(input: Input, name: string, isKnown: (code: string) => boolean): string[] {
  const codes = (input.option(name) ?? '').split(',').map((code) => code.trim())
  const unknown = codes.filter((code) => !isKnown(code))
  if (unknown.length > 0) throw new UsageError(`--${name}: unknown ${unknown.join(', ')}.`)
  return [...new Set(codes)]
}

const list = defineCommand({
  name: 'uma-providers list',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'The directory of UMA providers.',
  options: {
    environment: ENVIRONMENT,
    limit: { about: 'At most this many (default: all).', value: 'N' },
  },
  answers: Type.Array(record({ ...provider, environment: environmentSchema() })),
  async run({ db, settings }, input) {
    const { environment, sandboxDomains } = directoryOf(input, settings)
    const filters = { countryCode: undefined, currencyCode: undefined, isAllowedOnly: false }
    const fetch = input.option('limit') === undefined ? ALL : limitOf(input)
    const page = { filters, after: undefined, fetch, order: 'asc' } as const
    const providers = await listProviders(db.read, environment, page)
    return providers.map(({ domain, ...provider }) => ({
      domain: domainToWire(domain, sandboxDomains),
      ...provider,
      environment,
    }))
  },
})

const domainOf = (input: Input): string => onlyArg(input, 'domain').toLowerCase()

const CHANGES_DIRECTORY: Access = {
  roles: ['ADMIN'],
  fourEyes: 'always',
  actsOn: ({ db, settings }, input) =>
    lockProvider(db.read, directoryOf(input, settings), domainOf(input)),
  environmentFor: async (_, input) => environmentOf(input),
  scope: 'installation',
  writes: true,
}

const add = defineCommand({
  name: 'uma-providers add',
  access: CHANGES_DIRECTORY,
  about: 'Add a UMA provider, or replace the one of that domain.',
  takes: ['domain'],
  options: {
    name: { about: 'Its name.', value: 'NAME', required: true },
    regions: { about: 'Countries it serves, as in US,DE.', value: 'CODES', required: true },
    currencies: { about: 'Currencies it takes, as in USD,EUR.', value: 'CODES', required: true },
    'logo-url': { about: 'Address of its logo.', value: 'URL' },
    lei: { about: 'Legal entity identifier.', value: 'LEI' },
    blocked: { about: 'Refuse payments with it.', flag: true },
    environment: ENVIRONMENT,
  },
  answers: record(provider),
  async run(deps, input) {
    const domain = domainOf(input)
    if (!isDomainName(domain)) throw new UsageError(`${domain} is no domain name.`)
    const provider: UmaProvider = {
      domain,
      name: input.option('name') ?? '',
      supportedRegions: codesOf(input, 'regions', isCountryCode),
      supportedCurrencies: codesOf(input, 'currencies', (code) => findCurrency(code) !== undefined),
      logoUrl: input.option('logo-url') ?? null,
      lei: input.option('lei') ?? null,
      allowListStatus: !input.flag('blocked'),
    }
    const directory = directoryOf(input, deps.settings)
    return inHouse(deps, { action: 'uma-providers add', resource: domain }, async ({ tx }) => {
      await saveProvider(tx, directory, provider)
      return provider
    })
  },
})

const remove = defineCommand({
  name: 'uma-providers remove',
  access: CHANGES_DIRECTORY,
  about: 'Take a UMA provider out of the directory.',
  takes: ['domain'],
  options: { environment: ENVIRONMENT },
  answers: record({ domain: Type.String(), removed: Type.Boolean() }),
  async run(deps, input) {
    const domain = domainOf(input)
    const directory = directoryOf(input, deps.settings)
    return inHouse(deps, { action: 'uma-providers remove', resource: domain }, async ({ tx }) => {
      if (!(await removeProvider(tx, directory, domain))) fail('REFERENCE_NOT_FOUND')
      return { domain, removed: true }
    })
  },
})

export const umaCommands = { list, add, remove }
