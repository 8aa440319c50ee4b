import { toWireTime } from '../../kernel/clock.ts'
import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/page.ts'
import { openPage } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { findCustomer } from '../customers/index.ts'
import type { VerificationListFilters } from './schema.ts'
import { countVerifications, listVerificationPage } from './store.ts'
import type { Verification } from './verification.ts'

/**
 * Verifications, newest first, deleted customers' included (VER-12).
 * Fails: USER_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listVerifications(
  work: Work,
  query: VerificationListFilters,
): Promise<Page<Verification>> {
  const { tx, platform } = work
  const { limit: _limit, cursor: _cursor, ...filtersAsked } = query
  const paging = openPage(work, { list: 'verifications', query, filters: filtersAsked })
  const customerId =
    query.customerId === undefined ? undefined : mustParseId('customer', query.customerId)
  if (customerId && !(await findCustomer(work, customerId))) failNotFound('customer')
  const filters = { customerId, status: query.verificationStatus }
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && { createdAt, id }
  const [rows, totalCount] = await Promise.all([
    listVerificationPage(tx, platform.id, { filters, after, fetch: paging.fetch }),
    countVerifications(tx, platform.id, filters),
  ])
  const page = paging.page(rows, {
    item: (verification) => verification,
    position: (verification) => [toWireTime(verification.createdAt), verification.id],
  })
  return { ...page, totalCount }
}
