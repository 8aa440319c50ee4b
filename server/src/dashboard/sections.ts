import type { Section } from './section.ts'
import { audit } from './sections/audit.ts'
import { jobs } from './sections/jobs.ts'
import { reviews } from './sections/reviews.ts'

/** Every section of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [reviews, jobs, audit]
