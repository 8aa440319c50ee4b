import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import {
  amount,
  CurrencySchema,
  idField,
  object,
  oneOf,
  taggedUnion,
  timestamp,
  UUID,
} from '../../../infra/http/schema/wire-schema.ts'
import { PaymentInstructionsSchema } from '../../internal-accounts/index.ts'
import { FixedFeeSchema } from '../../platform/index.ts'
import { ScaChallengeSchema } from '../../sca/index.ts'
import {
  CounterpartyInformationSchema,
  PAYMENT_RAILS,
  PURPOSES_OF_PAYMENT,
  RateDetailsSchema,
} from '../../transactions/index.ts'

const DESCRIPTION_LENGTH_MAX = 1000
const REMITTANCE_LENGTH_MAX = 80
const BPS_MAX = 10_000

/** The id of an internal or external account (QUOTE-2). */
const accountId = (description: string) =>
  Type.String({ pattern: `^(Internal|External)Account:${UUID}$`, description })

const currencyCode = (description: string) => Type.String({ pattern: '^[A-Z]{3,5}$', description })

const SourceSchema = taggedUnion({ name: 'QuoteSourceOneOf', tag: 'sourceType' }, [
  object('AccountQuoteSource', {
    sourceType: oneOf(['ACCOUNT']),
    accountId: accountId('An internal account, or an external one to pull from.'),
    customerId: Type.Optional(
      idField('customer', 'On whose behalf a platform account pays; else the account’s owner.'),
    ),
  }),
  object('RealtimeFundingQuoteSource', {
    sourceType: oneOf(['REALTIME_FUNDING']),
    currency: currencyCode('What the funds will come in.'),
    customerId: Type.Optional(idField('customer', 'Who sends them; without, the platform.')),
    cryptoNetwork: Type.Optional(
      Type.String({ description: 'Only instructions for this network of the coin.' }),
    ),
  }),
])

const DestinationSchema = taggedUnion({ name: 'QuoteDestinationOneOf', tag: 'destinationType' }, [
  object('AccountDestination', {
    destinationType: oneOf(['ACCOUNT']),
    accountId: accountId('Where the money goes.'),
    paymentRail: Type.Optional(
      oneOf(PAYMENT_RAILS, { description: 'One of the account’s; without, its first one.' }),
    ),
  }),
  object('UmaAddressDestination', {
    destinationType: oneOf(['UMA_ADDRESS']),
    umaAddress: Type.String({ minLength: 1 }),
    currency: Type.Optional(currencyCode('What is received; without, the receiver’s first.')),
  }),
])

const scaFactor = () => Type.Optional(oneOf(['SMS_OTP', 'TOTP', 'PASSKEY']))

const PlatformFeeOverrideSchema = object('PlatformFeeOverride', {
  platformFixedFee: FixedFeeSchema,
  platformVariableFeeBps: Type.Integer({ minimum: 0, maximum: BPS_MAX }),
})

export const QuoteRequestSchema = object('QuoteRequest', {
  lookupId: Type.Optional(idField('lookup', 'The look-up of a UMA receiver that this follows.')),
  source: SourceSchema,
  destination: DestinationSchema,
  lockedCurrencySide: oneOf(['SENDING', 'RECEIVING']),
  lockedCurrencyAmount: amount(),
  immediatelyExecute: Type.Optional(Type.Boolean({ default: false })),
  description: Type.Optional(Type.String({ maxLength: DESCRIPTION_LENGTH_MAX })),
  remittanceInformation: Type.Optional(Type.String({ maxLength: REMITTANCE_LENGTH_MAX })),
  purposeOfPayment: Type.Optional(oneOf(PURPOSES_OF_PAYMENT)),
  platformFeeOverride: Type.Optional(PlatformFeeOverrideSchema),
  scaFactor: scaFactor(),
  senderCustomerInfo: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export type QuoteRequest = Static<typeof QuoteRequestSchema>
export type QuoteSource = QuoteRequest['source']
export type QuoteDestination = QuoteRequest['destination']

export const ExecuteQuoteRequestSchema = object('ExecuteQuoteRequest', { scaFactor: scaFactor() })

const smallestUnits = (minimum: number) =>
  Type.Integer({ format: 'int64', minimum, maximum: amountToWire(AMOUNT_MAX) })

export const QuoteSchema = object('Quote', {
  id: idField('quote'),
  status: oneOf([
    'PENDING',
    'PENDING_AUTHORIZATION',
    'PROCESSING',
    'COMPLETED',
    'FAILED',
    'EXPIRED',
  ]),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  source: SourceSchema,
  destination: DestinationSchema,
  sendingCurrency: CurrencySchema,
  receivingCurrency: CurrencySchema,
  totalSendingAmount: smallestUnits(1),
  totalReceivingAmount: smallestUnits(1),
  exchangeRate: Type.Number({
    exclusiveMinimum: 0,
  }),
  feesIncluded: smallestUnits(0),
  platformFeesIncluded: smallestUnits(0),
  paymentInstructions: Type.Optional(Type.Array(PaymentInstructionsSchema)),
  scaChallenge: Type.Optional(ScaChallengeSchema),
  transactionId: idField('transaction'),
  counterpartyInformation: Type.Optional(CounterpartyInformationSchema),
  rateDetails: Type.Optional(RateDetailsSchema),
})
