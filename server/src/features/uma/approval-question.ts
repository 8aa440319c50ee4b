import { Type } from 'typebox'
import type { WebhookQuestion } from '../../infra/http/openapi.ts'
import { CounterpartyFieldSchema } from '../platform/index.ts'

/** What `INCOMING_PAYMENT.PENDING` carries besides the transaction where it asks for approval, and what may be answered. */
export const APPROVAL_QUESTION: WebhookQuestion = {
  data: Type.Object({
    requestedReceiverCustomerInfoFields: Type.Optional(
      Type.Array(CounterpartyFieldSchema, {
        description: 'What the sender’s provider asks to be told of the receiver.',
      }),
    ),
  }),
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
