import { Type, type Static } from '../../infra/http/schema/type.ts'
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
    }),
  ),
})

const smallestUnits = Type.Integer({ format: 'int64', minimum: 0 })

const ExchangeRateSchema = object('ExchangeRate', {
  sourceCurrency: CurrencySchema,
  destinationCurrency: CurrencySchema,
  destinationPaymentRail: Type.Optional(oneOf(PAYMENT_RAILS)),
  minSendingAmount: smallestUnits,
  maxSendingAmount: smallestUnits,
  sendingAmount: smallestUnits,
  receivingAmount: smallestUnits,
  exchangeRate: Type.Number({ exclusiveMinimum: 0 }),
  fees: object('ExchangeRateFees', {
    fixed: smallestUnits,
    total: smallestUnits,
  }),
  updatedAt: timestamp(),
})

export const ExchangeRateListSchema = object('ExchangeRateListResponse', {
  data: Type.Array(ExchangeRateSchema),
})

export type WireExchangeRate = Static<typeof ExchangeRateSchema>
