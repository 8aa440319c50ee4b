import { toWireTime } from '../../../kernel/clock.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { amountToWire, currencyToWire } from '../../../kernel/money/wire-money.ts'
import { jsonText, quoted, type ByteText } from '../../../kernel/text/byte-text.ts'
import type { OutgoingTransaction } from '../record/transaction.ts'
import { isWithheld, ownerToWire, refundToWire, shownSource } from './wire.ts'

/**
 * The JSON of `outgoingToWire`, written at once: an immediate payment has three events of this form, which would take a
 * tenth of its time to build and to render.
 */
export function outgoingToJson(platformId: Id<'platform'>, transaction: OutgoingTransaction) {
  const { refund, paymentInstructions, settlementTimelineSeconds, received } = transaction
  const { customerId, platformCustomerId } = ownerToWire(platformId, transaction)
  const reference = transaction.reconciliationReference
  const instructions = isWithheld(transaction) ? null : paymentInstructions
  const { quoteId, agentId, fees, platformFees, exchangeRate, failureReason } = transaction
  return (`{"id":"${formatId('transaction', transaction.id)}"` +
    text('pendingReason', transaction.pendingReason) +
    `,"customerId":"${customerId}","platformCustomerId":${quoted(platformCustomerId)}` +
    `,"destination":${destinationText(transaction.destination)}` +
    number('fees', fees === null ? null : amountToWire(fees)) +
    number('exchangeRate', exchangeRate) +
    text('quoteId', quoteId && formatId('quote', quoteId)) +
    text('agentId', agentId && formatId('agent', agentId)) +
    text('description', transaction.description) +
    (reference ? `,"reconciliationInstructions":{"reference":${quoted(reference)}}` : '') +
    value('counterpartyInformation', transaction.counterpartyInformation) +
    value('refund', refund && refundToWire(refund)) +
    time('settledAt', transaction.settledAt) +
    time('receiptDeliveryConfirmedAt', transaction.receiptDeliveryConfirmedAt) +
    time('createdAt', transaction.createdAt) +
    time('updatedAt', transaction.updatedAt) +
    `,"type":"OUTGOING","status":"${transaction.status}","direction":"${transaction.direction}"` +
    `,"source":${sourceText(shownSource(transaction.source))}` +
    money('sentAmount', transaction.sent) +
    (received ? money('receivedAmount', received) : '') +
    number('platformFees', platformFees === null ? null : amountToWire(platformFees)) +
    value('paymentInstructions', instructions) +
    (transaction.rateDetails ? `,"rateDetails":${detailsText(transaction.rateDetails)}` : '') +
    text('failureReason', failureReason) +
    text('paymentRail', transaction.paymentRail) +
    text('railSelectionMode', transaction.railSelectionMode) +
    time('expectedSettlementAt', transaction.expectedSettlementAt) +
    number('settlementTimelineSeconds', settlementTimelineSeconds) +
    '}') as ByteText
}

const text = (name: string, value: string | null): string =>
  value === null ? '' : `,"${name}":${quoted(value)}`

const number = (name: string, value: number | null): string =>
  value === null ? '' : `,"${name}":${value}`

const time = (name: string, value: Date | null): string =>
  value === null ? '' : `,"${name}":"${toWireTime(value)}"`

const value = (name: string, value: object | null): string =>
  value === null ? '' : `,"${name}":${jsonText(value)}`

const money = (name: string, { amount, currency }: Money): string =>
  `,"${name}":{"amount":${amountToWire(amount)},"currency":${currencyText(currency)}}`

const currencies = new Map<string, ByteText>()

function currencyText(code: string): ByteText {
  const known = currencies.get(code) ?? jsonText(currencyToWire(code))
  currencies.set(code, known)
  return known
}

/** The events of one payment share these parts. */
function rememberLast(): (part: object) => ByteText {
  let last: object | undefined
  let known = '' as ByteText
  return (part) => {
    if (part !== last) known = jsonText(part)
    last = part
    return known
  }
}

const destinationText = rememberLast()
const sourceText = rememberLast()
const detailsText = rememberLast()
