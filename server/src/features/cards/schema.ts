import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  amount,
  clearable,
  idField,
  listOf,
  object,
  oneOf,
  pageQuery,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { CARD_BRANDS, CARD_STATE_REASONS, FUNDING_SOURCES_MAX } from './record/card.ts'
import { CARD_STATES } from './record/machine.ts'

const limit = () => clearable(amount())

const funding = {
  fundingSource: Type.Optional(
    idField('internalAccount', 'The same as a list of one in `fundingSources`.'),
  ),
  fundingSources: Type.Optional(
    Type.Array(idField('internalAccount'), {
      minItems: 1,
      maxItems: FUNDING_SOURCES_MAX,
    }),
  ),
}

export const CardCreateSchema = object('CardCreateRequest', {
  customerId: Type.Optional(idField('customer', 'Whose card it is; or `cardholderId`.')),
  cardholderId: Type.Optional(idField('customer')),
  form: oneOf(['VIRTUAL']),
  ...funding,
  platformCardId: Type.Optional({
    ...Type.String(),
    readOnly: true,
    description: 'Ignored when it is sent.',
  }),
  maxSpendPerTransaction: limit(),
  threeDSecurePassword: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 128,
      pattern: '^[ -~]*$',
      description:
        'Cards in EUR only. Meant for the issuer, and erased once that has answered; the issuer of the sandbox has no use for it.',
    }),
  ),
})

export const CardUpdateSchema = object('CardUpdateRequest', {
  state: Type.Optional(oneOf(['ACTIVE', 'FROZEN', 'CLOSED'])),
  ...funding,
  maxSpendPerTransaction: limit(),
})

export const CardSchema = object('Card', {
  id: idField('card'),
  customerId: idField('customer'),
  cardholderId: idField('customer'),
  platformCardId: Type.String(),
  state: oneOf(CARD_STATES),
  stateReason: Type.Optional(oneOf(CARD_STATE_REASONS)),
  brand: Type.Optional(oneOf(CARD_BRANDS)),
  form: oneOf(['VIRTUAL']),
  last4: Type.Optional(Type.String()),
  expMonth: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
  expYear: Type.Optional(Type.Integer()),
  fundingSource: idField('internalAccount', 'The first of `fundingSources`.'),
  fundingSources: Type.Array(idField('internalAccount')),
  maxSpendPerTransaction: Type.Union([Type.Integer({ format: 'int64', minimum: 1 }), Type.Null()]),
  currency: Type.String(),
  processorRef: Type.Optional(Type.String()),
  issuerRef: Type.Optional(Type.String()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type WireCard = Static<typeof CardSchema>

export const CardQuerySchema = Type.Object({
  customerId: Type.Optional(idField('customer')),
  cardholderId: Type.Optional(idField('customer')),
  accountId: Type.Optional(idField('internalAccount', 'Cards that list this account.')),
  platformCardId: Type.Optional(Type.String({ minLength: 1 })),
  state: Type.Optional(oneOf(CARD_STATES)),
  ...pageQuery,
  sortOrder: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
})
export type CardQuery = Static<typeof CardQuerySchema>

export const CardListSchema = listOf('CardListResponse', CardSchema, { total: true })

export const CardRevealSchema = object('CardRevealRequest', {
  parentOrigin: Type.Optional(Type.String()),
})

export const CardRevealResponseSchema = object('CardRevealResponse', {
  panEmbedUrl: Type.String({ format: 'url' }),
  expiresAt: timestamp(),
})
