import { maxOf, minOf } from '../../kernel/money/money.ts'
import { addMs } from '../../kernel/clock.ts'
import { formatId, newId, type Id } from '../../kernel/ids.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Work } from '../../infra/work/work.ts'
import type { SendableRange } from '../../providers/uma/lightning-address.ts'
import type { Customer } from '../customers/index.ts'
import { mustFindExternalAccount } from '../external-accounts/index.ts'
import { formatUmaAddress, type RequestedField, type UmaAddress } from '../uma/index.ts'
import { describeReceiver, type AskRemote } from './describe-receiver.ts'
import { insertLookup } from './lookup-store.ts'
import { LOOKUP_LIFETIME_MS, type Lookup } from './lookup.ts'
import { missingFieldsOf, mergeAsked } from './payer-fields.ts'
import { estimatesFor, limitsIn, type ReceiverCurrency } from './receiver-currency.ts'
import { senderInfoOf, type Reading } from './sender.ts'

/** The answer of a look-up (UMA-3). */
export type LookedUp = Readonly<{
  receiver: string
  currencies: readonly (ReceiverCurrency & Readonly<{ estimatedExchangeRate: number }>)[]
  requiredFields: readonly RequestedField[]
  remoteAnswer: unknown
}>

/** Fails: COUNTERPARTY_NOT_ALLOWED, UMA_NOT_FOUND, the codes of UMA-8. */
export async function lookUpUma(
  reading: Reading,
  { address, sender }: Readonly<{ address: UmaAddress; sender: Customer | undefined }>,
  askRemote: AskRemote,
): Promise<LookedUp> {
  const described = await describeReceiver(reading, address, askRemote)
  const { currencies, asksIn, remote } = described
  const asked = mergeAsked(currencies.flatMap(({ currency }) => asksIn(currency)))
  return {
    receiver: formatUmaAddress(address),
    currencies: await estimated(reading, sender, currencies),
    requiredFields: missingFieldsOf(asked, senderInfoOf(reading, sender)),
    remoteAnswer: remote?.answer ?? null,
  }
}

/** Asks the provider of a Lightning address for the range of one payment. */
export type AskAddress = (lightningAddress: string) => Promise<SendableRange>

/**
 * Looks up an external account, which has one currency and asks for no payer data. In production the provider of a
 * Lightning address is asked for its range.
 * Fails: REFERENCE_NOT_FOUND, LNURLP_REQUEST_FAILED, UMA_NOT_FOUND, PARSE_LNURLP_RESPONSE_ERROR.
 */
export async function lookUpExternalAccount(
  reading: Reading,
  { id, sender }: Readonly<{ id: Id<'externalAccount'>; sender: Customer | undefined }>,
  askAddress: AskAddress,
): Promise<LookedUp> {
  const { currency, accountInfo } = await mustFindExternalAccount(reading, id)
  const { lightningAddress } = accountInfo
  const isAsked = traitsOf(reading.platform).reachesCounterparties
  const taken =
    isAsked && typeof lightningAddress === 'string' ? await askAddress(lightningAddress) : undefined
  const limits = await limitsIn(reading, reading.platform, [currency])
  const currencies = taken ? limits.flatMap((one) => within(one, taken)) : limits
  return {
    receiver: formatId('externalAccount', id),
    currencies: await estimated(reading, sender, currencies),
    requiredFields: [],
    remoteAnswer: null,
  }
}

/** The range that both sides accept; empty where they have no amount in common. */
function within(own: ReceiverCurrency, { min, max }: SendableRange): ReceiverCurrency[] {
  const both = { ...own, min: maxOf(own.min, min), max: minOf(own.max, max) }
  return both.min <= both.max ? [both] : []
}

async function estimated(
  reading: Reading,
  sender: Customer | undefined,
  currencies: readonly ReceiverCurrency[],
): Promise<LookedUp['currencies']> {
  const codes = currencies.map(({ currency }) => currency)
  const estimate = await estimatesFor(reading, sender, codes)
  return currencies.flatMap((one) => {
    const estimatedExchangeRate = estimate(one.currency)
    return estimatedExchangeRate === undefined ? [] : [{ ...one, estimatedExchangeRate }]
  })
}

/** Stores a look-up for the quotes that refer to it (UMA-4). */
export function storeLookup(
  { tx, platform, now }: Work,
  { receiver, remoteAnswer }: LookedUp,
): Lookup['id'] {
  const id = newId('lookup')
  const expiresAt = addMs(now, LOOKUP_LIFETIME_MS)
  insertLookup(tx, platform.id, { lookup: { id, receiver, remoteAnswer, expiresAt }, now })
  return id
}
