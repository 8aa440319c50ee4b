import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
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
  const { currency, type, customerId } = query
  const paging = openPage(work, {
    list: 'customers/internal-accounts',
    query,
    filters: { currency, type, customerId, allowed },
  })
  const filters = { currency, type, customerId: await mustFindOwner(work, customerId), allowed }
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && ([createdAt, id] as const)
  const [rows, totalCount] = await Promise.all([
    listStored(tx, platform.id, { filters, after, fetch: paging.fetch }),
    countCustomerAccounts(tx, platform.id, filters),
  ])
  const page = paging.page(rows, {
    item: (account) => account,
    position: (account) => [toWireTime(account.createdAt), account.id],
  })
  return { ...page, totalCount }
}

/** The filter may name a deleted customer (IACC-6). */
async function mustFindOwner(
  work: Work,
  text: string | undefined,
): Promise<Id<'customer'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('customer', text)
  return (await findCustomer(work, id)) ? id : failNotFound('customer')
}
