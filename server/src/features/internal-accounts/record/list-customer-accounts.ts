import type { Id } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustKnowCustomer } from '../../customers/index.ts'
import type { CustomerAccountsQuery } from '../schema.ts'
import {
  countCustomerAccounts,
  listCustomerAccounts as listStored,
  type AccountWithBalances,
} from './store.ts'

/** Lists customers' accounts, newest first. Fails: USER_NOT_FOUND, INVALID_INPUT on a cursor of another list. */
export async function listCustomerAccounts(
  work: Work,
  query: CustomerAccountsQuery,
  /** Undefined: no restriction (ACT-15). */
  allowed?: readonly Id<'internalAccount'>[],
): Promise<Page<AccountWithBalances>> {
  const { tx, platform } = work
  const { currency, type } = query
  const list = 'customers/internal-accounts'
  const paging = openPage(work, { list, query, narrowedTo: { allowed } })
  // It may be a deleted one (IACC-6).
  const customerId = await mustKnowCustomer(work, query.customerId)
  const filters = { currency, type, customerId, allowed }
  return pageByCreation(paging, {
    rows: (page) => listStored(tx, platform.id, { filters, ...page }),
    count: () => countCustomerAccounts(tx, platform.id, filters),
  })
}
