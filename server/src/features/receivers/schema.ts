import { Type } from '../../infra/http/schema/type.ts'
import { CurrencySchema, idField, object } from '../../infra/http/schema/wire-schema.ts'
import { CounterpartyFieldSchema } from '../platform/index.ts'

const CurrencyPreferenceSchema = object('CurrencyPreference', {
  currency: CurrencySchema,
  estimatedExchangeRate: Type.Number({ exclusiveMinimum: 0 }),
  min: Type.Integer({ format: 'int64', minimum: 1 }),
  max: Type.Integer({ format: 'int64', minimum: 1 }),
})

const common = {
  supportedCurrencies: Type.Array(CurrencyPreferenceSchema, {
    description: 'In the receiver’s order of preference.',
  }),
  requiredPayerDataFields: Type.Optional(
    Type.Array(CounterpartyFieldSchema, {
      description: 'What the receiver asks to know and the sender’s record lacks.',
    }),
  ),
  lookupId: idField('lookup'),
}

export const UmaLookupSchema = object('ReceiverUmaLookupResponse', {
  ...common,
  receiverUmaAddress: Type.String(),
})

export const ExternalAccountLookupSchema = object('ReceiverExternalAccountLookupResponse', {
  ...common,
  accountId: idField('externalAccount'),
})

export const SenderQuerySchema = Type.Object({
  senderUmaAddress: Type.Optional(Type.String()),
  customerId: Type.Optional(
    idField('customer', 'The same, by its id; without both, the platform.'),
  ),
})
