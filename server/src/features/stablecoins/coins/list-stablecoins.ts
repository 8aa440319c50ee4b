import type { Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { countStablecoins, listStablecoins as listStored } from './store.ts'
import type { StablecoinListQuery } from '../schema.ts'
import type { Stablecoin } from './stablecoin.ts'

/** The platform's coins, newest first. Fails: INVALID_INPUT on a cursor of another list. */
export async function listStablecoins(
  work: Work,
  query: StablecoinListQuery,
): Promise<Page<Stablecoin>> {
  const { tx, platform } = work
  const { issuanceStatus, serviceOperationsStatus, provider } = query
  const filters = { issuanceStatus, serviceOperationsStatus, provider }
  return pageByCreation(openPage(work, { list: 'stablecoins', query }), {
    rows: (page) => listStored(tx, platform.id, { filters, ...page }),
    count: () => countStablecoins(tx, platform.id, filters),
  })
}
