import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import type { ExternalAccount } from '../external-account.ts'
import { openAccount } from './sealing.ts'
import type { AccountPlace, ListFilters } from './store.ts'
import { countAccounts, listAccounts } from './store.ts'

export type AccountsRequest = Readonly<{
  /** `customers`: accounts of all customers of the platform. */
  owner: ListFilters['owner']
  query: Readonly<{ currency?: string; limit?: number; cursor?: string }>
  /** Continues after this account, for callers that page without cursors. */
  afterAccount?: AccountPlace | undefined
}>

/**
 * External accounts, newest first (EACC-13). A deleted customer's accounts are listed only by that customer's id.
 * Fails: USER_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listExternalAccounts(
  work: Work,
  { owner, query, afterAccount }: AccountsRequest,
): Promise<Page<ExternalAccount>> {
  const { tx, platform, keyring } = work
  const { currency } = query
  const named = typeof owner === 'string' ? owner : formatId('customer', owner.customerId)
  const paging = openPage(work, {
    list: 'external-accounts',
    query,
    filters: { owner: named, currency },
  })
  const isKnown = typeof owner === 'string' || (await findCustomer(work, owner.customerId))
  if (!isKnown) failNotFound('customer')
  const filters = { owner, currency }
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = afterAccount ?? (paging.after && { createdAt, id })
  const [rows, totalCount] = await Promise.all([
    listAccounts(tx, platform.id, { filters, after, fetch: paging.fetch }),
    countAccounts(tx, platform.id, filters),
  ])
  const page = paging.page(rows, {
    item: (row) => openAccount(keyring, row),
    position: (row) => [toWireTime(row.createdAt), row.id],
  })
  return { ...page, totalCount }
}
