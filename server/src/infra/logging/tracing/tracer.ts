/** What the service knows of tracing while it is off: these types, and functions that then do nothing more. */
import type { Id } from '../../../kernel/ids.ts'
import type { HttpAnswer, HttpFailure } from '../../outbound/ssrf.ts'
import type { exchange } from '../../db/connection/exchange.ts'
import type { Tx } from '../../db/tx.ts'
import type { Outbox } from '../../work/outbox.ts'

/** A place in a trace, as the W3C header `traceparent` names it. */
export type SpanContext = Readonly<{ traceId: string; spanId: string; isSampled: boolean }>

/** Ids, names and numbers only: no secret, no body, no personal data (OPER-141). */
export type Attributes = Readonly<Record<string, string | number | undefined>>

export type SpanStart = Readonly<{
  name: string
  kind?: 'internal' | 'server' | 'client'
  /** Absent: the span that is current. */
  parent?: SpanContext | undefined
  /** The header of a caller whose trace goes on here; one that is malformed begins a new trace. */
  traceparent?: string
  attributes?: Attributes
}>

export type Span = Readonly<{
  context: SpanContext
  set(attributes: Attributes): void
  /** Points to a span that has to do with this one and is not its parent. */
  link(other: SpanContext): void
  end(outcome?: Readonly<{ isFailed: boolean }>): void
}>

/** What was left to be done later: an event, a job or an order. */
export type Carried = Readonly<{ platformId: Id<'platform'>; id: string }>

export type Tracer = Readonly<{
  /** The span in which the present code runs. */
  current(): Span | undefined
  start(start: SpanStart): Span
  /** Runs `body` with `span` as the current one; undefined: with none. */
  within<T>(span: Span | undefined, body: () => T): T
  run<T>(start: SpanStart, body: (span: Span) => Promise<T>): Promise<T>
  /** Binds the rows to the span that left them, where that is not the current one at the commit. */
  bind(outbox: Outbox, span: Span): void
  /** Writes with the commit which span left what is in the outbox. */
  carry(tx: Tx, outbox: Outbox): void
  /** The span that left it, of any process. */
  findCarried(carried: Carried): Promise<SpanContext | undefined>
  /** The same exchange with the database, its statements as spans. */
  traceExchange(send: typeof exchange): typeof exchange
  counts(): Readonly<{ exported: number; dropped: number }>
  stop(): Promise<void>
}>

/** Runs `body` in a span below the one that left it to be done, else below the current one; plainly where there is neither. */
export async function resumeSpan<T>(
  tracer: Tracer | undefined,
  carried: Carried,
  start: () => SpanStart,
  body: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracer) return body()
  const parent = (await tracer.findCarried(carried)) ?? tracer.current()?.context
  return parent ? tracer.run({ ...start(), parent }, body) : body()
}

/** Runs `body` in a span below the current one; plainly where there is none. */
export function inSpan<T>(
  tracer: Tracer | undefined,
  start: () => SpanStart,
  body: (span?: Span) => Promise<T>,
): Promise<T> {
  return tracer?.current() ? tracer.run(start(), body) : body()
}

/** How a call to the outside went. */
export const answerAttributes = (answer: HttpAnswer | HttpFailure): Attributes =>
  answer.ok ? { 'http.response.status_code': answer.status } : { 'error.type': answer.kind }
