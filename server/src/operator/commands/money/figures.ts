import { Type } from '../../../infra/http/schema/type.ts'
import { oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { addMs, toWireTime } from '../../../kernel/clock.ts'
import {
  GRAIN_MS,
  RANGE_NAMES,
  RANGES,
  startOf,
  type Grain,
  type Range,
} from '../../figures/figure.ts'
import { findCountedAt, listFigures, listOpeningBalances } from '../../figures/read-store.ts'
import { shownPlatforms } from '../../access/visible-platforms.ts'
import { choiceOf, defineCommand, record } from '../../command.ts'
import { PLATFORM } from '../../queries/list-filters.ts'

const FigureSchema = record({
  at: timestamp(),
  name: Type.String(),
  currency: Type.Optional(Type.String()),
  count: Type.Integer(),
  /** In smallest units of the currency. */
  amount: Type.String(),
})

const FiguresSchema = record({
  range: oneOf(RANGE_NAMES),
  grain: oneOf(['hour', 'day']),
  from: timestamp(),
  until: timestamp(),
  countedAt: Type.Optional(timestamp()),
  figures: Type.Array(FigureSchema),
  /** What was held at `from`. */
  openingBalances: Type.Array(record({ currency: Type.String(), amount: Type.String() })),
})

/** Whole hours or days, the present one last. */
function spanOf(range: Range, now: Date): Readonly<{ from: Date; until: Date; grain: Grain }> {
  const { durationMs, grain } = RANGES[range]
  const until = addMs(startOf(now, grain), GRAIN_MS[grain])
  return { from: addMs(until, -durationMs), until, grain }
}

const list = defineCommand({
  name: 'figures list',
  access: { roles: ['VIEWER'] },
  about:
    'Payments, balances, webhooks, cards and what waits, summed by hour (24h, 7d) or day (30d, 90d). Platforms whose clock is ahead are placed by how long ago something is on it.',
  options: {
    range: { about: `One of ${RANGE_NAMES.join(', ')} (default 24h).`, value: 'RANGE' },
    platform: PLATFORM,
  },
  answers: FiguresSchema,
  async run(deps, input) {
    const { db, clock } = deps
    const range = choiceOf(input, 'range', RANGE_NAMES) ?? '24h'
    const { from, until, grain } = spanOf(range, clock.now())
    const asked = { platformIds: shownPlatforms(deps, input), from, grain }
    const [figures, openingBalances, { countedAt }] = await Promise.all([
      listFigures(db.read, asked),
      listOpeningBalances(db.read, asked),
      findCountedAt(db.read),
    ])
    return {
      range,
      grain,
      from: toWireTime(from),
      until: toWireTime(until),
      countedAt: countedAt ? toWireTime(countedAt) : undefined,
      figures: figures.map(({ at, name, currency, count, amount }) => ({
        at: toWireTime(at),
        name,
        currency: currency === '' ? undefined : currency,
        count: Number(count),
        amount,
      })),
      openingBalances,
    }
  },
})

export const figureCommands = { list }
