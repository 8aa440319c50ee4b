import { toWireTime } from '../kernel/clock.ts'
import { formatId, newId, type Id } from '../kernel/ids.ts'
import type { CountedPayment } from '../infra/logging/business-metrics.ts'
import type { Sending } from '../infra/work/outbox.ts'
import type { Work } from '../infra/work/work.ts'
import type { EventType } from './event-types.ts'

/**
 * Emits an event in the transaction of its change (HOOK-6). `data` is the resource as GET would answer it right after; the
 * body is rendered here, once, so that later changes do not alter it (HOOK-5).
 */
export function emit(
  work: Pick<Work, 'platform' | 'now' | 'outbox'>,
  type: EventType,
  data: Readonly<Record<string, unknown>>,
  { sending = 'RETRIED', payment }: Readonly<{ sending?: Sending; payment?: CountedPayment }> = {},
): Id<'webhook'> {
  const { platform, now, outbox } = work
  const id = newId('webhook')
  const resource = data['id'] ?? data['code']
  outbox.events.push({
    platformId: platform.id,
    id,
    type,
    resourceId: typeof resource === 'string' ? resource : undefined,
    at: now,
    body: JSON.stringify({ id: formatId('webhook', id), type, timestamp: toWireTime(now), data }),
    sending,
    ...(payment && { payment }),
  })
  return id
}
