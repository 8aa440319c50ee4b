/** Authorizations, card events and reveals (section 12 of chapter 44). */
import { Type } from '../../../infra/http/schema/type.ts'
import { object, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { AmountOrNothingSchema, batchOf, idOf, outsideId } from './values.ts'

const AUTHORIZATION_KINDS = [
  'AUTHORIZATION',
  'FINANCIAL_AUTHORIZATION',
  'CREDIT_AUTHORIZATION',
  'CREDIT_AUTHORIZATION_ADVICE',
  'FINANCIAL_CREDIT_AUTHORIZATION',
  'BALANCE_INQUIRY',
] as const

export const CARD_EVENT_TYPES = [
  'ADVICE',
  'CLEARING',
  'REVERSAL',
  'RETURN',
  'RETURN_REVERSAL',
  'DISPUTE_CREDIT',
  'DISPUTE_DEBIT',
  'EXPIRY',
  'CARD_STATE',
] as const

const MerchantSchema = object('Merchant', {
  descriptor: Type.String({ minLength: 1, maxLength: 255 }),
  mcc: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  country: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2' })),
  id: Type.Optional(outsideId()),
})

const card = { cardId: Type.Optional(idOf('Card')), processorRef: Type.Optional(outsideId()) }
const namesCard = { anyOf: [{ required: ['cardId'] }, { required: ['processorRef'] }] }

const DEADLINE_MIN_MS = 500
const DEADLINE_MAX_MS = 10_000

/** One authorization (PROV-112). */
export const AuthorizationSchema = {
  ...object('Authorization', {
    networkReference: outsideId(),
    kind: oneOf(AUTHORIZATION_KINDS),
    ...card,
    amount: AmountOrNothingSchema,
    merchantAmount: Type.Optional(AmountOrNothingSchema),
    merchant: MerchantSchema,
    entryMode: Type.Optional(Type.String({ maxLength: 64 })),
    at: timestamp(),
    deadlineMs: Type.Optional(Type.Integer({ minimum: DEADLINE_MIN_MS, maximum: DEADLINE_MAX_MS })),
    standIn: Type.Optional(
      object('StandIn', { decision: oneOf(['APPROVED', 'DECLINED']), at: timestamp() }),
    ),
  }),
  ...namesCard,
}

/** The answer to an authorization (PROV-113). */
export const AuthorizationDecisionSchema = object('AuthorizationDecision', {
  decision: oneOf(['APPROVED', 'DECLINED']),
  declineReason: Type.Optional(Type.String()),
  cardTransactionId: Type.Optional(Type.String()),
  approvedAmount: Type.Optional(AmountOrNothingSchema),
  availableBalance: Type.Optional(AmountOrNothingSchema),
})

/** One card event (PROV-117). */
export const CardEventSchema = {
  ...object('CardEvent', {
    eventId: outsideId(),
    type: oneOf(CARD_EVENT_TYPES),
    networkReference: Type.Optional(outsideId()),
    ...card,
    amount: Type.Optional(AmountOrNothingSchema),
    merchantAmount: Type.Optional(AmountOrNothingSchema),
    merchant: Type.Optional(MerchantSchema),
    returnId: Type.Optional(outsideId()),
    final: Type.Optional(Type.Boolean()),
    state: Type.Optional(oneOf(['FROZEN', 'CLOSED'])),
    at: timestamp(),
  }),
  ...namesCard,
}

export const CardEventBatchSchema = object('CardEventBatch', { events: batchOf(CardEventSchema) })

/** `POST {url}/card-reveals` (PROV-118). */
export const CardRevealSchema = object('CardReveal', {
  cardId: idOf('Card'),
  processorRef: outsideId(),
  parentOrigin: Type.Optional(Type.String({ format: 'url' })),
  expiresInSeconds: Type.Integer({ minimum: 1 }),
})

export const CardRevealAnswerSchema = object('CardRevealAnswer', {
  url: Type.String({ pattern: '^https://' }),
  expiresAt: timestamp(),
})
