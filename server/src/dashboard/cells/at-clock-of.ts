import { addMs, SECOND_MS } from '../../kernel/clock.ts'
import type { Section, Visit } from '../section.ts'

type Timed = Pick<Section, 'isOnServiceTime'>
type Owned = Readonly<{ platformId?: string }>

/** The visit by the clock of what is shown: that of a sandbox platform may have been moved (CORE-60, OPER-123). */
export function atClockOf({ isOnServiceTime }: Timed, visit: Visit, row: unknown): Visit {
  if (isOnServiceTime) return visit
  const { platformId } = row as Owned
  const platform = visit.platforms.find((one) => one.platformId === platformId)
  const { clockOffsetSeconds = 0 } = platform ?? {}
  return clockOffsetSeconds === 0
    ? visit
    : { ...visit, now: addMs(visit.now, clockOffsetSeconds * SECOND_MS) }
}
