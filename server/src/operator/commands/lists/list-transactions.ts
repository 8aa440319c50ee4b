import { Type } from '../../../infra/http/schema/type.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { addMs, toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, parseId, type Id } from '../../../kernel/ids.ts'
import type { CreationPlace } from '../../../kernel/page.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  CARD_TRANSACTION_STATUSES,
  findTransaction,
  listedToWire,
  listTransactionsOfAll,
  TRANSACTION_STATUSES,
  TransactionSchema,
  type ListedTransaction,
} from '../../../features/transactions/lists.ts'
import { shownPlatforms, visibleOwner } from '../../access/visible-platforms.ts'
import { choiceOf, defineCommand, type Input } from '../../command.ts'
import {
  AMOUNT_OPTIONS,
  amountRangeOf,
  customerIn,
  LIMIT,
  limitOf,
  PERIOD_OPTIONS,
  periodOf,
  PLATFORM,
} from '../../queries/list-filters.ts'
import { findPlatformOfTransaction } from '../../queries/operator-store.ts'
import { nameParties, partiesOfListed } from '../../queries/parties/party-names.ts'
import { RAIL_OPTION, railOf } from '../../queries/rail-filter.ts'

const STATUSES = [...new Set([...TRANSACTION_STATUSES, ...CARD_TRANSACTION_STATUSES])]
const TYPES = ['INCOMING', 'OUTGOING', 'CARD'] as const

type Found = Readonly<{ platformId: Id<'platform'>; transaction: ListedTransaction }>

/** By its own id, by its card's kind of id, or by the id of its quote, with which it shares the uuid. */
export async function mustFindTransaction(
  deps: Pick<Deps, 'db' | 'operator'>,
  text: string,
): Promise<Found> {
  const id =
    parseId('transaction', text) ??
    parseId('cardTransaction', text) ??
    parseId('quote', text) ??
    failNotFound('transaction')
  const owner = await visibleOwner(
    deps,
    findPlatformOfTransaction(deps.db.read, id as string as Id<'transaction'>),
  )
  const transaction = owner && (await findTransaction(deps.db.read, owner, id))
  const isMeant = (transaction?.type === 'CARD') === text.startsWith('CardTransaction:')
  if (!owner || !transaction || !isMeant) return failNotFound('transaction')
  return { platformId: owner, transaction }
}

async function placeBefore(deps: Deps, input: Input): Promise<CreationPlace | undefined> {
  const before = input.option('before')
  if (before === undefined) return undefined
  const { transaction } = await mustFindTransaction(deps, before)
  return { createdAt: toWireTime(transaction.createdAt), id: transaction.id }
}

const LINE = {
  platformId: idField('platform'),
  payer: Type.Optional(Type.String()),
  payee: Type.Optional(Type.String()),
}

export const listTransactions = defineCommand({
  name: 'transactions list',
  access: { roles: ['VIEWER'] },
  about: 'Transactions of one platform or of all, newest first; declined ones only if asked for.',
  options: {
    platform: PLATFORM,
    status: { about: 'Only with this status.', value: 'NAME' },
    type: { about: 'INCOMING, OUTGOING or CARD.', value: 'NAME' },
    customer: { about: 'Only of this customer.', value: 'ID' },
    ...PERIOD_OPTIONS,
    ...AMOUNT_OPTIONS,
    ...RAIL_OPTION,
    before: { about: 'Only what is older than this transaction.', value: 'ID' },
    limit: LIMIT,
  },
  answers: Type.Array(Type.Intersect([Type.Object(LINE), TransactionSchema])),
  async run(deps, input) {
    const { since, until } = periodOf(input)
    const filters = {
      status: choiceOf(input, 'status', STATUSES),
      type: choiceOf(input, 'type', TYPES),
      customerId: customerIn(input),
      startAt: since,
      // The last millisecond of the period: the filter has both ends.
      endAt: until && addMs(until, -1),
      amount: amountRangeOf(input),
      rail: railOf(input),
    }
    const found = await listTransactionsOfAll(deps.db.read, shownPlatforms(deps, input), {
      filters,
      after: await placeBefore(deps, input),
      fetch: limitOf(input),
    })
    const names = await nameParties(
      deps.db.read,
      found.map(({ platformId, transaction }) => partiesOfListed(platformId, transaction)),
    )
    return found.map(({ platformId, transaction }, index) => ({
      platformId: formatId('platform', platformId),
      ...names[index],
      ...listedToWire(platformId, transaction),
    }))
  },
})
