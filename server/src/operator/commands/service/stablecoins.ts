import { Type } from '../../../infra/http/schema/type.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import { PAGE_LIMIT_MAX } from '../../../kernel/page.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  findPlatformOfLink,
  findPlatformOfStablecoin,
  linkToWire,
  listProviderAccounts,
  listStablecoins,
  revokeLink,
  ProviderAccountSchema,
  SERVICE_OPERATIONS_STATUSES,
  StablecoinSchema,
  setServiceOperationsStatus,
  stablecoinToWire,
} from '../../../features/stablecoins/index.ts'
import { defineCommand, onlyArg, UsageError, type Input } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { limitOf } from '../../queries/list-filters.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

const at = ({ platform, now }: Work) => ({ environment: platform.environment, now })

const revoke = defineCommand({
  name: 'stablecoins revoke-link',
  access: { roles: ['ADMIN'], fourEyes: 'always', writes: true },
  about: 'End a link to a stablecoin provider account for good.',
  takes: ['stablecoinProviderAccountId'],
  answers: ProviderAccountSchema,
  async run(deps, input) {
    const resource = onlyArg(input, 'stablecoinProviderAccountId')
    const id = mustParseId('stablecoinProviderAccount', resource)
    const owner = await visibleOwner(deps, findPlatformOfLink(deps.db.read, id))
    const platformId = formatId('platform', owner ?? failNotFound('stablecoinProviderAccount'))
    const action = 'stablecoins revoke-link'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      linkToWire(await revokeLink(work, id), at(work)),
    )
  },
})

const setStatus = defineCommand({
  name: 'stablecoins set-status',
  access: { roles: ['ADMIN'], fourEyes: 'always', writes: true },
  about: `Decide what the service does for a stablecoin: ${SERVICE_OPERATIONS_STATUSES.join(', ')}.`,
  takes: ['stablecoinId', 'status'],
  answers: StablecoinSchema,
  async run(deps, { args: [resource = '', input] }) {
    const status = SERVICE_OPERATIONS_STATUSES.find((one) => one === input)
    if (!status)
      throw new UsageError(`The status is one of ${SERVICE_OPERATIONS_STATUSES.join(', ')}.`)
    const id = mustParseId('stablecoin', resource)
    const owner = await visibleOwner(deps, findPlatformOfStablecoin(deps.db.read, id))
    const platformId = formatId('platform', owner ?? failNotFound('stablecoin'))
    const action = 'stablecoins set-status'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      stablecoinToWire(await setServiceOperationsStatus(work, { id, status }), at(work)),
    )
  },
})

const LIST_OPTIONS = {
  platform: { about: 'The platform.', value: 'ID', required: true },
  limit: { about: 'At most this many (default 50, at most 100).', value: 'N' },
}

function pageOf(input: Input) {
  const limit = limitOf(input)
  if (limit > PAGE_LIMIT_MAX) throw new UsageError(`--limit is at most ${PAGE_LIMIT_MAX}.`)
  return { id: mustParseId('platform', input.option('platform') ?? ''), query: { limit } }
}

const list = defineCommand({
  name: 'stablecoins list',
  access: { roles: ['VIEWER'] },
  about: 'Stablecoins of a platform, newest first.',
  options: LIST_OPTIONS,
  answers: Type.Array(StablecoinSchema),
  run(deps, input) {
    const { id, query } = pageOf(input)
    return readInPlatform(deps, id, async (work) =>
      (await listStablecoins(work, query)).data.map((coin) => stablecoinToWire(coin, at(work))),
    )
  },
})

const links = defineCommand({
  name: 'stablecoins links',
  access: { roles: ['VIEWER'] },
  about: 'Links of a platform to stablecoin provider accounts, newest first.',
  options: LIST_OPTIONS,
  answers: Type.Array(ProviderAccountSchema),
  run(deps, input) {
    const { id, query } = pageOf(input)
    return readInPlatform(deps, id, async (work) =>
      (await listProviderAccounts(work, query)).data.map((link) => linkToWire(link, at(work))),
    )
  },
})

export const stablecoinCommands = { list, links, revokeLink: revoke, setStatus }
