/**
 * Collects what the API was asked, and writes it set-based every second: nothing of it is in the way of a request. More
 * than a process can write beside its work is dropped and counted, bodies first (OPER-100).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import { DEFAULT_ENVIRONMENT, HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import { isUnavailable } from '../db/connection/unavailable.ts'
import { sql } from '../db/statement/sql.ts'
import type { Deps } from '../deps.ts'
import type { Metrics } from '../logging/metrics.ts'
import { redactText } from '../logging/redact-text.ts'
import { createPoller } from '../poller.ts'
import { sealContent, type Content } from './content.ts'
import { addDrops, insertRequests, type Drops, type RequestLine, type RequestRow } from './store.ts'

export type NotedLine = Omit<RequestLine, 'platformId'> &
  Readonly<{ platformId: Id<'platform'> | undefined }>

export type RequestLog = Readonly<{
  note(line: NotedLine, content: Content): void
  stop(): Promise<void>
}>

const EVERY_MS = SECOND_MS
/** What a process keeps of one second. Refusals have a share of their own: they are what is looked for. */
const KEPT_PER_SECOND = {
  requests: 900,
  refusals: 100,
  withoutPlatform: 20,
  bodies: 100,
  refusedBodies: 100,
}
const SEALED_AT_ONCE = 25
const WRITTEN_AT_ONCE = 500

type Kind = keyof typeof KEPT_PER_SECOND
type Dropped = { requests: number; bodies: number }
type Waiting = Readonly<{ row: RequestLine; content: Content | undefined }>

const NOTHING: RequestLog = { note: () => undefined, stop: () => Promise.resolve() }

export function createRequestLog(deps: Deps, { requestsDropped }: Metrics): RequestLog {
  if (deps.settings.requestLogDays === 0) return NOTHING
  const noHouse = HOUSE_PLATFORM_IDS[DEFAULT_ENVIRONMENT]
  let waiting: Waiting[] = []
  let left = { ...KEPT_PER_SECOND }
  let dropped = new Map<Id<'platform'>, Dropped>()

  const drop = (platformId: Id<'platform'>, what: keyof Dropped, count = 1): void => {
    const counts = dropped.get(platformId) ?? { requests: 0, bodies: 0 }
    counts[what] += count
    dropped.set(platformId, counts)
    requestsDropped.inc({ what }, count)
  }
  const takes = (kind: Kind): boolean => {
    if (left[kind] === 0) return false
    left[kind] -= 1
    return true
  }
  const keepContent = (row: RequestLine, content: Content): Content | undefined => {
    const isEmpty = content.request === undefined && content.response === undefined
    if (isEmpty && content.query === undefined) return undefined
    if (takes(row.status < 400 ? 'bodies' : 'refusedBodies')) return content
    drop(row.platformId, 'bodies')
    return undefined
  }
  const write = async (taken: readonly Waiting[]): Promise<void> => {
    const rows: RequestRow[] = []
    for (const { row, content } of taken) {
      rows.push({ ...row, path: redactText(row.path), ...sealedOf(deps, row, content) })
      if (content && rows.length % SEALED_AT_ONCE === 0) await nextTurn()
    }
    await writeRows(deps, rows)
  }
  const look = async (): Promise<void> => {
    const [taken, drops] = [waiting, dropped]
    ;[waiting, left, dropped] = [[], { ...KEPT_PER_SECOND }, new Map()]
    for (let at = 0; at < taken.length; at += WRITTEN_AT_ONCE) {
      const part = taken.slice(at, at + WRITTEN_AT_ONCE)
      try {
        await write(part)
      } catch (error) {
        for (const { row } of part) drop(row.platformId, 'requests')
        if (!isUnavailable(error)) throw error
      }
    }
    if (drops.size > 0) await addDrops(deps.db.read, dropsAt(deps, drops))
  }
  const poller = createPoller({ look, everyMs: EVERY_MS, log: deps.log, idle: () => true })
  return {
    note(line, content) {
      const row = { ...line, platformId: line.platformId ?? noHouse }
      const isTaken =
        (row.platformId !== noHouse || takes('withoutPlatform')) &&
        takes(row.status < 400 ? 'requests' : 'refusals')
      if (isTaken) waiting.push({ row, content: keepContent(row, content) })
      else drop(row.platformId, 'requests')
    },
    async stop() {
      await poller.stop()
      await look().catch((error: unknown) => deps.log.warn({ err: error }, 'request log'))
    },
  }
}

const sealedOf = (
  { keyring }: Deps,
  row: RequestLine,
  content: Content | undefined,
): Pick<RequestRow, 'content' | 'mentions'> =>
  content ? sealContent(keyring, row, content) : { content: null, mentions: [] }

/** A second of the log may be lost with the machine, so the commit waits for no disk. */
const writeRows = ({ db }: Deps, rows: readonly RequestRow[]): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.one(sql`select set_config('synchronous_commit', 'off', true)`)
    return insertRequests(tx, rows)
  })

function dropsAt({ clock }: Deps, drops: ReadonlyMap<Id<'platform'>, Dropped>): readonly Drops[] {
  const hour = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS)
  return [...drops].map(([platformId, counts]) => ({ platformId, hour, ...counts }))
}
