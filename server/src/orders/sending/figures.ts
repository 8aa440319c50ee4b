import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { OPEN_STATES } from '../order.ts'

/** The current state of a provider, for operators and metrics (PROV-140, PROV-142). */
export type ProviderFigures = Readonly<{
  providerId: Id<'provider'>
  circuit: 'CLOSED' | 'OPEN'
  circuitSince: Date | null
  /** Open orders by state. */
  open: Readonly<Record<string, number>>
  oldestOpenAt: Date | null
  exceptionsOpen: number
  oldestExceptionAt: Date | null
}>

/** Reads every registered provider. Times are real; the platform's clock offset is taken out of order times. */
export const readFigures = (tx: Tx): Promise<ProviderFigures[]> =>
  tx.many<ProviderFigures>(
    sql`select r.id as provider_id, coalesce(h.circuit, 'CLOSED') as circuit, h.opened_at as circuit_since,
          coalesce(o.open, '{}') as open, o.oldest_open_at, coalesce(e.count, 0) as exceptions_open,
          e.oldest as oldest_exception_at
        from providers r left join provider_health h on h.provider_id = r.id
          left join lateral (
            select jsonb_object_agg(s.state, s.count) as open, min(s.oldest) as oldest_open_at
            from (select state, count(*)::int as count,
                min(o.created_at - p.clock_offset_ms * interval '1 millisecond') as oldest
              from provider_orders o join platforms p on p.id = o.platform_id
              where o.provider_id = r.id and o.state = any(${[...OPEN_STATES]}) group by state) s) o on true
          left join lateral (
            select count(*)::int as count, min(opened_at) as oldest from exceptions
            where provider_id = r.id and status = 'OPEN') e on true
        where r.removed_at is null order by r.id`,
  )

const CIRCUIT_MS_MAX = 5 * MINUTE_MS
const EXCEPTION_MS_MAX = DAY_MS

/** Describes the problems of a provider, in words; empty if there are none (PROV-71, PROV-142). */
export function problemsOf(
  { name, resendWindowSeconds }: RegisteredProvider,
  figures: ProviderFigures,
  now: Date,
): string[] {
  const { circuit, circuitSince, oldestOpenAt, exceptionsOpen, oldestExceptionAt } = figures
  const isOlder = (at: Date | null, ms: number): boolean => at !== null && addMs(at, ms) <= now
  return [
    circuit === 'OPEN' && isOlder(circuitSince, CIRCUIT_MS_MAX) && `${name} does not answer`,
    isOlder(oldestOpenAt, resendWindowSeconds * SECOND_MS) &&
      `an order of ${name} is open longer than ${resendWindowSeconds} s`,
    isOlder(oldestExceptionAt, EXCEPTION_MS_MAX) &&
      `${exceptionsOpen} exceptions of ${name} are open, one for more than a day`,
  ].filter((problem) => problem !== false)
}
