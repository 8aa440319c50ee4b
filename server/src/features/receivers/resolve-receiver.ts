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

/** What a quote says of its UMA receiver. */
export type WantedReceiver = Readonly<{
  umaAddress: string
  /** Undefined: the receiver's first. */
  currency: string | undefined
  /** On whose behalf the money leaves; undefined: the platform's. */
  payerId: Id<'customer'> | undefined
  senderCustomerInfo: Readonly<Record<string, unknown>>
}>

/** A receiver as a quote meets it. */
export type QuoteReceiver = Readonly<{
  umaAddress: string
  currency: string
  /** UMA-5: what it can be paid at once, in its smallest units. */
  range: Readonly<{ min: bigint; max: bigint }>
  isPayersOwn: boolean
  payerAddress: string | undefined
  payerData: PayerData
  missingFields: readonly string[]
  /** What a pay request is answered. */
  quoteRefusal: ErrorCode | undefined
  remote: RemoteReceiver | undefined
}>

/**
 * UMA-4: the look-up that a quote refers to, undefined where it refers to none.
 * Fails: LOOKUP_REQUEST_NOT_FOUND, INVALID_RECEIVER where it was for another one.
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
 * Finds the receiver of a quote, and whether it can be told what it asks to know.
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
