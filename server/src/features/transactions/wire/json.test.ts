import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OUTGOING_FAILURE_REASONS, REFUND_REASONS } from '../../../kernel/failure-reasons.ts'
import { asId, newUuid } from '../../../kernel/ids.ts'
import { CURRENCIES } from '../../../kernel/money/currency.ts'
import { bytesOf, jsonText, quoted, type ByteText } from '../../../kernel/text/byte-text.ts'
import { outgoing } from '../record/machine.ts'
import { PENDING_REASONS, type OutgoingTransaction } from '../record/transaction.ts'
import { outgoingToJson } from './json.ts'
import { CRYPTO_NETWORKS, PAYMENT_RAILS } from './rails.ts'
import { outgoingToWire } from './wire.ts'

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"\\\n', '€ü😀'),
)
const moments = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
const amounts = fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n })
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
const currencies = fc.constantFrom(...CURRENCIES.map(({ code }) => code))
const uuids = fc.integer().map(() => newUuid())
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const monies = fc.record({ amount: amounts, currency: currencies })
const onChainTransaction = fc.record({
  transactionHash: texts,
  network: fc.constantFrom(...CRYPTO_NETWORKS),
})
const accountSide = { accountId: texts, currency: currencies, onChainTransaction }
const account = { requiredKeys: ['accountId', 'currency'] } as const
const multipliers = { counterpartyMultiplier: numbers, serviceApiMultiplier: numbers }

/** Every combination of what may be missing, and texts that must be escaped. */
const transactions = fc.record({
  type: fc.constant('OUTGOING'),
  id: uuids,
  status: fc.constantFrom(...Object.keys(outgoing.table)),
  direction: fc.constantFrom('CREDIT', 'DEBIT'),
  customerId: orNull(uuids),
  platformCustomerId: orNull(texts),
  pendingReason: orNull(fc.constantFrom(...PENDING_REASONS)),
  source: fc.oneof(
    fc.record(
      { sourceType: fc.constant('ACCOUNT'), ...accountSide },
      {
        requiredKeys: ['sourceType', ...account.requiredKeys],
      },
    ),
    fc.record(
      {
        sourceType: fc.constant('REALTIME_FUNDING'),
        currency: currencies,
        bankName: texts,
        paymentRail: fc.constantFrom(...PAYMENT_RAILS),
        reportedBy: uuids,
      },
      { requiredKeys: ['sourceType', 'currency'] },
    ),
  ),
  destination: fc.oneof(
    fc.record(
      { destinationType: fc.constant('ACCOUNT'), ...accountSide },
      {
        requiredKeys: ['destinationType', ...account.requiredKeys],
      },
    ),
    fc.record({
      destinationType: fc.constant('UMA_ADDRESS'),
      umaAddress: texts,
      currency: currencies,
    }),
  ),
  sent: monies,
  received: orNull(monies),
  fees: orNull(amounts),
  platformFees: orNull(amounts),
  exchangeRate: orNull(numbers),
  rateDetails: orNull(fc.record(multipliers)),
  quoteId: orNull(uuids),
  agentId: orNull(uuids),
  description: orNull(texts),
  reconciliationReference: orNull(texts),
  paymentInstructions: orNull(
    fc.array(fc.record({ accountOrWalletInfo: fc.dictionary(texts, texts) })),
  ),
  counterpartyInformation: orNull(fc.dictionary(texts, fc.jsonValue())),
  paymentRail: orNull(fc.constantFrom(...PAYMENT_RAILS)),
  railSelectionMode: orNull(fc.constantFrom('MANUAL', 'AUTO')),
  settlementTimelineSeconds: orNull(fc.nat()),
  expectedSettlementAt: orNull(moments),
  failureReason: orNull(fc.constantFrom(...OUTGOING_FAILURE_REASONS)),
  refund: orNull(
    fc.record({
      reference: texts,
      status: fc.constantFrom('PENDING', 'COMPLETED', 'FAILED'),
      reason: fc.constantFrom(...REFUND_REASONS),
      initiatedAt: moments,
      settledAt: orNull(moments),
    }),
  ),
  receiptDeliveryConfirmedAt: orNull(moments),
  settledAt: orNull(moments),
  createdAt: moments,
  updatedAt: moments,
})

test('HOOK-6 the body of an event is the JSON of the payment as it is shown', () => {
  const platforms = fc.constantFrom(asId('platform', newUuid()), asId('platform', newUuid()))
  fc.assert(
    fc.property(platforms, transactions, transactions, (platformId, made, other) => {
      const transaction = made as unknown as OutgoingTransaction
      const moved = { ...transaction, status: other.status, settledAt: other.settledAt }
      for (const shown of [transaction, moved as unknown as OutgoingTransaction])
        assert.equal(
          bytesOf(outgoingToJson(platformId, shown).join('') as ByteText).toString(),
          JSON.stringify(outgoingToWire(platformId, shown)),
        )
    }),
    { numRuns: 1_000 },
  )
})

test('a text of bytes is the JSON of any value', () => {
  fc.assert(
    fc.property(texts, fc.jsonValue(), (text, value) => {
      assert.equal(bytesOf(quoted(text)).toString(), Buffer.from(JSON.stringify(text)).toString())
      assert.equal(
        bytesOf(jsonText(value)).toString(),
        Buffer.from(JSON.stringify(value)).toString(),
      )
    }),
  )
})
