/** Parts that several messages of the provider protocol have. Unknown fields are ignored both ways (PROV-27). */
import {
  Type,
  type TObject,
  type TProperties,
  type TSchema,
} from '../../../infra/http/schema/type.ts'
import { amount, object, oneOf, timestamp, UUID } from '../../../infra/http/schema/wire-schema.ts'

const REFERENCE_MAX = 128
const BATCH_MAX = 100
const CURRENCY = Type.String({ minLength: 1, maxLength: 16 })

/** Text that identifies something at the provider: order references, deposit, return and event ids. */
export const outsideId = (description?: string) =>
  Type.String({ minLength: 1, maxLength: REFERENCE_MAX, ...(description && { description }) })

/** An id of this service as a provider gets it or sends it back. */
export const idOf = (...prefixes: readonly string[]) =>
  Type.String({ pattern: `^(${prefixes.join('|')}):${UUID}$` })

export const orderId = idOf('Order')

/** What a provider states: smallest units and their currency. */
export const AmountSchema = object('Amount', { amount: amount(), currency: CURRENCY })

/** An amount that may be nothing, as a balance inquiry has. */
export const AmountOrNothingSchema = object('AmountOrNothing', {
  amount: amount({ minimum: 0 }),
  currency: CURRENCY,
})

/** What an order states, with the decimals, so that a provider needs no table of currencies. */
export const OrderedAmountSchema = object('OrderedAmount', {
  amount: amount(),
  currency: CURRENCY,
  decimals: Type.Integer({ minimum: 0, maximum: 18 }),
})

/** Coins may be more than a JSON number holds, so that their smallest units are text. */
export const COIN_AMOUNT = '^[0-9]{1,19}$'

export const AddressSchema = object('Address', {
  line1: Type.Optional(Type.String()),
  line2: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  postalCode: Type.Optional(Type.String()),
  country: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2' })),
})

export const PARTY_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const

export const PartySchema = object('Party', {
  type: oneOf(PARTY_TYPES),
  name: Type.String({ minLength: 1 }),
  birthDate: Type.Optional(Type.String({ format: 'date' })),
  nationality: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2' })),
  registrationNumber: Type.Optional(Type.String()),
  address: Type.Optional(AddressSchema),
})

const OnChainTransactionSchema = object('OnChainTransaction', {
  transactionHash: Type.String({ minLength: 1, maxLength: 256 }),
  network: Type.String({ minLength: 1, maxLength: 64 }),
})

/** What shows that money moved (PROV-69). */
export const ProofsSchema = object('Proofs', {
  bankReference: Type.Optional(outsideId()),
  trace: Type.Optional(outsideId()),
  uetr: Type.Optional(Type.String({ format: 'uuid' })),
  onChainTransaction: Type.Optional(OnChainTransactionSchema),
  settledAt: Type.Optional(timestamp()),
})

/** What the provider charges the service; recorded, booked nowhere (PROV-69). */
export const OutsideFeeSchema = object('OutsideFee', {
  amount: amount({ minimum: 0 }),
  currency: CURRENCY,
  description: Type.Optional(Type.String({ maxLength: 200 })),
})

/** A decimal above zero as text, so that no digit is lost. */
export const decimal = (description: string) =>
  Type.String({ pattern: '^[0-9]{1,18}([.][0-9]{1,18})?$', description })

/** A list of items that are judged one by one; until it gets a 2xx the sender repeats the same body (PROV-28). */
export const batchOf = <S extends TSchema>(item: S) =>
  Type.Array(item, { minItems: 1, maxItems: BATCH_MAX })

type Joined<H, P> = Omit<H, keyof P> & P

/** A variant of a message: what all have, then its own members. */
export const variant = <H extends TProperties, P extends TProperties>(head: H, own: P) =>
  Type.Object({ ...head, ...own }) as unknown as TObject<{
    [K in keyof Joined<H, P>]: Joined<H, P>[K]
  }>
