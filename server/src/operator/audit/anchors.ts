/** The heads of the chains, said where the database cannot take them back: in the log and the sink (OPER-53). */
import { HOUR_MS, toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import { isUnavailable } from '../../infra/db/connection/unavailable.ts'
import type { Deps } from '../../infra/deps.ts'
import { readTextFile } from '../../infra/files/text-file.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import { UsageError } from '../command.ts'
import { listHeads } from './chain-store.ts'
import { chainPending } from './chain-worker.ts'
import { sinkOf } from './sink.ts'

export type Anchor = Readonly<{ platformId: string; seq: number; hash: string; at: string }>

/** Every hour and when the service stops. */
export function createAnchors(
  deps: Deps,
  { inBackground }: Readonly<{ inBackground: boolean }>,
): Poller {
  const poller = createPoller({
    look: () => sayAnchors(deps),
    everyMs: inBackground ? HOUR_MS : undefined,
    log: deps.log,
    idle: () => true,
  })
  return {
    wake: () => poller.wake(),
    async stop() {
      await poller.stop()
      if (inBackground) await sayLastAnchors(deps)
    },
  }
}

async function sayLastAnchors(deps: Deps): Promise<void> {
  try {
    await chainPending(deps)
    await sayAnchors(deps)
  } catch (error) {
    if (!isUnavailable(error)) deps.log.error({ err: error }, 'the last audit anchors are missing')
  }
}

async function sayAnchors(deps: Deps): Promise<void> {
  const at = toWireTime(deps.clock.now())
  const anchors = (await listHeads(deps.db.read)).map(({ platformId, seq, hash }): Anchor => ({
    platformId: formatId('platform', platformId),
    seq: Number(seq),
    hash: hash.toString('hex'),
    at,
  }))
  for (const anchor of anchors) deps.log.info(anchor, 'audit anchor')
  await sinkOf(deps)?.send(anchors.map((anchor) => `${JSON.stringify(anchor)}\n`))
}

/**
 * The anchors of a file of JSON lines, such as a log or what a sink received; other lines are ignored. One without any
 * is refused: nothing would be compared. Fails: FileError, UsageError.
 */
export async function readAnchors(path: string): Promise<readonly Anchor[]> {
  const lines = (await readTextFile(path)).split('\n')
  const anchors = lines.flatMap((line) => {
    const { platformId, seq, hash, at } = parse(line)
    return typeof platformId === 'string' && typeof seq === 'number' && typeof hash === 'string'
      ? [{ platformId, seq, hash, at: String(at) }]
      : []
  })
  if (anchors.length === 0) throw new UsageError(`${path} holds no anchor of an audit chain.`)
  return anchors
}

function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(line) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
