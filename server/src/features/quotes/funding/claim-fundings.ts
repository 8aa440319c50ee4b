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

/** A quote that needs funding instructions; `index` is the place of its command in the batch. */
export type WantedFunding = Readonly<{
  index: number
  platform: Platform
  ports: Ports
  customerId: Id<'customer'> | null
  request: FundingRequest
  settings: FundingService
}>

/**
 * Claims account numbers, addresses and references for quotes. The sandbox makes up new ones for each quote. Other
 * providers have none per quote, so the owner's account is used with the quote's reference; a quote whose owner has no
 * such account gets no instructions and cannot be offered.
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
