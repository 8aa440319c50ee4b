import type { Page } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { countStablecoins, listStablecoins as listStored } from './store.ts'
import { listNewest } from '../list-newest.ts'
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
  return listNewest(openPage(work, { list: 'stablecoins', query, filters }), {
    rows: (page) => listStored(tx, platform.id, { filters, ...page }),
    count: () => countStablecoins(tx, platform.id, filters),
  })
}
