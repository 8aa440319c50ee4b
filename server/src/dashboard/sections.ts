import type { Section } from './section.ts'
import { audit } from './sections/audit.ts'
import { events } from './sections/events.ts'
import { jobs } from './sections/jobs.ts'
import { platforms } from './sections/platforms.ts'
import { reviews } from './sections/reviews.ts'

/** Every section of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [reviews, jobs, events, platforms, audit]
