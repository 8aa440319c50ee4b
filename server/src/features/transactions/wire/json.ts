import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { amountToWire, currencyToWire } from '../../../kernel/money/wire-money.ts'
import { jsonText, quoted, type ByteText } from '../../../kernel/text/byte-text.ts'
import type { OutgoingTransaction } from '../record/transaction.ts'
import { isWithheld, ownerToWire, refundToWire, shownSource } from './wire.ts'

type Read<Value> = (transaction: OutgoingTransaction) => Value
/** A piece of the JSON, which depends on one value of the payment and on the platform. */
type Part = Readonly<{
  read: Read<unknown>
  write(value: unknown, platformId: Id<'platform'>): string
}>

const part = <Value>(
  read: Read<Value>,
  write: (value: Value, platformId: Id<'platform'>) => string,
): Part => ({ read, write: write as Part['write'] })

/** Empty where the payment does not have it. */
const optional = <Value>(read: Read<Value | null>, write: (value: Value) => string): Part =>
  part(read, (value) => (value === null ? '' : write(value)))

const fixed = (words: string): Part =>
  part(
    () => words,
    () => words,
  )

const text = (name: string, read: Read<string | null>): Part =>
  optional(read, (value) => `,"${name}":${quoted(value)}`)

const number = (name: string, read: Read<number | null>): Part =>
  optional(read, (value) => `,"${name}":${value}`)

const amount = (name: string, read: Read<bigint | null>): Part =>
  optional(read, (value) => `,"${name}":${amountToWire(value)}`)

const time = (name: string, read: Read<Date | null>): Part =>
  optional(read, (value) => `,"${name}":"${toWireTime(value)}"`)

const object = (name: string, read: Read<object | null>): Part =>
  optional(read, (value) => `,"${name}":${jsonText(value)}`)

const money = (name: string, read: Read<Money | null>): Part =>
  optional(read, (value) => {
    const currency = currencyText(value.currency)
    return `,"${name}":{"amount":${amountToWire(value.amount)},"currency":${currency}}`
  })

const currencies = new Map<string, ByteText>()

function currencyText(code: string): ByteText {
  const known = currencies.get(code) ?? jsonText(currencyToWire(code))
  currencies.set(code, known)
  return known
}

const NOBODY = { customerId: null, platformCustomerId: null }

const PARTS: readonly Part[] = [
  part(
    ({ id }) => id,
    (id) => `{"id":"${formatId('transaction', id)}"`,
  ),
  text('pendingReason', ({ pendingReason }) => pendingReason),
  part(
    ({ customerId }) => customerId,
    (customerId, platformId) =>
      `,"customerId":"${ownerToWire(platformId, { ...NOBODY, customerId }).customerId}"`,
  ),
  part(
    ({ platformCustomerId }) => platformCustomerId,
    (platformCustomerId, platformId) => {
      const owner = ownerToWire(platformId, { ...NOBODY, platformCustomerId })
      return `,"platformCustomerId":${quoted(owner.platformCustomerId)}`
    },
  ),
  object('destination', ({ destination }) => destination),
  amount('fees', ({ fees }) => fees),
  number('exchangeRate', ({ exchangeRate }) => exchangeRate),
  optional(
    ({ quoteId }) => quoteId,
    (quoteId) => `,"quoteId":"${formatId('quote', quoteId)}"`,
  ),
  optional(
    ({ agentId }) => agentId,
    (agentId) => `,"agentId":"${formatId('agent', agentId)}"`,
  ),
  text('description', ({ description }) => description),
  optional(
    ({ reconciliationReference }) => reconciliationReference || null,
    (reference) => `,"reconciliationInstructions":{"reference":${quoted(reference)}}`,
  ),
  object('counterpartyInformation', ({ counterpartyInformation }) => counterpartyInformation),
  optional(
    ({ refund }) => refund,
    (refund) => `,"refund":${jsonText(refundToWire(refund))}`,
  ),
  time('settledAt', ({ settledAt }) => settledAt),
  time(
    'receiptDeliveryConfirmedAt',
    ({ receiptDeliveryConfirmedAt }) => receiptDeliveryConfirmedAt,
  ),
  time('createdAt', ({ createdAt }) => createdAt),
  time('updatedAt', ({ updatedAt }) => updatedAt),
  fixed(',"type":"OUTGOING"'),
  text('status', ({ status }) => status),
  text('direction', ({ direction }) => direction),
  part(
    ({ source }) => source,
    (source) => `,"source":${jsonText(shownSource(source))}`,
  ),
  money('sentAmount', ({ sent }) => sent),
  money('receivedAmount', ({ received }) => received),
  amount('platformFees', ({ platformFees }) => platformFees),
  object('paymentInstructions', (payment) =>
    isWithheld(payment) ? null : payment.paymentInstructions,
  ),
  object('rateDetails', ({ rateDetails }) => rateDetails),
  text('failureReason', ({ failureReason }) => failureReason),
  text('paymentRail', ({ paymentRail }) => paymentRail),
  text('railSelectionMode', ({ railSelectionMode }) => railSelectionMode),
  time('expectedSettlementAt', ({ expectedSettlementAt }) => expectedSettlementAt),
  number('settlementTimelineSeconds', (payment) => payment.settlementTimelineSeconds),
  fixed('}'),
]

type Written = Readonly<{
  platformId: Id<'platform'> | undefined
  values: readonly unknown[]
  parts: readonly ByteText[]
}>

let last: Written = { platformId: undefined, values: [], parts: [] }

/**
 * The JSON of `outgoingToWire` in parts. An immediate payment has three events of this form, which differ in a few parts:
 * only those are written again, and outbox-events.ts sees at a glance what they share.
 */
export function outgoingToJson(
  platformId: Id<'platform'>,
  transaction: OutgoingTransaction,
): readonly ByteText[] {
  const known = last.platformId === platformId ? last : undefined
  const values: unknown[] = []
  const parts: ByteText[] = []
  PARTS.forEach(({ read, write }, at) => {
    const value = read(transaction)
    const isKnown = known !== undefined && known.values[at] === value
    values.push(value)
    parts.push((isKnown ? known.parts[at] : write(value, platformId)) as ByteText)
  })
  last = { platformId, values, parts }
  return parts
}
