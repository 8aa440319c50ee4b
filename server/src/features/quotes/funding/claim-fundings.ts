import type { Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Ports } from '../../../kernel/ports.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import {
  claimFunding,
  draftSharedFunding,
  listInstructionsOfOwners,
  type FundingDraft,
  type FundingRequest,
  type FundingService,
} from '../../internal-accounts/index.ts'

/** A quote that waits for its funds; `index` is its place among the orders. */
export type WantedFunding = Readonly<{
  index: number
  platform: Platform
  ports: Ports
  customerId: Id<'customer'> | null
  request: FundingRequest
  settings: FundingService
}>

/**
 * Numbers, addresses and references that are a quote's alone. The sandbox makes them up. No other provider hands
 * out numbers per quote, so the owner's own account serves, with a reference of the quote's; what has no such account
 * gets no instructions, and cannot be offered.
 */
export async function claimQuoteFundings(
  tx: Tx,
  wanted: readonly WantedFunding[],
): Promise<ReadonlyMap<number, FundingDraft>> {
  const isMadeUp = ({ ports, request: { currency } }: WantedFunding): boolean =>
    ports.providerOf({ port: 'deposits', currency })?.kind === 'sandbox'
  const [made, shared] = await Promise.all([
    claimMadeUp(tx, wanted.filter(isMadeUp)),
    claimShared(
      tx,
      wanted.filter((one) => !isMadeUp(one)),
    ),
  ])
  return new Map([...made, ...shared])
}

type Claimed = (readonly [index: number, draft: FundingDraft])[]

async function claimMadeUp(tx: Tx, wanted: readonly WantedFunding[]): Promise<Claimed> {
  const [first] = wanted
  if (!first) return []
  const drafts = await claimFunding(
    { tx, settings: first.settings },
    wanted.map(({ request }) => request),
  )
  return wanted.map(({ index }, n) => [index, drafts[n] as FundingDraft] as const)
}

async function claimShared(tx: Tx, wanted: readonly WantedFunding[]): Promise<Claimed> {
  if (wanted.length === 0) return []
  const keys = wanted.map(({ platform, customerId, request: { currency } }) => ({
    platformId: platform.id,
    customerId,
    currency,
  }))
  const found = await listInstructionsOfOwners(tx, keys)
  return wanted.flatMap(({ index, request }, n) => {
    const key = keys[n]
    const own = found.find(
      ({ platformId, customerId, currency }) =>
        platformId === key?.platformId &&
        customerId === key.customerId &&
        currency === key.currency,
    )
    const draft = draftSharedFunding(request, own?.fundingInstructions ?? [])
    return draft ? [[index, draft] as const] : []
  })
}
