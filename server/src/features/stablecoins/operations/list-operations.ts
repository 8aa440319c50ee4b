import { mustParseId } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustFindStablecoin } from '../must-find.ts'
import { countOperations, listOperations as listStored } from './store.ts'
import type { OperationListQuery } from '../schema.ts'
import type { StablecoinOperation } from './stablecoin-operation.ts'

/**
 * Lists a coin's mints and burns, newest first. The cursor is checked before the coin, as fields come before existence
 * (CORE-32).
 * Fails: INVALID_INPUT on a cursor of another list, REFERENCE_NOT_FOUND.
 */
export async function listOperations(
  work: Work,
  pathId: string,
  query: OperationListQuery,
): Promise<Page<StablecoinOperation>> {
  const { tx, platform } = work
  const { operationType } = query
  const paging = openPage(work, { list: 'stablecoin-operations', query, narrowedTo: { pathId } })
  const { id: stablecoinId } = await mustFindStablecoin(work, mustParseId('stablecoin', pathId))
  const filters = { stablecoinId, operationType }
  return pageByCreation(paging, {
    rows: (page) => listStored(tx, platform.id, { filters, ...page }),
    count: () => countOperations(tx, platform.id, filters),
  })
}
