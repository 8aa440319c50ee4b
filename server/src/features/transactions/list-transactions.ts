import { parseWireTime } from '../../kernel/clock.ts'
import type { FieldError } from '../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId, parseId, type Id } from '../../kernel/ids.ts'
import type { Page } from '../../kernel/page.ts'
import { openPage, pageByCreation } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { mustKnowCustomer } from '../customers/index.ts'
import { isCard } from './record/card-store.ts'
import type { TransactionQuery } from './wire/query-schema.ts'
import type { ListedTransaction } from './record/row.ts'
import {
  countTransactions,
  listTransactions as listStored,
  type TransactionFilters,
} from './record/store.ts'

/** Limits a list to an agent's customer, and to the accounts that its policy allows (ACT-15). */
export type TransactionReach = Readonly<{
  customerId: Id<'customer'>
  accountIdentifiers: readonly string[]
}>

/**
 * The platform's transactions by creation, newest first unless asked otherwise (TXN-9 to TXN-11).
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND (card), INVALID_INPUT on a cursor of another list.
 */
export async function listTransactions(
  work: Work,
  query: TransactionQuery,
  reach?: TransactionReach,
): Promise<Page<ListedTransaction>> {
  const { tx, platform } = work
  const paging = openPage(work, {
    list: 'transactions',
    query,
    ...(reach && { narrowedTo: reach }),
  })
  const filters = { ...(await filtersOf(work, query)), ...reach }
  const sortOrder = query.sortOrder ?? 'desc'
  return pageByCreation(paging, {
    rows: (page) => listStored(tx, platform.id, { filters, sortOrder, ...page }),
    count: () => countTransactions(tx, platform.id, filters),
  })
}

async function filtersOf(work: Work, query: TransactionQuery): Promise<TransactionFilters> {
  const { platformCustomerId, status, type, reference, startDate, endDate } = query
  const isPlatforms = platformCustomerId === formatId('platform', work.platform.id)
  return {
    customerId: isItself(work, query.customerId)
      ? null
      : await mustKnowCustomer(work, query.customerId),
    platformCustomerId: isPlatforms ? null : platformCustomerId,
    accountIdentifier: comparable(query.accountIdentifier),
    senderAccountIdentifier: comparable(query.senderAccountIdentifier),
    receiverAccountIdentifier: comparable(query.receiverAccountIdentifier),
    status,
    type,
    reference,
    cardId: await mustFindCard(work, query.cardId),
    startAt: parseWireTime(startDate ?? ''),
    endAt: parseWireTime(endDate ?? ''),
  }
}

/** A platform filters by its own id for its own transactions. */
const isItself = ({ platform }: Work, owner: string | undefined): boolean =>
  owner !== undefined && parseId('platform', owner) === platform.id

/** A filter by an unknown card is refused, unlike one by an unknown account (CORE-4). */
async function mustFindCard(
  { tx, platform }: Work,
  text: string | undefined,
): Promise<Id<'card'> | undefined> {
  if (text === undefined) return undefined
  const id = mustParseId('card', text)
  return (await isCard(tx, platform.id, id)) ? id : failNotFound('card')
}

/** Addresses are compared in lower case (UMA-1); the uuid of an id has no upper case. */
const comparable = (identifier: string | undefined): string | undefined =>
  identifier?.startsWith('$') ? identifier.toLowerCase() : identifier

/** A range that ends before it begins is refused, not answered with an empty page (TXN-9). */
export function checkRange(query: Readonly<Record<string, unknown>>): FieldError[] {
  const [from, until] = [query['startDate'], query['endDate']].map((value) =>
    typeof value === 'string' ? parseWireTime(value) : undefined,
  )
  if (!from || !until || from <= until) return []
  return [{ field: 'startDate', message: 'must not be after endDate' }]
}
