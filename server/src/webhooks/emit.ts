import { newId, type Id } from '../kernel/ids.ts'
import { jsonText, type ByteText } from '../kernel/text/byte-text.ts'
import type { CountedPayment } from '../infra/logging/business-metrics.ts'
import type { Sending } from '../infra/work/outbox-events.ts'
import type { Work } from '../infra/work/work.ts'
import type { EventType } from './event-types.ts'

type EmitOptions = Readonly<{ sending?: Sending; payment?: CountedPayment }>

/**
 * Emits an event in the transaction of its change (HOOK-6). `data` is the resource as GET would answer it right after; the
 * body is rendered here, once, so that later changes do not alter it (HOOK-5).
 */
export function emit(
  work: Pick<Work, 'platform' | 'now' | 'outbox'>,
  type: EventType,
  data: Readonly<Record<string, unknown>>,
  options: EmitOptions = {},
): Id<'webhook'> {
  const resource = data['id'] ?? data['code']
  const resourceId = typeof resource === 'string' ? resource : undefined
  return emitJson(work, type, { resourceId, json: [jsonText(data)] }, options)
}

/** The same for data that is rendered already, in the parts of EventRow. */
export function emitJson(
  { platform, now, outbox }: Pick<Work, 'platform' | 'now' | 'outbox'>,
  type: EventType,
  { resourceId, json }: Readonly<{ resourceId: string | undefined; json: readonly ByteText[] }>,
  { sending = 'RETRIED', payment }: EmitOptions,
): Id<'webhook'> {
  const id = newId('webhook')
  const event = { platformId: platform.id, id, type, resourceId, at: now, data: json }
  outbox.events.push({ ...event, sending, payment })
  return id
}
