import type { Page } from '../../../kernel/page.ts'
import type { Environment } from '../../../kernel/platform.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Settings } from '../../../infra/settings/settings.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { UmaProviderBody, UmaProviderQuery } from '../schema.ts'
import { countProviders, listProviders, type UmaProvider } from './store.ts'
import { providerToWire } from './wire.ts'

/** Lists the directory of the platform's environment (CFG-30, CFG-31). Fails: INVALID_INPUT on a cursor of another list. */
export async function listUmaProviders(
  work: Work,
  query: UmaProviderQuery,
): Promise<Page<UmaProvider>> {
  const { tx, platform } = work
  const paging = openPage(work, { list: 'uma-providers', query })
  const { countryCode, currencyCode, sortOrder: order = 'desc' } = query
  const filters = { countryCode, currencyCode, isAllowedOnly: query.hasBlockedProviders === false }
  const [name = '', domain = ''] = paging.after ?? []
  const after = paging.after && { name, domain }
  const [rows, totalCount] = await Promise.all([
    listProviders(tx, platform.environment, { filters, after, fetch: paging.fetch, order }),
    countProviders(tx, platform.environment, filters),
  ])
  const page = paging.page(rows, {
    item: (provider) => provider,
    position: (provider) => [provider.name, provider.domain],
  })
  return { ...page, totalCount }
}

/** The most that one hosted page shows. */
const SHOWN_MAX = 100

type Reading = Readonly<{
  tx: Tx
  environment: Environment
  settings: Pick<Settings, 'sandboxUmaDomains'>
}>

/** Lists the allowed providers of an environment by name, for a hosted page (INV-14). Refuses nothing. */
export async function listAllowedProviders({
  tx,
  environment,
  settings,
}: Reading): Promise<UmaProviderBody[]> {
  const filters = { countryCode: undefined, currencyCode: undefined, isAllowedOnly: true }
  const page = { filters, after: undefined, fetch: SHOWN_MAX, order: 'asc' } as const
  const providers = await listProviders(tx, environment, page)
  return providers.map((provider) => providerToWire(provider, settings))
}
