import { Type } from '../../infra/http/schema/type.ts'
import { CurrencySchema, idField, object } from '../../infra/http/schema/wire-schema.ts'
import { CounterpartyFieldSchema } from '../platform/index.ts'

const CurrencyPreferenceSchema = object('CurrencyPreference', {
  currency: CurrencySchema,
  estimatedExchangeRate: Type.Number({
    exclusiveMinimum: 0,
    description: 'Receiving major units per one of the sender’s first currency, before fees.',
  }),
  min: Type.Integer({ format: 'int64', minimum: 1, description: 'In the smallest unit.' }),
  max: Type.Integer({ format: 'int64', minimum: 1, description: 'In the smallest unit.' }),
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
  lookupId: idField('lookup', 'For the quotes of the next ten minutes.'),
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
  senderUmaAddress: Type.Optional(Type.String({ description: 'Who would send.' })),
  customerId: Type.Optional(
    idField('customer', 'The same, by its id; without both, the platform.'),
  ),
})
