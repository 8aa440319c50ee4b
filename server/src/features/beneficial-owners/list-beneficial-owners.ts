import { toWireTime } from '../../kernel/clock.ts'
import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/page.ts'
import { openPage } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { findCustomer } from '../customers/index.ts'
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
  const filters = { customerId: query.customerId }
  const paging = openPage(work, { list: 'beneficial-owners', query, filters })
  const customerId = mustParseId('customer', query.customerId)
  if (!(await findCustomer(work, customerId))) failNotFound('customer')
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && { createdAt, id }
  const [rows, totalCount] = await Promise.all([
    listOwnerPage(tx, platform.id, { customerId, after, fetch: paging.fetch }),
    countOwners(tx, platform.id, customerId),
  ])
  const page = paging.page(rows, {
    item: (owner) => owner,
    position: (owner) => [toWireTime(owner.createdAt), owner.id],
  })
  return { ...page, totalCount }
}
