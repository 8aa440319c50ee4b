import { failNotFound, formatId, mustParseId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import {
  findPlatformOfLink,
  findPlatformOfStablecoin,
  linkToWire,
  revokeLink,
  SERVICE_OPERATIONS_STATUSES,
  setServiceOperationsStatus,
  stablecoinToWire,
} from '../../features/stablecoins/index.ts'
import { onlyWord, UsageError, type Command } from '../command.ts'
import { inPlatform } from '../in-platform.ts'

const at = ({ platform, now }: Work) => ({ environment: platform.environment, now })

const revoke: Command = {
  name: 'stablecoins revoke-link',
  about: 'End a link to a stablecoin provider account for good.',
  takes: ['stablecoinProviderAccountId'],
  async run(deps, given) {
    const resource = onlyWord(given, 'stablecoinProviderAccountId')
    const id = mustParseId('stablecoinProviderAccount', resource)
    const owner = await findPlatformOfLink(deps.db.read, id)
    const platformId = formatId('platform', owner ?? failNotFound('stablecoinProviderAccount'))
    const action = 'stablecoins revoke-link'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      linkToWire(await revokeLink(work, id), at(work)),
    )
  },
}

const setStatus: Command = {
  name: 'stablecoins set-status',
  about: `Decide what the service does for a stablecoin: ${SERVICE_OPERATIONS_STATUSES.join(', ')}.`,
  takes: ['stablecoinId', 'status'],
  async run(deps, { words: [resource = '', given] }) {
    const status = SERVICE_OPERATIONS_STATUSES.find((one) => one === given)
    if (!status)
      throw new UsageError(`The status is one of ${SERVICE_OPERATIONS_STATUSES.join(', ')}.`)
    const id = mustParseId('stablecoin', resource)
    const owner = await findPlatformOfStablecoin(deps.db.read, id)
    const platformId = formatId('platform', owner ?? failNotFound('stablecoin'))
    const action = 'stablecoins set-status'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      stablecoinToWire(await setServiceOperationsStatus(work, { id, status }), at(work)),
    )
  },
}

export const stablecoinCommands: readonly Command[] = [revoke, setStatus]
