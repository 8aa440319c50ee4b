/** Tracing as it is while it is on; a process without a collector does not load this file (OPER-140). */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database } from '../../db/database.ts'
import { gather } from '../../gather.ts'
import type { Outbox } from '../../work/outbox.ts'
import { findCarried, insertCarried, type CarriedRow } from './carried-traces.ts'
import { createSpanExporter, type ExportDeps, type SpanExporter } from './export-spans.ts'
import { tracedExchange } from './trace-statements.ts'
import { childOf, parseTraceparent, toTraceparent } from './trace-context.ts'
import type { Attributes, Carried, Span, SpanContext, SpanStart, Tracer } from './tracer.ts'

type TracerDeps = ExportDeps & Readonly<{ db: () => Database }>

const LINKS_MAX = 128

export function createTracer(deps: TracerDeps): Tracer {
  const { traceShare } = deps.settings
  const exporter = createSpanExporter(deps)
  const spans = new AsyncLocalStorage<Span | undefined>()
  const leftBy = new WeakMap<object, SpanContext>()
  const readCarried = gather((keys: readonly Carried[]) => findCarried(deps.db().read, keys))

  const current = (): Span | undefined => spans.getStore()
  const start = (given: SpanStart): Span => {
    const parent = given.parent ?? parseTraceparent(given.traceparent) ?? current()?.context
    return openSpan(exporter, { ...given, parent }, childOf(parent, traceShare))
  }
  const within: Tracer['within'] = (span, body) => spans.run(span, body)
  const tracer: Tracer = {
    current,
    start,
    within,
    async run(given, body) {
      const span = start(given)
      try {
        const result = await within(span, () => body(span))
        span.end()
        return result
      } catch (error) {
        span.end({ isFailed: true })
        throw error
      }
    },
    bind(outbox, span) {
      for (const row of rowsOf(outbox)) leftBy.set(row, span.context)
    },
    carry(tx, outbox) {
      const present = current()?.context
      const rows = rowsOf(outbox).flatMap((row): CarriedRow[] => {
        const context = leftBy.get(row) ?? present
        if (!context?.isSampled) return []
        return [{ platformId: row.platformId, id: row.id, traceparent: toTraceparent(context) }]
      })
      if (rows.length > 0) insertCarried(tx, rows)
    },
    async findCarried(carried) {
      try {
        return parseTraceparent(await within(undefined, () => readCarried(carried)))
      } catch (error) {
        deps.log.warn({ err: error }, 'a trace is not continued')
        return undefined
      }
    },
    traceExchange: (send) => tracedExchange(tracer, send),
    counts: exporter.counts,
    stop: exporter.stop,
  }
  return tracer
}

const rowsOf = ({ events, jobs, orders }: Outbox): readonly Carried[] => [
  ...events,
  ...jobs,
  ...orders,
]

/** `timeOrigin` alone follows no later correction of the machine's clock; spans of one process agree with each other. */
const nowMs = (): number => performance.timeOrigin + performance.now()

function openSpan(
  exporter: SpanExporter,
  { name, kind = 'internal', parent, attributes: given = {} }: SpanStart,
  context: SpanContext,
): Span {
  const links: SpanContext[] = []
  let attributes: Attributes = given
  let isEnded = false
  const startMs = nowMs()
  return {
    context,
    set: (further) => void (attributes = { ...attributes, ...further }),
    link: (other) => void (links.length < LINKS_MAX && links.push(other)),
    end({ isFailed } = { isFailed: false }) {
      if (isEnded || !context.isSampled) return
      isEnded = true
      const parentId = parent?.spanId
      const endMs = nowMs()
      exporter.add({ name, kind, context, parentId, startMs, endMs, attributes, links, isFailed })
    },
  }
}
