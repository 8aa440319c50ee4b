/** Trace ids and the W3C header that hands them on (https://www.w3.org/TR/trace-context). */
import { randomBytes } from 'node:crypto'
import type { SpanContext } from './tracer.ts'

const HEADER = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
const ZEROS = /^0+$/
const SAMPLED = 1

/** Undefined for what is malformed: the request then begins a trace of its own. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = HEADER.exec(text ?? '') ?? []
  if (traceId === '' || text?.startsWith('ff') || ZEROS.test(traceId) || ZEROS.test(spanId))
    return undefined
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED }
}

export const toTraceparent = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

const HEX_OF_SHARE = 8
const SHARES = 2 ** 32

/** Below its parent and sampled as it is; without a parent a new trace, sampled where its id falls within `share`. */
export function childOf(parent: SpanContext | undefined, share: number): SpanContext {
  const spanId = randomBytes(8).toString('hex')
  if (parent) return { ...parent, spanId }
  const traceId = randomBytes(16).toString('hex')
  const isSampled = parseInt(traceId.slice(-HEX_OF_SHARE), 16) < share * SHARES
  return { traceId, spanId, isSampled }
}
