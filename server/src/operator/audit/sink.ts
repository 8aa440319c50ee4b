/** Sends every chained entry to a place outside of the database: a file or an address (OPER-55). */
import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { addMs, SECOND_MS } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import { DEFAULT_ENVIRONMENT } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Metrics } from '../../infra/logging/metrics.ts'
import { createPoller, type Poller } from '../../infra/poller.ts'
import { signMessage } from '../../providers/http/sign-message.ts'
import { readChainLag } from './chain-store.ts'
import { lineOf } from './lines.ts'
import { listUnsent } from './links-store.ts'
import * as store from './sink-store.ts'

const EVERY_MS = 10 * SECOND_MS
const TIMEOUT_MS = 10 * SECOND_MS
/** Longer than one sending takes: another process goes on only where this one has stopped. */
const LEASE_MS = 30 * SECOND_MS
const LINES_MAX = 500
const ANSWER_BYTES_MAX = 1024
const NEWLINE = 10

export type AuditSink = Readonly<{
  /** Whether all lines arrived. */
  send(lines: readonly string[]): Promise<boolean>
}>

/** Where the settings say that entries go; undefined where they say nothing. */
export function sinkOf(deps: Deps): AuditSink | undefined {
  const { auditSinkFile, auditSinkUrl, auditSinkSecret } = deps.settings
  const sendBatch =
    auditSinkFile !== undefined
      ? (text: string) => append(auditSinkFile, text)
      : auditSinkUrl !== undefined && auditSinkSecret !== undefined
        ? (text: string) => post(deps, { url: auditSinkUrl, secret: auditSinkSecret, text })
        : undefined
  if (!sendBatch) return undefined
  return {
    async send(lines) {
      for (let at = 0; at < lines.length; at += LINES_MAX) {
        const problem = await sendBatch(lines.slice(at, at + LINES_MAX).join(''))
        if (problem === undefined) continue
        deps.log.warn({ problem }, 'the audit sink takes nothing, it is tried again')
        return false
      }
      return true
    },
  }
}

/** Answers what went wrong. What a crash left half written stays a line of its own. */
async function append(path: string, text: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'a+', 0o600)
    try {
      const { size } = await file.stat()
      const last = Buffer.alloc(1, NEWLINE)
      if (size > 0) await file.read(last, 0, 1, size - 1)
      await file.appendFile(last[0] === NEWLINE ? text : `\n${text}`)
      await file.sync()
    } finally {
      await file.close()
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

type Posted = Readonly<{ url: string; secret: string; text: string }>

async function post(
  { outgoing, clock }: Deps,
  { url, secret, text }: Posted,
): Promise<string | undefined> {
  const id = `audit-${hash('sha256', text)}`
  const answer = await outgoing[DEFAULT_ENVIRONMENT].fetch({
    method: 'POST',
    url,
    headers: {
      ...signMessage({ id, at: clock.now(), body: text }, [secret]),
      'content-type': 'application/x-ndjson',
    },
    body: text,
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
    isBodyIgnored: true,
    isAnyAddressAllowed: true,
  })
  if (!answer.ok) return answer.message
  return answer.status >= 200 && answer.status < 300 ? undefined : `Status ${answer.status}.`
}

type SinkOptions = Readonly<{ inBackground: boolean; metrics: Metrics }>

export function createSinkWorker(deps: Deps, { inBackground, metrics }: SinkOptions): Poller {
  const sink = sinkOf(deps)
  const holder = newUuid()
  if (sink) metrics.watchAuditSink(() => readSinkLag(deps))
  return createPoller({
    look: async () => {
      if (sink) await sendUnsent(deps, sink, holder)
    },
    everyMs: inBackground && sink ? EVERY_MS : undefined,
    log: deps.log,
    idle: () => true,
  })
}

/** Until all is sent or the sink refuses. A position is stored after its lines arrived: they may arrive twice. */
export async function sendUnsent(
  { db, clock }: Deps,
  sink: AuditSink,
  holder: string,
): Promise<void> {
  for (;;) {
    const now = clock.now()
    if (!(await store.takeLease(db.read, { holder, now, until: addMs(now, LEASE_MS) }))) return
    const links = await listUnsent(db.read, LINES_MAX)
    if (links.length === 0 || !(await sink.send(links.map(lineOf)))) return
    await db.transaction((tx) => store.savePositions(tx, links))
    if (links.length < LINES_MAX) return
  }
}

/** For how many seconds the oldest entry has waited that the sink has not got, be it for its link. */
export async function readSinkLag({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  const { since } = await store.findOldestUnsent(db.read)
  const unsentMs = since === null ? 0 : now.getTime() - since.getTime()
  return Math.max(0, unsentMs, await readChainLag(db.read, now)) / SECOND_MS
}
