import type { Page } from '../../kernel/page.ts'
import { openPage, pageByCreation } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { mustKnowCustomer } from '../customers/index.ts'
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
  const paging = openPage(work, { list: 'verifications', query })
  const customerId = await mustKnowCustomer(work, query.customerId)
  const filters = { customerId, status: query.verificationStatus }
  return pageByCreation(paging, {
    rows: (page) => listVerificationPage(tx, platform.id, { filters, ...page }),
    count: () => countVerifications(tx, platform.id, filters),
  })
}
