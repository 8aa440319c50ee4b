import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findCustomer } from '../../customers/index.ts'
import { findAccount } from '../../internal-accounts/index.ts'
import { cardAt, type Card } from './card.ts'
import type { CardQuery } from '../schema.ts'
import { countCards, listCardRows, type CardFilters } from './store.ts'

/**
 * Lists the platform's cards by creation, newest first unless `sortOrder` says otherwise.
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND, INVALID_INPUT on a cursor of another list.
 */
export async function listCards(work: Work, query: CardQuery): Promise<Page<Card>> {
  const { tx, platform } = work
  const { limit: _limit, cursor: _cursor, ...asked } = query
  const paging = openPage(work, { list: 'cards', query, filters: asked })
  const filters = await filtersOf(work, query)
  const [createdAt = '', id = ''] = paging.after ?? []
  const page = {
    filters,
    sortOrder: query.sortOrder ?? 'desc',
    after: paging.after && ([createdAt, id] as const),
    fetch: paging.fetch,
  } as const
  const [rows, totalCount] = await Promise.all([
    listCardRows(tx, platform.id, page),
    countCards(tx, platform.id, filters),
  ])
  const shown = paging.page(rows, {
    item: (card) => cardAt(card, work.now),
    position: (card) => [toWireTime(card.createdAt), card.id],
  })
  return { ...shown, totalCount }
}

async function filtersOf(work: Work, query: CardQuery): Promise<CardFilters> {
  const [customerId, accountId] = await Promise.all([
    mustFindOwner(work, query.customerId ?? query.cardholderId),
    mustFindAccount(work, query.accountId),
  ])
  const { platformCardId, state } = query
  return { customerId, accountId, platformCardId, state, now: work.now }
}

/** A filter by an unknown customer is refused; a deleted customer's cards stay readable (CORE-4). */
async function mustFindOwner(
  work: Work,
  text: string | undefined,
): Promise<Id<'customer'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('customer', text)
  return (await findCustomer(work, id)) ? id : failNotFound('customer')
}

async function mustFindAccount(
  { tx, platform }: Work,
  text: string | undefined,
): Promise<Id<'internalAccount'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('internalAccount', text)
  return (await findAccount(tx, platform.id, id)) ? id : failNotFound('internalAccount')
}
