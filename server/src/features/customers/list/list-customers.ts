import { parseWireTime } from '../../../kernel/clock.ts'
import { asId } from '../../../kernel/ids.ts'
import { TOTAL_COUNT_MAX, type CreationPlace, type Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
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
  query: CustomerListFilters,
): Promise<Page<Customer>> {
  const { tx, platform } = work
  const paging = openPage(work, { list: 'customers', query })
  const parts = await findParts(tx, platform.id, filtersOf(query))
  return pageByCreation(paging, {
    rows: ({ after, fetch }) =>
      listCustomerRows(tx, platform.id, { parts, after: after && placeOf(after), limit: fetch }),
    count: () => countCustomers(tx, { parts, max: TOTAL_COUNT_MAX }),
  })
}

const instant = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : parseWireTime(text)

const filtersOf = (given: CustomerListFilters): ListFilters => ({
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

const placeOf = ({ createdAt, id }: CreationPlace): Place => ({
  createdAt: instant(createdAt) as Date,
  id: asId('customer', id),
})
