/** Chains audit entries after their commit: a counter in the business transaction would make payments queue (OPER-50). */
import { CHAIN_START, chainHash, type ChainedEntry } from '../../crypto/audit/chain-hash.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import * as store from './chain-store.ts'

/** An entry is chained within 5 s of its commit, and the more wait the less each costs. */
const EVERY_MS = 2 * SECOND_MS
const BATCH_ROWS = 500

export function createChainWorker(
  deps: Deps,
  { inBackground }: Readonly<{ inBackground: boolean }>,
): Poller {
  return createPoller({
    look: () => chainPending(deps),
    everyMs: inBackground ? EVERY_MS : undefined,
    log: deps.log,
    idle: () => true,
  })
}

/** Until nothing waits, or another process is at it. */
export async function chainPending(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  while ((await store.hasPending(deps.db.read)) && (await chainBatch(deps))) continue
}

const chainBatch = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await store.lockChains(tx))) return false
    const entries = await store.takePending(tx, BATCH_ROWS)
    if (entries.length === 0) return true
    const platformIds = [...new Set(entries.map(({ platformId }) => platformId))]
    store.appendLinks(tx, linksOf(entries, await store.listHeads(tx, platformIds)), clock.now())
    return true
  })

function linksOf(
  entries: readonly store.EntryRow[],
  heads: readonly store.Head[],
): readonly store.Link[] {
  const last = new Map<Id<'platform'>, store.Head>(heads.map((head) => [head.platformId, head]))
  return entries.map((entry) => {
    const { platformId } = entry
    const { seq: before, hash: previous } = last.get(platformId) ?? { seq: 0n, hash: CHAIN_START }
    const seq = before + 1n
    const link = { platformId, seq, hash: chainHash(previous, chainedEntry(entry, seq)) }
    last.set(platformId, link)
    return { ...link, entryId: entry.id }
  })
}

export const chainedEntry = (entry: store.EntryRow, seq: bigint): ChainedEntry => ({
  platformId: formatId('platform', entry.platformId),
  seq: Number(seq),
  id: entry.id,
  at: entry.at,
  actor: entry.actor,
  action: entry.action,
  resource: entry.resource ?? undefined,
  noteDigest: entry.noteDigest?.toString('hex'),
  requestId: entry.requestId,
})
