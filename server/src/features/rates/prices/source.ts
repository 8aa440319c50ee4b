import type { Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { isRemote } from '../../../kernel/ports.ts'
import type { Work } from '../../../infra/work/work.ts'

/** A price without another end of its validity is not used when it is older (RATE-11). */
export const PRICE_LIFETIME_SECONDS = 900

/** Who needs prices, and when. */
export type PriceCaller = Pick<Work, 'platform' | 'now' | 'ports'>

/** Whose prices a platform gets: the sandbox's fixed ones, the operator's, or those of a provider outside (PROV-132). */
export type PriceSource = 'sandbox' | 'manual' | Id<'provider'>

export function priceSourceOf({ ports }: Pick<PriceCaller, 'ports'>): PriceSource {
  const provider = ports.providerOf({ port: 'prices' })
  invariant(provider, 'The port prices has a built-in provider in every environment.')
  if (isRemote(provider)) return provider.id
  return provider.kind === 'sandbox' ? 'sandbox' : 'manual'
}

export const isProvider = (source: PriceSource): source is Id<'provider'> =>
  source !== 'sandbox' && source !== 'manual'
