import type { Static } from 'typebox'
import { Type } from '../../infra/http/schema/type.ts'
import { AMOUNT_MAX } from '../../kernel/money/money.ts'
import { PAYMENT_RAILS } from '../../kernel/money/payment-rail.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import { CurrencySchema, object, oneOf, timestamp } from '../../infra/http/schema/wire-schema.ts'

const DEFAULT_SENDING_AMOUNT = 10_000
const CODE = '^[A-Z]{3,5}$'

export const ExchangeRateQuerySchema = Type.Object({
  sourceCurrency: Type.Optional(
    Type.String({ pattern: CODE, description: 'Only rates from this currency.' }),
  ),
  destinationCurrency: Type.Optional(
    Type.Array(Type.String({ pattern: CODE }), {
      description: 'Only rates into these currencies.',
    }),
  ),
  sendingAmount: Type.Optional(
    Type.Integer({
      format: 'int64',
      minimum: 0,
      maximum: amountToWire(AMOUNT_MAX),
      default: DEFAULT_SENDING_AMOUNT,
      description: 'What would be sent, in the smallest unit of the source currency.',
    }),
  ),
})

const smallestUnits = (description: string) =>
  Type.Integer({ format: 'int64', minimum: 0, description })

const ExchangeRateSchema = object('ExchangeRate', {
  sourceCurrency: CurrencySchema,
  destinationCurrency: CurrencySchema,
  destinationPaymentRail: Type.Optional(
    oneOf(PAYMENT_RAILS, { description: 'The rail that the rate is for. Left out for coins.' }),
  ),
  minSendingAmount: smallestUnits('The least that can be sent; 0 where nothing can.'),
  maxSendingAmount: smallestUnits('The most that can be sent at once; 0 where nothing can.'),
  sendingAmount: smallestUnits('What is sent, fees included.'),
  receivingAmount: smallestUnits('What arrives; 0 where nothing would.'),
  exchangeRate: Type.Number({
    exclusiveMinimum: 0,
    description: 'Source major units per one destination major unit, all fees included.',
  }),
  fees: object('ExchangeRateFees', {
    fixed: smallestUnits('In the source currency, whatever the amount.'),
    total: smallestUnits('In the source currency, all fees.'),
  }),
  updatedAt: timestamp('When the market part was taken; it holds for 300 seconds.'),
})

export const ExchangeRateListSchema = object('ExchangeRateListResponse', {
  data: Type.Array(ExchangeRateSchema),
})

export type WireExchangeRate = Static<typeof ExchangeRateSchema>
