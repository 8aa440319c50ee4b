/** The figures that are kept by the hour, and the ranges in which they are shown. */
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts'

/** Payments by outcome, out and in; cards by the answer to an authorization. */
export const PAYMENT_FIGURES = [
  'out.completed',
  'out.pending',
  'out.failed',
  'out.expired',
  'in.completed',
  'in.pending',
  'in.failed',
  'in.expired',
  'cards.approved',
  'cards.declined',
] as const

/** What changes the amount that is held for customers and platforms. */
export const BALANCE_FIGURE = 'balance'

/** By the hour in which the event came about. */
export const EVENT_FIGURES = ['events.delivered', 'events.pending', 'events.failed'] as const

/** What waits: the most that did within the hour. */
export const GAUGES = [
  'webhooks.waiting',
  'jobs.late',
  'jobs.dead',
  'orders.open',
  'exceptions.open',
  'reviews.open',
] as const

/** By the platform's clock, which a sandbox may move ahead. */
export const BY_PLATFORM_CLOCK: readonly string[] = [...PAYMENT_FIGURES, BALANCE_FIGURE]

/** By real time. */
export const BY_REAL_TIME: readonly string[] = [...EVENT_FIGURES, ...GAUGES]

export type FigureName =
  | (typeof PAYMENT_FIGURES)[number]
  | (typeof EVENT_FIGURES)[number]
  | (typeof GAUGES)[number]
  | typeof BALANCE_FIGURE

export const RANGES = {
  '24h': { durationMs: DAY_MS, grain: 'hour' },
  '7d': { durationMs: 7 * DAY_MS, grain: 'hour' },
  '30d': { durationMs: 30 * DAY_MS, grain: 'day' },
  '90d': { durationMs: 90 * DAY_MS, grain: 'day' },
} as const

export type Range = keyof typeof RANGES
export type Grain = (typeof RANGES)[Range]['grain']

export const RANGE_NAMES = Object.keys(RANGES) as readonly Range[]

/** Longer than the longest range, so that its first day is whole. */
export const KEPT_MS = 92 * DAY_MS

export const GRAIN_MS: Readonly<Record<Grain, number>> = { hour: HOUR_MS, day: DAY_MS }

/** The beginning of the hour or day, in UTC. */
export const startOf = (at: Date, grain: Grain = 'hour'): Date => {
  const ms = at.getTime()
  return new Date(ms - (ms % GRAIN_MS[grain]))
}
