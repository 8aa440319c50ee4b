import { failNotFound, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Page } from '../../../kernel/page.ts'
import { openPage, pageByCreation } from '../../../infra/http/paging.ts'
import type { Work } from '../../../infra/work/work.ts'
import { mustKnowCustomer } from '../../customers/index.ts'
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
  const { sortOrder = 'desc' } = query
  const paging = openPage(work, { list: 'cards', query })
  const filters = await filtersOf(work, query)
  const found = await pageByCreation(paging, {
    rows: (page) => listCardRows(tx, platform.id, { filters, sortOrder, ...page }),
    count: () => countCards(tx, platform.id, filters),
  })
  return { ...found, data: found.data.map((card) => cardAt(card, work.now)) }
}

async function filtersOf(work: Work, query: CardQuery): Promise<CardFilters> {
  const [customerId, accountId] = await Promise.all([
    mustKnowCustomer(work, query.customerId ?? query.cardholderId),
    mustFindAccount(work, query.accountId),
  ])
  const { platformCardId, state } = query
  return { customerId, accountId, platformCardId, state, now: work.now }
}

async function mustFindAccount(
  { tx, platform }: Work,
  text: string | undefined,
): Promise<Id<'internalAccount'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('internalAccount', text)
  return (await findAccount(tx, platform.id, id)) ? id : failNotFound('internalAccount')
}
