import type { Asked, exchange } from '../../db/connection/exchange.ts'
import type { Span, Tracer } from './tracer.ts'

const TEXT_CHARS_MAX = 2_000
const VERB = /^\s*(\w+)/
/** What is written says more of a statement than what it reads. */
const WRITTEN = /\b(?:insert into|delete from)\s+(\w+)/
const TARGET = /\b(?:update|from)\s+(\w+)/

/** Statements as spans of what asks for them; those of the background's looks, which are of no trace, are none. */
export const tracedExchange =
  (tracer: Tracer, send: typeof exchange): typeof exchange =>
  (client, asked, limitMs) => {
    const isTraced = tracer.current()?.context.isSampled === true
    const sent = isTraced ? asked.map((one) => traced(one, startStatement(tracer, one))) : asked
    return send(client, sent, limitMs)
  }

/** The text has places for its values, never the values (OPER-141). */
function startStatement(tracer: Tracer, { statement: { text } }: Asked): Span {
  const [, verb = ''] = VERB.exec(text) ?? []
  const [, target = ''] = WRITTEN.exec(text) ?? TARGET.exec(text) ?? []
  return tracer.start({
    name: `${verb.toUpperCase()} ${target}`.trim(),
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, TEXT_CHARS_MAX) },
  })
}

const traced = (asked: Asked, span: Span): Asked => ({
  ...asked,
  answered(answer) {
    span.end()
    asked.answered?.(answer)
  },
  failed(error) {
    span.end({ isFailed: true })
    asked.failed?.(error)
  },
})
