/** Sends ended spans to the collector, off the path of requests: what it does not take in time is dropped and counted. */
import { SECOND_MS } from '../../../kernel/clock.ts'
import { DEFAULT_ENVIRONMENT } from '../../../kernel/platform.ts'
import type { Deps } from '../../deps.ts'
import { createPoller } from '../../poller.ts'
import { toExportRequest, type EndedSpan } from './otlp.ts'

export type ExportDeps = Pick<Deps, 'settings' | 'outgoing' | 'log'>

export type SpanExporter = Readonly<{
  add(span: EndedSpan): void
  counts(): Readonly<{ exported: number; dropped: number }>
  /** Sends what is left, if the collector takes it at once. */
  stop(): Promise<void>
}>

const EVERY_MS = SECOND_MS
const TIMEOUT_MS = 5 * SECOND_MS
const QUEUE_MAX = 8_192
const SENT_AT_ONCE = 512
const ANSWER_BYTES_MAX = 1024

export function createSpanExporter(deps: ExportDeps): SpanExporter {
  const queue: EndedSpan[] = []
  let exported = 0
  let dropped = 0
  let isFailing = false

  const notice = (problem: string | undefined): void => {
    if (isFailing === (problem !== undefined)) return
    isFailing = problem !== undefined
    if (isFailing)
      deps.log.warn({ problem }, 'the trace collector takes nothing, spans are dropped')
    else deps.log.info('the trace collector takes spans again')
  }
  const send = async (): Promise<boolean> => {
    const spans = queue.splice(0, SENT_AT_ONCE)
    const problem = await postSpans(deps, spans)
    notice(problem)
    if (problem === undefined) exported += spans.length
    else dropped += spans.length
    return problem === undefined
  }
  const look = async (): Promise<void> => {
    while (queue.length > 0 && (await send()));
  }
  const poller = createPoller({ look, everyMs: EVERY_MS, log: deps.log, idle: () => true })
  return {
    add(span) {
      if (queue.length >= QUEUE_MAX) dropped += 1
      else queue.push(span)
    },
    counts: () => ({ exported, dropped }),
    async stop() {
      await poller.stop()
      await look()
    },
  }
}

/** Answers what went wrong. No span is worth a second try: a collector that is away would be sent ever more. */
export async function postSpans(
  { settings, outgoing }: Pick<Deps, 'settings' | 'outgoing'>,
  spans: readonly EndedSpan[],
): Promise<string | undefined> {
  const { otlpEndpoint, otlpHeaders, otlpServiceName } = settings
  const answer = await outgoing[DEFAULT_ENVIRONMENT].fetch({
    method: 'POST',
    url: `${otlpEndpoint}/v1/traces`,
    headers: { 'Content-Type': 'application/json', ...otlpHeaders },
    body: toExportRequest(otlpServiceName, spans),
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
    isBodyIgnored: true,
    isRepeatable: true,
    isAnyAddressAllowed: true,
  })
  if (!answer.ok) return answer.message
  return answer.status >= 200 && answer.status < 300 ? undefined : `Status ${answer.status}.`
}
