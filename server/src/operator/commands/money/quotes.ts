import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import { platformTime } from '../../../kernel/platform.ts'
import {
  endQuote,
  QUOTE_STATUSES,
  QuoteSchema,
  quoteStatusAt,
  quoteStatusOf,
  readQuote,
  showQuote,
} from '../../../features/quotes/index.ts'
import type { OutgoingStatus } from '../../../features/transactions/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyWord, record, type Given } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { AMOUNT_OPTIONS, amountRangeOf } from '../../queries/list-filters.ts'
import { RAIL_OPTION, railOf } from '../../queries/rail-filter.ts'
import { nameParties, partiesOf } from '../../queries/parties/party-names.ts'
import { newestOptions, newestPage } from '../../queries/newest-page.ts'
import {
  findPlatformOfQuote,
  listNewestQuotes,
  type QuoteLine,
} from '../../queries/newest-store.ts'

/** An expired one is so at once, also before its job has run (QUOTE-23). */
function statusOf({ status, expiresAt, clockOffsetMs }: QuoteLine, now: Date) {
  const at = platformTime({ clockOffsetMs: Number(clockOffsetMs) }, now)
  return quoteStatusAt({ status: quoteStatusOf(status as OutgoingStatus), expiresAt }, at)
}

const moneyOf = (name: 'sending' | 'receiving', amount: bigint | null, currency: string | null) =>
  amount === null || currency === null ? {} : { [name]: moneyToWire({ amount, currency }) }

const list = defineCommand({
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
  async run(deps, given) {
    const page = {
      ...newestPage(deps, given, { kind: 'quote', statuses: QUOTE_STATUSES }),
      amount: amountRangeOf(given),
      rail: railOf(given),
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

const show = defineCommand({
  name: 'quotes show',
  access: { roles: ['VIEWER'] },
  about: 'One quote as the API shows it.',
  takes: ['quoteId'],
  answers: record({
    platformId: idField('platform'),
    customerId: Type.Optional(idField('customer')),
    quote: QuoteSchema,
  }),
  async run(deps, given) {
    const { id, owner } = await placeOf(deps, given)
    return readInPlatform(deps, owner, async (work) => {
      const quoted = await readQuote(work, id)
      const { customerId } = quoted.transaction
      return {
        platformId: formatId('platform', work.platform.id),
        ...(customerId && { customerId: formatId('customer', customerId) }),
        quote: await showQuote(work, quoted),
      }
    })
  },
})

async function placeOf(deps: Deps, given: Given) {
  const resource = onlyWord(given, 'quoteId')
  const id = mustParseId('quote', resource)
  const owner = await visibleOwner(deps, findPlatformOfQuote(deps.db.read, id))
  return { id, resource, owner: owner ?? failNotFound('quote') }
}

const expire = defineCommand({
  name: 'quotes expire',
  access: { roles: ['TREASURER'], writes: true },
  about: 'End a quote that nobody has executed before its time, such as one at a wrong price.',
  takes: ['quoteId'],
  options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
  answers: record({ quoteId: idField('quote'), status: Type.String() }),
  async run(deps, given) {
    const { id, resource, owner } = await placeOf(deps, given)
    const platformId = formatId('platform', owner)
    const entry = { platformId, action: 'quotes expire', resource, note: () => given.text('note') }
    return inPlatform(deps, entry, async (work) => {
      if (!(await endQuote(work, id))) {
        const { status } = (await readQuote(work, id)).transaction
        fail('CONFLICT', { status: quoteStatusOf(status) })
      }
      return { quoteId: resource, status: 'EXPIRED' }
    })
  },
})

export const quoteCommands = { list, show, expire }
