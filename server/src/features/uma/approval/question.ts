import { Type } from '../../../infra/http/schema/type.ts'
import type { WebhookQuestion } from '../../../infra/http/schema/openapi.ts'
import { object } from '../../../infra/http/schema/wire-schema.ts'
import { CounterpartyFieldSchema } from '../../platform/index.ts'
import { IncomingTransactionSchema } from '../../transactions/index.ts'

/** The data of `INCOMING_PAYMENT.*`: the transaction, and the requested fields where approval is asked for. */
export const IncomingPaymentDataSchema = object('IncomingPaymentWebhookData', {
  ...IncomingTransactionSchema.properties,
  requestedReceiverCustomerInfoFields: Type.Optional(
    Type.Array(CounterpartyFieldSchema, {
      description: 'What the sender’s provider asks to be told of the receiver.',
    }),
  ),
})

/** The possible answers to an `INCOMING_PAYMENT.PENDING` that asks for approval. */
export const APPROVAL_QUESTION: WebhookQuestion = {
  answers: {
    200: {
      description: 'Approved.',
      body: Type.Object({
        receiverCustomerInfo: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    },
    202: { description: 'To be decided by approve or reject, in time.' },
    403: {
      description: 'Refused.',
      body: Type.Object({ reason: Type.Optional(Type.String()) }),
    },
    422: {
      description: 'Refused, because something is not known of the receiver.',
      body: Type.Object({ requiredFields: Type.Optional(Type.Array(Type.String())) }),
    },
  },
}
