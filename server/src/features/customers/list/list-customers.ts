import { parseWireTime, toWireTime } from '../../../kernel/clock.ts'
import { asId } from '../../../kernel/ids.ts'
import { TOTAL_COUNT_MAX, type Page } from '../../../kernel/page.ts'
import { openPage, type Position } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../customer.ts'
import {
  countCustomers,
  findParts,
  listCustomerRows,
  type ListFilters,
  type Place,
} from './store.ts'
import type { CustomerListFilters } from '../schema.ts'

/** The platform's customers, newest first (CUST-41, CUST-42). Fails: INVALID_INPUT on a cursor of another list. */
export async function listCustomers(
  work: Work,
  { limit, cursor, ...given }: CustomerListFilters,
): Promise<Page<Customer>> {
  const { tx, platform } = work
  const query = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
  const paging = openPage(work, { list: 'customers', query, filters: given })
  const parts = await findParts(tx, platform.id, filtersOf(given))
  const after = paging.after && placeAt(paging.after)
  const [rows, totalCount] = await Promise.all([
    listCustomerRows(tx, platform.id, { parts, after, limit: paging.fetch }),
    countCustomers(tx, { parts, max: TOTAL_COUNT_MAX }),
  ])
  const page = paging.page(rows, {
    item: (customer) => customer,
    position: ({ createdAt, id }) => [toWireTime(createdAt), id],
  })
  return { ...page, totalCount }
}

const instant = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : parseWireTime(text)

const filtersOf = (given: Omit<CustomerListFilters, 'limit' | 'cursor'>): ListFilters => ({
  platformCustomerId: given.platformCustomerId,
  customerType: given.customerType,
  region: given.region,
  currency: given.currency,
  umaAddress: given.umaAddress?.toLowerCase(),
  createdAfter: instant(given.createdAfter),
  createdBefore: instant(given.createdBefore),
  updatedAfter: instant(given.updatedAfter),
  updatedBefore: instant(given.updatedBefore),
  isIncludingDeleted: given.isIncludingDeleted ?? false,
})

const placeAt = ([createdAt = '', id = '']: Position): Place => ({
  createdAt: instant(createdAt) as Date,
  id: asId('customer', id),
})
