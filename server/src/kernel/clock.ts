/** The only file that reads the machine's time. Everything else is handed an instant or a Clock. */

export type Clock = Readonly<{ now(): Date }>

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const systemClock: Clock = Object.freeze({ now: () => new Date() })

export function addMs(instant: Date, durationMs: number): Date {
  return new Date(instant.getTime() + durationMs)
}

/** Calendar months later in UTC; a day that the month does not have becomes its last one. */
export function addMonths(instant: Date, months: number): Date {
  const moved = new Date(instant.getTime())
  moved.setUTCMonth(moved.getUTCMonth() + months)
  // The 31st of a shorter month rolls over into the next one; day 0 is the last day before that.
  if (moved.getUTCDate() !== instant.getUTCDate()) moved.setUTCDate(0)
  return moved
}

/** A deadline is past from its own instant on: at `expiresAt` a resource is expired. */
export function isPast({ deadline, now }: { deadline: Date; now: Date }): boolean {
  return deadline.getTime() <= now.getTime()
}

/** A cache: a payment renders the same few instants many times, and each rendering takes about a microsecond. */
const wireTimes = new Map<number, string>()
const WIRE_TIMES_MAX = 1_000

/** ISO 8601 in UTC with milliseconds and `Z` (CORE-5). */
export function toWireTime(instant: Date): string {
  const ms = instant.getTime()
  const known = wireTimes.get(ms)
  if (known !== undefined) return known
  const text = instant.toISOString()
  if (wireTimes.size === WIRE_TIMES_MAX) wireTimes.clear()
  wireTimes.set(ms, text)
  return text
}

/** The calendar day of an instant in UTC, `YYYY-MM-DD`. */
export function toWireDate(instant: Date): string {
  return toWireTime(instant).slice(0, 10)
}

const WIRE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:[.,](\d+))?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/

/**
 * Reads a timestamp with any offset; digits below a millisecond are cut off. Undefined for a local time without offset,
 * a day that does not exist, and an instant outside the years 1 to 9999 in UTC.
 */
export function parseWireTime(text: string): Date | undefined {
  const match = WIRE_TIME.exec(text)
  if (!match) return undefined
  const [, day = '', hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = match
  if (!isCalendarDate(day)) return undefined
  const millisecond = fraction.slice(0, 3).padEnd(3, '0')
  const localMs = Date.parse(`${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  const offsetMs = Number(offsetHour ?? 0) * HOUR_MS + Number(offsetMinute ?? 0) * MINUTE_MS
  const instant = new Date(sign === '-' ? localMs + offsetMs : localMs - offsetMs)
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}

/** `YYYY-MM-DD` that exists in the calendar, from year 1 on (the database knows no year 0). */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const midnight = new Date(`${text}T00:00:00.000Z`)
  // Date rolls 31 April over to 1 May, so a day that does not exist comes back as another one.
  return !Number.isNaN(midnight.getTime()) && toWireDate(midnight) === text
}
