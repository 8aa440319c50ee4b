import type { Page } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work.ts'
import type { UmaProviderQuery } from '../schema.ts'
import { countProviders, listProviders, type UmaProvider } from './store.ts'

/** The directory of the platform's environment (CFG-30, CFG-31). Fails: INVALID_INPUT on a cursor of another list. */
export async function listUmaProviders(
  work: Work,
  query: UmaProviderQuery,
): Promise<Page<UmaProvider>> {
  const { tx, platform } = work
  const { limit: _limit, cursor: _cursor, ...asked } = query
  const paging = openPage(work, { list: 'uma-providers', query, filters: asked })
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
