import type { exchange, SentStatement } from '../../db/connection/exchange.ts'
import type { Span, Tracer } from './tracer.ts'

const TEXT_CHARS_MAX = 2_000
const VERB = /^\s*(\w+)/
/** The table that a statement writes names it better than those it reads. */
const WRITTEN = /\b(?:insert into|delete from)\s+(\w+)/
const TARGET = /\b(?:update|from)\s+(\w+)/

/** Adds a span for each statement of a sampled trace; background polling has no trace and gets none. */
export const tracedExchange =
  (tracer: Tracer, send: typeof exchange): typeof exchange =>
  (client, sent, limitMs) => {
    const isTraced = tracer.current()?.context.isSampled === true
    const traced = isTraced ? sent.map((one) => withSpan(one, startStatement(tracer, one))) : sent
    return send(client, traced, limitMs)
  }

/** The text has places for its values, never the values (OPER-141). */
function startStatement(tracer: Tracer, { statement: { text } }: SentStatement): Span {
  const [, verb = ''] = VERB.exec(text) ?? []
  const [, target = ''] = WRITTEN.exec(text) ?? TARGET.exec(text) ?? []
  return tracer.start({
    name: `${verb.toUpperCase()} ${target}`.trim(),
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, TEXT_CHARS_MAX) },
  })
}

const withSpan = (sent: SentStatement, span: Span): SentStatement => ({
  ...sent,
  onAnswer(answer) {
    span.end()
    sent.onAnswer?.(answer)
  },
  onError(error) {
    span.end({ isFailed: true })
    sent.onError?.(error)
  },
})
