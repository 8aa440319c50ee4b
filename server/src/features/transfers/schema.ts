import { Type, type Static } from '../../infra/http/schema/type.ts'
import { amount, idField, object, oneOf } from '../../infra/http/schema/wire-schema.ts'
import { PAYMENT_RAILS, PURPOSES_OF_PAYMENT } from '../transactions/index.ts'

const REMITTANCE_LENGTH_MAX = 80

const InternalReferenceSchema = object('InternalAccountReference', {
  accountId: idField('internalAccount'),
})

export const TransferInRequestSchema = object('TransferInRequest', {
  source: object('ExternalAccountReference', {
    accountId: idField('externalAccount', 'The account that is pulled from.'),
  }),
  destination: InternalReferenceSchema,
  amount: amount(),
})

export type TransferInRequest = Static<typeof TransferInRequestSchema>

export const TransferOutRequestSchema = object('TransferOutRequest', {
  source: InternalReferenceSchema,
  destination: object('ExternalAccountDestinationReference', {
    accountId: idField('externalAccount', 'Where the money goes.'),
    paymentRail: Type.Optional(
      oneOf(PAYMENT_RAILS, { description: 'One of the account’s; without, its first one.' }),
    ),
  }),
  amount: Type.Optional(
    amount({ description: 'What leaves. May be left out where a Lightning invoice states it.' }),
  ),
  remittanceInformation: Type.Optional(Type.String({ maxLength: REMITTANCE_LENGTH_MAX })),
  purposeOfPayment: Type.Optional(oneOf(PURPOSES_OF_PAYMENT)),
})

export type TransferOutRequest = Static<typeof TransferOutRequestSchema>
