import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../../infra/deps.ts'
import { SECOND_MS } from '../../kernel/clock.ts'
import { failFields, failRetryLater } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import {
  listWriters,
  readStreamState,
  setStreamOpen,
  setStreamOpening,
  type StreamState,
} from './store.ts'

const OPENING_MS_MAX = 10 * SECOND_MS
const LOOK_AGAIN_MS = 20
const RETRY_SECONDS = 2

/** The number that a reader gives, and where it gave it. */
export type Resumption = Readonly<{ after: bigint; field: string }>

/**
 * The number after which a stream begins: that of the reader, or the last one. Fails: INVALID_INPUT for a number that
 * does not exist, or behind which events are no longer kept (HOOK-103); SERVICE_UNAVAILABLE while a platform's first
 * stream cannot be opened.
 */
export async function openStream(
  deps: Pick<Deps, 'db' | 'clock'>,
  platformId: Id<'platform'>,
  resumed: Resumption | undefined,
): Promise<bigint> {
  const { lastSequence, prunedSequence } = await openState(deps, platformId)
  if (!resumed) return lastSequence
  const { after, field } = resumed
  if (after > lastSequence) failFields([{ field, message: 'is not the number of an event' }])
  if (after > 0n && after < prunedSequence) {
    failFields([{ field, message: 'is too old: later events are no longer kept' }])
  }
  return after
}

async function openState(
  deps: Pick<Deps, 'db' | 'clock'>,
  platformId: Id<'platform'>,
): Promise<StreamState> {
  const { read } = deps.db
  const state = await readStreamState(read, platformId)
  if (state.eventStream === 'OPEN') return state
  await setStreamOpening(read, platformId)
  await othersEnded(deps)
  await setStreamOpen(read, platformId)
  return readStreamState(read, platformId)
}

/** Waits for transactions that may not have seen the change before: what they wrote has no number (HOOK-100). */
async function othersEnded({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const startMs = clock.now().getTime()
  let running = await listWriters(db.read)
  while (running.length > 0) {
    if (clock.now().getTime() - startMs > OPENING_MS_MAX) {
      failRetryLater('SERVICE_UNAVAILABLE', RETRY_SECONDS)
    }
    await delay(LOOK_AGAIN_MS)
    running = await listWriters(db.read, running)
  }
}
