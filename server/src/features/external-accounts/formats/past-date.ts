import { isCalendarDate } from '../../../kernel/clock.ts'

/** A day of the calendar before today (UTC). */
export function isPastDate(text: string, now: Date): boolean {
  return isCalendarDate(text) && text < now.toISOString().slice(0, 10)
}
