import type { Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { countLinks, listLinks } from './store.ts'
import type { ProviderLink } from './provider-link.ts'
import type { ProviderAccountListQuery } from '../schema.ts'

/** The platform's links, newest first. Fails: INVALID_INPUT on a cursor of another list. */
export async function listProviderAccounts(
  work: Work,
  query: ProviderAccountListQuery,
): Promise<Page<ProviderLink>> {
  const { tx, platform } = work
  const { provider, status } = query
  const filters = { provider, status }
  return pageByCreation(openPage(work, { list: 'stablecoin-provider-accounts', query }), {
    rows: (page) => listLinks(tx, platform.id, { filters, ...page }),
    count: () => countLinks(tx, platform.id, filters),
  })
}
