import { failNotFound, formatId } from '../../../kernel/ids.ts'
import type { CreationPlace, Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import type { ExternalAccount } from '../external-account.ts'
import { openAccount } from './sealing.ts'
import { countAccounts, listAccounts, type ListFilters } from './store.ts'

export type AccountsRequest = Readonly<{
  /** `customers`: accounts of all customers of the platform. */
  owner: ListFilters['owner']
  query: Readonly<{ currency?: string; limit?: number; cursor?: string }>
  /** Continues after this account, for callers that page without cursors. */
  afterAccount?: CreationPlace | undefined
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
  const named = typeof owner === 'string' ? owner : formatId('customer', owner.customerId)
  const paging = openPage(work, { list: 'external-accounts', query, narrowedTo: { owner: named } })
  const isKnown = typeof owner === 'string' || (await findCustomer(work, owner.customerId))
  if (!isKnown) failNotFound('customer')
  const filters = { owner, currency: query.currency }
  const found = await pageByCreation(paging, {
    rows: ({ after = afterAccount, fetch }) =>
      listAccounts(tx, platform.id, { filters, after, fetch }),
    count: () => countAccounts(tx, platform.id, filters),
  })
  return { ...found, data: found.data.map((row) => openAccount(keyring, row)) }
}
