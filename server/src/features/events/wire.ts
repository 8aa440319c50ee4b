import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import type { EventBody } from './schema.ts'
import type { EventRecord } from './store.ts'

type Sent = Readonly<{ timestamp: string; data: EventBody['data'] }>

export function eventToWire(event: EventRecord): EventBody {
  const { timestamp, data } = JSON.parse(event.body) as Sent
  return {
    id: formatId('webhook', event.id),
    type: event.type,
    timestamp,
    data,
    deliveryStatus: event.status,
    // An event that asks the platform for an answer is sent by its request, not by the schedule.
    ...(event.status === 'PENDING' &&
      event.sending !== 'ASKED' && {
        nextAttemptAt: toWireTime(event.nextAttemptAt ?? event.at),
      }),
    attempts: event.attempts.map(({ at, url, responseStatus, error, durationMs }) => ({
      at: toWireTime(new Date(at)),
      url,
      ...(responseStatus !== null && { responseStatus }),
      ...(error !== null && { error }),
      durationMs,
    })),
  }
}
