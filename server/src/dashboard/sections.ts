import type { Section } from './section.ts'
import { audit } from './sections/audit.ts'
import { events } from './sections/events.ts'
import { jobs } from './sections/jobs.ts'
import { platforms } from './sections/platforms.ts'
import { reviews } from './sections/reviews.ts'
import { settlements } from './sections/settlements.ts'
import { deposits } from './sections/deposits.ts'
import { ownership } from './sections/ownership.ts'
import { scaResets } from './sections/sca-resets.ts'
import { failedRefunds } from './sections/failed-refunds.ts'
import { cardExceptions } from './sections/card-exceptions.ts'

/** Every section of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  reviews,
  settlements,
  deposits,
  ownership,
  scaResets,
  failedRefunds,
  cardExceptions,
  jobs,
  events,
  platforms,
  audit,
]
