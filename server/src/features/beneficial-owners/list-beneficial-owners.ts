import type { Page } from '../../kernel/page.ts'
import { openPage, pageByCreation } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { mustKnowCustomer } from '../customers/index.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import type { BeneficialOwnerListFilters } from './schema.ts'
import { countOwners, listOwnerPage } from './store.ts'

/**
 * The owners of one business, also a deleted one, newest first; an individual has none (BO-9).
 * Fails: USER_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listBeneficialOwners(
  work: Work,
  query: BeneficialOwnerListFilters,
): Promise<Page<BeneficialOwner>> {
  const { tx, platform } = work
  const paging = openPage(work, { list: 'beneficial-owners', query })
  const customerId = await mustKnowCustomer(work, query.customerId)
  return pageByCreation(paging, {
    rows: (page) => listOwnerPage(tx, platform.id, { customerId, ...page }),
    count: () => countOwners(tx, platform.id, customerId),
  })
}
