import { isPast } from '../../kernel/clock.ts'
import { fail, type ErrorCode } from '../../kernel/errors.ts'
import { failNotFound, parseId, type Id } from '../../kernel/ids.ts'
import { findCustomer } from '../customers/index.ts'
import { formatUmaAddress, mustParseUmaAddress, type PayerData } from '../uma/index.ts'
import type { RemoteReceiver } from '../../providers/uma/uma-network.ts'
import { describeReceiver, type AskRemote } from './describe-receiver.ts'
import { findLookup } from './lookup-store.ts'
import type { Lookup } from './lookup.ts'
import { payerFieldsOf } from './payer-fields.ts'
import { senderInfoOf, type Reading } from './sender.ts'

/** The UMA receiver that a quote asks for. */
export type WantedReceiver = Readonly<{
  umaAddress: string
  /** Undefined: the receiver's first currency. */
  currency: string | undefined
  /** The customer that pays; undefined: the platform itself. */
  payerId: Id<'customer'> | undefined
  senderCustomerInfo: Readonly<Record<string, unknown>>
}>

/** A receiver with everything that a quote needs of it. */
export type QuoteReceiver = Readonly<{
  umaAddress: string
  currency: string
  /** The range of one payment, in smallest units (UMA-5). */
  range: Readonly<{ min: bigint; max: bigint }>
  isPayersOwn: boolean
  payerAddress: string | undefined
  payerData: PayerData
  missingFields: readonly string[]
  /** The error that a pay request answers. */
  quoteRefusal: ErrorCode | undefined
  remote: RemoteReceiver | undefined
}>

/**
 * The look-up that a quote refers to; undefined where it refers to none (UMA-4).
 * Fails: LOOKUP_REQUEST_NOT_FOUND, INVALID_RECEIVER where it was for another receiver.
 */
export async function mustFindLookup(
  { tx, platform, now }: Reading,
  { lookupId, receiver }: Readonly<{ lookupId: string | undefined; receiver: string }>,
): Promise<Lookup | undefined> {
  if (lookupId === undefined) return undefined
  const id = parseId('lookup', lookupId)
  const lookup = id && (await findLookup(tx, platform.id, id))
  if (!lookup || isPast({ deadline: lookup.expiresAt, now })) return failNotFound('lookup')
  return lookup.receiver === receiver ? lookup : fail('INVALID_RECEIVER')
}

/**
 * Finds the receiver of a quote, its currency and the payer data that it asks for.
 * Fails: INVALID_UMA_ADDRESS, the refusals of a look-up, INVALID_CURRENCY.
 */
export async function resolveReceiver(
  reading: Reading,
  wanted: WantedReceiver,
  askRemote: AskRemote,
): Promise<QuoteReceiver> {
  const address = mustParseUmaAddress(wanted.umaAddress)
  const umaAddress = formatUmaAddress(address)
  const described = await describeReceiver(reading, address, askRemote)
  const { payerId, currency: asked } = wanted
  const offered = described.currencies.find(
    ({ currency }) => asked === undefined || currency === asked,
  )
  if (!offered) return fail('INVALID_CURRENCY', { currency: asked })
  const { currency, min, max } = offered
  const payer = payerId && (await findCustomer(reading, payerId))
  const info = senderInfoOf(reading, payer)
  const fields = payerFieldsOf(described.asksIn(currency), info, wanted.senderCustomerInfo)
  return {
    umaAddress,
    currency,
    range: { min, max },
    isPayersOwn: payer?.umaAddress === umaAddress,
    payerAddress: payer?.umaAddress,
    payerData: fields.data,
    missingFields: fields.missing,
    quoteRefusal: described.quoteRefusal,
    remote: described.remote,
  }
}
