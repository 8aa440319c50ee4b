import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { idField, oneOf, pageQuery, UUID } from '../../../infra/http/schema/wire-schema.ts'
import { CARD_TRANSACTION_STATUSES } from './card-schema.ts'
import { TRANSACTION_STATUSES } from './schema.ts'

const identifier = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: `^((Internal|External)Account:${UUID}|\\$[A-Za-z0-9._+-]{1,63}@[A-Za-z0-9.-]{1,253})$`,
      description,
    }),
  )

const instant = Type.Optional(Type.String({ format: 'date-time' }))

const statuses = [...new Set([...TRANSACTION_STATUSES, ...CARD_TRANSACTION_STATUSES])]

export const TransactionQuerySchema = Type.Object({
  customerId: Type.Optional(
    Type.String({
      pattern: `^(Customer|Platform):${UUID}$`,
      description: "A customer, or the platform's own id for what is nobody else's.",
    }),
  ),
  platformCustomerId: Type.Optional(Type.String({ minLength: 1 })),
  accountIdentifier: identifier('An account id or UMA address, on either side.'),
  senderAccountIdentifier: identifier('An account id or UMA address that sends.'),
  receiverAccountIdentifier: identifier('An account id or UMA address that receives.'),
  status: Type.Optional(oneOf(statuses)),
  type: Type.Optional(oneOf(['INCOMING', 'OUTGOING', 'CARD'])),
  reference: Type.Optional(Type.String({ minLength: 1 })),
  cardId: Type.Optional(idField('card')),
  startDate: instant,
  endDate: instant,
  ...pageQuery,
  sortOrder: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
})

export type TransactionQuery = Static<typeof TransactionQuerySchema>
