/** What providers send by themselves: deposits, alerts, list versions, prices. */
import { Type, type Static } from '../../../infra/http/schema/type.ts'
import { object, oneOf, taggedUnion, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { ScreeningMatchSchema } from './decisions.ts'
import { AmountSchema, batchOf, decimal, idOf, orderId, outsideId, ProofsSchema } from './values.ts'

const text = Type.String()

/** Unknown members are ignored here too, so the number of members is not limited (PROV-27, PROV-81). */
const DepositTargetSchema = {
  ...object('DepositTarget', {
    accountNumber: Type.Optional(text),
    iban: Type.Optional(text),
    clabe: Type.Optional(text),
    address: Type.Optional(text),
    virtualAccountId: Type.Optional(text),
  }),
  description: 'At most one of these members.',
}

const depositHead = {
  depositId: outsideId('Unique per provider.'),
  amount: AmountSchema,
  at: timestamp(),
}

const arrived = {
  ...depositHead,
  rail: text,
  to: Type.Optional(DepositTargetSchema),
  reference: Type.Optional(Type.String({ maxLength: 1_000 })),
  sender: Type.Optional(
    object('DepositSender', {
      name: Type.Optional(text),
      account: Type.Optional(text),
      bank: Type.Optional(text),
    }),
  ),
  review: Type.Optional(Type.Boolean({ description: 'Hold it for an operator.' })),
  proofs: Type.Optional(ProofsSchema),
}

/** One deposit, or the reversal of one (PROV-80 to PROV-85). */
export const DepositSchema = taggedUnion({ name: 'Deposit', tag: 'state', shared: depositHead }, [
  Type.Object({ state: oneOf(['PENDING']), ...arrived }),
  Type.Object({ state: oneOf(['RECEIVED']), ...arrived }),
  Type.Object({
    state: oneOf(['REVERSED']),
    ...depositHead,
    reversalId: outsideId('Unique per deposit.'),
    reason: Type.String({ minLength: 1, maxLength: 200 }),
  }),
])

export type DepositBody = Static<typeof DepositSchema>

export const DepositBatchSchema = object('DepositBatch', { deposits: batchOf(DepositSchema) })

/** One alert about a customer or owner after approval (PROV-96). */
export const AlertSchema = object('Alert', {
  alertId: outsideId(),
  subject: idOf('Customer', 'BeneficialOwner'),
  kind: oneOf(['SANCTIONS', 'PEP', 'ADVERSE_MEDIA', 'DOCUMENT_EXPIRED', 'OTHER']),
  level: oneOf(['REVIEW', 'BLOCK']),
  matches: Type.Optional(Type.Array(ScreeningMatchSchema)),
  message: Type.String({ minLength: 1, maxLength: 1_000 }),
  at: timestamp(),
})

export type AlertBody = Static<typeof AlertSchema>

export const AlertBatchSchema = object('AlertBatch', { alerts: batchOf(AlertSchema) })

/** `POST …/lists`, and the answer to `GET {url}/lists` (PROV-106). */
export const ListVersionSchema = object('ListVersion', { version: outsideId() })

export const ListsQueuedSchema = object('ListsQueued', { queued: Type.Integer({ minimum: 0 }) })

/** `POST …/document-links` (PROV-91). */
export const DocumentLinksSchema = object('DocumentLinks', { orderId })

export const DocumentLinksAnswerSchema = object('DocumentLinksAnswer', {
  documents: Type.Array(
    object('DocumentLink', {
      id: idOf('Document'),
      url: Type.String({ format: 'url' }),
      urlExpiresAt: timestamp(),
    }),
  ),
})

const validity = { at: timestamp(), validUntil: timestamp('At most 900 s after `at`.') }

/** One price: units of the currency per 1 USD, `bid` at most `ask` (PROV-131). */
export const PriceSchema = object('Price', {
  currency: Type.String({ minLength: 1, maxLength: 16 }),
  bid: decimal('Above zero and at most `ask`.'),
  ask: decimal('Above zero.'),
  ...validity,
})

export const NetworkFeeSchema = object('NetworkFee', {
  network: Type.String({ minLength: 1, maxLength: 64 }),
  asset: Type.String({ minLength: 1, maxLength: 16 }),
  amount: Type.String({ pattern: '^[0-9]{1,30}$', description: 'Smallest units of the asset.' }),
  ...validity,
})

export const PRICES_MAX = 500

export type PriceBody = Static<typeof PriceSchema>
export type NetworkFeeBody = Static<typeof NetworkFeeSchema>

/** `POST …/prices`, and the answer to `GET {url}/prices` (PROV-132). */
export const PricesSchema = object('Prices', {
  prices: Type.Array(PriceSchema, { maxItems: PRICES_MAX }),
  networkFees: Type.Optional(Type.Array(NetworkFeeSchema, { maxItems: PRICES_MAX })),
})
