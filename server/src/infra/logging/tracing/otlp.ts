/** Spans as OTLP/HTTP takes them in JSON (https://opentelemetry.io/docs/specs/otlp). */
import type { Attributes, SpanContext, SpanStart } from './tracer.ts'

export type EndedSpan = Readonly<{
  name: string
  kind: NonNullable<SpanStart['kind']>
  context: SpanContext
  parentId: string | undefined
  /** Milliseconds since 1970, with fractions. */
  startMs: number
  endMs: number
  attributes: Attributes
  links: readonly SpanContext[]
  isFailed: boolean
}>

const KINDS = { internal: 1, server: 2, client: 3 } as const
const FAILED = 2
const NANOS_PER_MS = 1e6

const nanos = (ms: number): string => BigInt(Math.round(ms * NANOS_PER_MS)).toString()

/** 64-bit numbers are texts in JSON. */
const toValue = (value: string | number) =>
  typeof value === 'string' ? { stringValue: value } : { intValue: String(value) }

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  )

const toLink = ({ traceId, spanId }: SpanContext) => ({ traceId, spanId })

const toSpan = ({ context, parentId, ...span }: EndedSpan) => ({
  ...toLink(context),
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanos(span.startMs),
  endTimeUnixNano: nanos(span.endMs),
  attributes: toAttributes(span.attributes),
  ...(span.links.length > 0 && { links: span.links.map(toLink) }),
  ...(span.isFailed && { status: { code: FAILED } }),
})

export function toExportRequest(service: string, spans: readonly EndedSpan[]): string {
  const resource = { attributes: toAttributes({ 'service.name': service }) }
  const scopeSpans = [{ scope: { name: 'florin' }, spans: spans.map(toSpan) }]
  return JSON.stringify({ resourceSpans: spans.length > 0 ? [{ resource, scopeSpans }] : [] })
}
