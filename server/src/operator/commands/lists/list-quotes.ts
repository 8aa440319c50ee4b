import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import { platformTime } from '../../../kernel/platform.ts'
import { QUOTE_STATUSES, quoteStatusAt, quoteStatusOf } from '../../../features/quotes/lists.ts'
import type { OutgoingStatus } from '../../../features/transactions/index.ts'
import { defineCommand, record } from '../../command.ts'
import { AMOUNT_OPTIONS, amountRangeOf } from '../../queries/list-filters.ts'
import { newestOptions, newestPage } from '../../queries/newest-page.ts'
import { listNewestQuotes, type QuoteLine } from '../../queries/newest-store.ts'
import { nameParties, partiesOf } from '../../queries/parties/party-names.ts'
import { RAIL_OPTION, railOf } from '../../queries/rail-filter.ts'

/** An expired one is so at once, also before its job has run (QUOTE-23). */
function statusOf({ status, expiresAt, clockOffsetMs }: QuoteLine, now: Date) {
  const at = platformTime({ clockOffsetMs: Number(clockOffsetMs) }, now)
  return quoteStatusAt({ status: quoteStatusOf(status as OutgoingStatus), expiresAt }, at)
}

const moneyOf = (name: 'sending' | 'receiving', amount: bigint | null, currency: string | null) =>
  amount === null || currency === null ? {} : { [name]: moneyToWire({ amount, currency }) }

export const listQuotes = defineCommand({
  name: 'quotes list',
  access: { roles: ['VIEWER'] },
  about: 'Quotes of one platform or of all, newest first, with what became of them.',
  options: { ...newestOptions(QUOTE_STATUSES), ...AMOUNT_OPTIONS, ...RAIL_OPTION },
  answers: Type.Array(
    record({
      quoteId: idField('quote'),
      platformId: idField('platform'),
      customerId: Type.Optional(idField('customer')),
      payer: Type.Optional(Type.String()),
      payee: Type.Optional(Type.String()),
      status: Type.String(),
      sending: Type.Optional(MoneySchema),
      receiving: Type.Optional(MoneySchema),
      createdAt: timestamp(),
      expiresAt: timestamp(),
    }),
  ),
  async run(deps, input) {
    const page = {
      ...newestPage(deps, input, { kind: 'quote', statuses: QUOTE_STATUSES }),
      amount: amountRangeOf(input),
      rail: railOf(input),
    }
    const found = await listNewestQuotes(deps.db.read, page)
    const parties = found.map((quote) => partiesOf(quote.platformId, quote))
    const names = await nameParties(deps.db.read, parties)
    return found.map((quote, index) => ({
      quoteId: formatId('quote', quote.id),
      platformId: formatId('platform', quote.platformId),
      ...(quote.customerId !== null && { customerId: formatId('customer', quote.customerId) }),
      ...names[index],
      status: statusOf(quote, deps.clock.now()),
      ...moneyOf('sending', quote.sentAmount, quote.sentCurrency),
      ...moneyOf('receiving', quote.receivedAmount, quote.receivedCurrency),
      createdAt: toWireTime(quote.createdAt),
      expiresAt: toWireTime(quote.expiresAt),
    }))
  },
})
