import { addMs, SECOND_MS } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { parseFraction } from '../../../kernel/money/fraction.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import type { RegisteredProvider } from '../../../kernel/ports.ts'
import type { InternalEvents } from '../../../infra/work/internal-events.ts'
import type { Work } from '../../../infra/work/work.ts'
import { listOpenOfProvider, openException } from '../../../orders/index.ts'
import type { NetworkFeeBody, PriceBody } from '../../../providers/http/messages/pushes.ts'
import { rejectFields, type ItemResult } from '../../providers/index.ts'
import type { NetworkName } from '../networks/networks.ts'
import { listProviderFees } from '../networks/store.ts'
import { BPS } from '../pricing/price.ts'
import { PRICE_LIFETIME_SECONDS } from '../prices/source.ts'
import { feeProblems, priceProblems } from './problems.ts'
import { lockPrices, saveFees, savePrices, type ProviderPrice } from './store.ts'

/** What a provider states, before anything of it is checked. */
export type Stated = Readonly<{ prices: readonly unknown[]; networkFees?: readonly unknown[] }>

const DUPLICATE: ItemResult = { result: 'DUPLICATE' }
const APPLIED: ItemResult = { result: 'APPLIED' }

/** Each price and then each network fee has its own result; what is wrong with one does not touch the others (PROV-131). */
export async function takePrices(
  work: Work,
  provider: RegisteredProvider,
  { prices, networkFees = [] }: Stated,
): Promise<ItemResult[]> {
  return [
    ...(await takeAllPrices(work, provider, prices)),
    ...(await takeAllFees(work, provider, networkFees)),
  ]
}

type Read<T> = Readonly<{ rejected: ItemResult } | { stated: T }>

async function takeAllPrices(
  work: Work,
  provider: RegisteredProvider,
  items: readonly unknown[],
): Promise<ItemResult[]> {
  const read = items.map((item): Read<ProviderPrice> => {
    const problems = priceProblems(item, work.now)
    if (problems.length > 0) return { rejected: rejectFields(problems) }
    return { stated: priceOf(provider, item as PriceBody) }
  })
  const currencies = read.flatMap((one) => ('stated' in one ? [one.stated.currency] : []))
  const known = await lockPrices(work.tx, provider.id, currencies)
  const last = new Map(known.map((price) => [price.currency, price]))
  const applied = new Map<string, ProviderPrice>()
  const jumpOf = await readJumps(work, provider)
  const results = read.map((one): ItemResult => {
    if ('rejected' in one) return one.rejected
    const { stated } = one
    const before = last.get(stated.currency)
    if (before && stated.at <= before.at) return DUPLICATE
    if (before && isJump({ before, stated, provider, now: work.now })) {
      return { result: 'EXCEPTION', exceptionId: jumpOf({ before, stated }) }
    }
    last.set(stated.currency, stated)
    applied.set(stated.currency, stated)
    return APPLIED
  })
  savePrices(work.tx, [...applied.values()])
  return results
}

const priceOf = ({ id }: RegisteredProvider, body: PriceBody): ProviderPrice => ({
  providerId: id,
  currency: body.currency,
  bid: body.bid,
  ask: body.ask,
  at: new Date(body.at),
  validUntil: new Date(body.validUntil),
})

type Compared = Readonly<{ before: ProviderPrice; stated: ProviderPrice }>

const MOVE_BPS_MAX = 2_000

/** Either side is further from the last price applied than a market moves in 900 s (PROV-135). */
function isJump({
  before,
  stated,
  provider,
  now,
}: Compared & Readonly<{ provider: RegisteredProvider; now: Date }>): boolean {
  if (addMs(before.at, PRICE_LIFETIME_SECONDS * SECOND_MS) < now) return false
  const maxBps = BigInt((provider.config['maxMoveBps'] as number | undefined) ?? MOVE_BPS_MAX)
  const isFar = (one: string, other: string): boolean => {
    const [a, b] = [parseFraction(one), parseFraction(other)]
    const [was, is] = [a.numerator * b.denominator, b.numerator * a.denominator]
    const moved = is > was ? is - was : was - is
    return moved * BPS > was * maxBps
  }
  return isFar(before.bid, stated.bid) || isFar(before.ask, stated.ask)
}

const toDetails = ({ currency, bid, ask, at, validUntil }: ProviderPrice) => ({
  currency,
  bid,
  ask,
  at: at.toISOString(),
  validUntil: validUntil.toISOString(),
})

/** One open exception for each currency, about the first price that jumped: a feed repeats itself every second. */
async function readJumps(
  { tx, now }: Work,
  provider: RegisteredProvider,
): Promise<(compared: Compared) => string> {
  const platform = { id: HOUSE_PLATFORM_IDS[provider.environment] }
  const about = { platformId: platform.id, providerId: provider.id, type: 'PRICE_JUMP' } as const
  const open = new Map(
    (await listOpenOfProvider(tx, about)).map(({ subject, id }) => [subject, id]),
  )
  return ({ before, stated }) => {
    const subject = stated.currency
    const details = { known: toDetails(before), stated: toDetails(stated) }
    const exception = { type: 'PRICE_JUMP', providerId: provider.id, subject, details } as const
    const id = open.get(subject) ?? openException({ tx, platform, now }, exception)
    open.set(subject, id)
    return formatId('exception', id)
  }
}

/** The operator says that a price was right: it is applied, unless there is a newer one by now (PROV-135). */
export async function resolvePriceJump(
  { tx }: Work,
  { type, providerId, details, resolution }: InternalEvents['exceptions.resolved'],
): Promise<void> {
  if (type !== 'PRICE_JUMP' || resolution !== 'SETTLED' || providerId === null) return
  const { currency, bid, ask, at, validUntil } = details['stated'] as PriceBody
  const times = { at: new Date(at), validUntil: new Date(validUntil) }
  savePrices(tx, [{ providerId, currency, bid, ask, ...times }])
}

async function takeAllFees(
  { tx, now }: Work,
  { id: providerId }: RegisteredProvider,
  items: readonly unknown[],
): Promise<ItemResult[]> {
  if (items.length === 0) return []
  const known = await listProviderFees(tx, [providerId])
  const last = new Map(known.map((fee) => [fee.network, fee]))
  const results = items.map((item): ItemResult => {
    const problems = feeProblems(item, now)
    if (problems.length > 0) return rejectFields(problems)
    const { amount, ...body } = item as NetworkFeeBody
    const network = body.network as NetworkName
    const times = { at: new Date(body.at), validUntil: new Date(body.validUntil) }
    const before = last.get(network)
    if (before && times.at <= before.at) return DUPLICATE
    last.set(network, { providerId, network, fee: BigInt(amount), ...times })
    return APPLIED
  })
  saveFees(tx, [...last.values()])
  return results
}
