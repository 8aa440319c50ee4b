import type { Columns } from '../infra/db/given.ts'

/** Events of any platforms: `given('n', EVENT_KEY, rows)` reads as `… n(platform_id, event_id)`. */
export const EVENT_KEY: Columns<Readonly<{ platformId: string; eventId: string }>> = {
  platform_id: ['uuid', (key) => key.platformId],
  event_id: ['uuid', (key) => key.eventId],
}
