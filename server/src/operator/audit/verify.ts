/** Whether the audit is as it was written: every chain is computed again from the entries that are there (OPER-53). */
import { CHAIN_START, chainHash, digestNote } from '../../crypto/audit/chain-hash.ts'
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import { firstUuidAt, formatId, parseId, type Id } from '../../kernel/ids.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Anchor } from './anchors.ts'
import * as store from './links-store.ts'

/** Beyond this an entry that is in no chain was never meant to be in one, or the worker stands still. */
const CHAINED_WITHIN_MS = MINUTE_MS
const PAGE = 2_000
/** One wrong entry is enough to know; a thousand are enough to look at. */
const PROBLEMS_MAX = 1_000

export const PROBLEMS = [
  /** The entry, or the order of entries, is not what was hashed. */
  'CHANGED',
  /** The entry or its place in the chain is gone. */
  'MISSING',
  'NOTE_CHANGED',
  'NOTE_MISSING',
  /** Older than a minute and in no chain. */
  'NOT_CHAINED',
  'SHORTER_THAN_ANCHOR',
  'OTHER_THAN_ANCHOR',
] as const

export type Problem = Readonly<{
  problem: (typeof PROBLEMS)[number]
  seq?: number
  entryId?: string
  /** How many entries are like this one. */
  count?: number
}>

export type VerifiedChain = Readonly<{
  platformId: string
  entries: number
  head: Readonly<{ seq: number; hash: string }> | undefined
  problems: readonly Problem[]
}>

type VerifyRequest = Readonly<{ platformId: Id<'platform'> | null; anchors: readonly Anchor[] }>

export function verifyAudit(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { platformId, anchors }: VerifyRequest,
): Promise<Readonly<{ ok: boolean; platforms: readonly VerifiedChain[] }>> {
  const before = firstUuidAt(addMs(clock.now(), -CHAINED_WITHIN_MS))
  return db.transaction(
    async (tx) => {
      const known = (await store.listPlatformIds(tx, platformId)).map(({ id }) => id)
      const anchored = anchors.flatMap((anchor) => parseId('platform', anchor.platformId) ?? [])
      const wanted = platformId === null ? [...known, ...anchored] : [platformId]
      const platforms: VerifiedChain[] = []
      for (const id of new Set(wanted)) {
        const own = anchors.filter((anchor) => anchor.platformId === formatId('platform', id))
        platforms.push(await verifyChain(tx, { id, before, anchors: own }))
      }
      return { ok: platforms.every(({ problems }) => problems.length === 0), platforms }
    },
    { isLong: true },
  )
}

type Chain = Readonly<{ id: Id<'platform'>; before: string; anchors: readonly Anchor[] }>

/** Goes on from the stored hash after a wrong one, so that each wrong entry is named by itself. */
async function verifyChain(tx: Tx, { id, before, anchors }: Chain): Promise<VerifiedChain> {
  const problems: Problem[] = []
  const anchoredAt = Map.groupBy(anchors, ({ seq }) => seq)
  let [entries, seq, previous] = [0, 0n, CHAIN_START]
  for (;;) {
    const links = await store.listLinks(tx, { platformId: id, seq, limit: PAGE })
    for (const link of links) {
      problems.push(...problemsOf(link, { seq, previous }))
      const isOther = anchoredAt
        .get(Number(link.seq))
        ?.some(({ hash }) => hash !== link.hash.toString('hex'))
      if (isOther) problems.push(placed('OTHER_THAN_ANCHOR', link))
      ;[seq, previous] = [link.seq, link.hash]
    }
    entries += links.length
    if (links.length < PAGE) break
  }
  const last = Number(seq)
  const beyond = anchors.find((anchor) => anchor.seq > last)
  if (beyond) problems.push({ problem: 'SHORTER_THAN_ANCHOR', seq: beyond.seq })
  const unchained = await store.findUnchained(tx, { platformId: id, before })
  if (unchained.id !== null) {
    problems.push({ problem: 'NOT_CHAINED', entryId: unchained.id, count: unchained.count })
  }
  return {
    platformId: formatId('platform', id),
    entries,
    head: last === 0 ? undefined : { seq: last, hash: previous.toString('hex') },
    problems: problems.slice(0, PROBLEMS_MAX),
  }
}

const placed = (problem: Problem['problem'], { seq, entryId }: store.LinkRow): Problem => ({
  problem,
  seq: Number(seq),
  entryId,
})

type Before = Readonly<{ seq: bigint; previous: Buffer }>

function problemsOf(link: store.LinkRow, before: Before): readonly Problem[] {
  const { seq, entry, hash } = link
  // Without the place before it nothing can be said about the hash.
  if (seq !== before.seq + 1n) return [{ problem: 'MISSING', seq: Number(before.seq) + 1 }]
  if (!entry) return [placed('MISSING', link)]
  if (!chainHash(before.previous, store.chainedEntry(entry, seq)).equals(hash)) {
    return [placed('CHANGED', link)]
  }
  return noteProblems(link, entry.noteDigest)
}

/** An erased note leaves its row, which says why. */
function noteProblems(link: store.LinkRow, digest: Buffer | null): readonly Problem[] {
  const { hasNoteRow, salt, note } = link
  if (!hasNoteRow) return digest === null ? [] : [placed('NOTE_MISSING', link)]
  if (note === null && salt === null && digest !== null) return []
  const isAsWritten = salt && note !== null && digest && digestNote(salt, note).equals(digest)
  return isAsWritten ? [] : [placed('NOTE_CHANGED', link)]
}
