import type { Id } from '../../kernel/ids.ts'
import { ofPlatforms } from '../../infra/db/list-rows.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { BALANCE_FIGURE, BY_PLATFORM_CLOCK, BY_REAL_TIME, type Grain } from './figure.ts'

export type FigureSum = Readonly<{
  at: Date
  name: string
  currency: string
  count: bigint
  /** Decimal text in smallest units: a sum may be wider than any integer of the database. */
  amount: string
}>

type Asked = Readonly<{
  platformIds: readonly Id<'platform'>[] | null
  from: Date
  grain: Grain
}>

/** How far ahead the clock of a platform is. */
const AHEAD = sql`p.clock_offset_ms * interval '1 millisecond'`

/**
 * Sums by hour or day, oldest first. What is dated by a platform's clock is placed by how long ago it is by that clock,
 * so that platforms whose clocks differ can be added up.
 */
export const listFigures = (tx: Tx, { platformIds, from, grain }: Asked): Promise<FigureSum[]> =>
  tx.many<FigureSum>(
    sql`select date_trunc(${grain}, f.at) as at, f.name, f.currency, sum(f.count)::bigint as count,
          sum(f.amount)::text as amount
        from platforms p cross join lateral (
          select hour - ${AHEAD} as at, name, currency, count, amount from hourly_figures
          where platform_id = p.id and name = any(${BY_PLATFORM_CLOCK}::text[]) and hour >= ${from}::timestamptz + ${AHEAD}
          union all
          select hour, name, currency, count, amount from hourly_figures
          where platform_id = p.id and name = any(${BY_REAL_TIME}::text[]) and hour >= ${from}) f
        where true ${ofPlatforms(platformIds, sql`p.id`)}
        group by 1, 2, 3 order by 1, 2, 3`,
  )

export type OpeningBalance = Readonly<{ currency: string; amount: string }>

/** What was held at an instant, by currency. */
export const listOpeningBalances = (
  tx: Tx,
  { platformIds, from }: Omit<Asked, 'grain'>,
): Promise<OpeningBalance[]> =>
  tx.many<OpeningBalance>(
    sql`select f.currency, sum(f.amount)::text as amount
        from platforms p join hourly_figures f on f.platform_id = p.id and f.name = ${BALANCE_FIGURE}
        where f.hour < ${from}::timestamptz + ${AHEAD} ${ofPlatforms(platformIds, sql`p.id`)}
        group by 1 order by 1`,
  )

/** When the figures were last counted; null before the first time. */
export const findCountedAt = (tx: Tx): Promise<{ countedAt: Date | null }> =>
  tx.one<{ countedAt: Date | null }>(sql`select min(counted_at) as counted_at from figure_marks`)
