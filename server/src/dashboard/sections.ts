import type { Section } from './section.ts'
import { accounts } from './sections/accounts.ts'
import { audit } from './sections/audit.ts'
import { events } from './sections/events.ts'
import { externalAccounts } from './sections/external-accounts.ts'
import { jobs } from './sections/jobs.ts'
import { ledger } from './sections/ledger.ts'
import { platforms } from './sections/platforms.ts'
import { rates } from './sections/rates.ts'
import { reviews } from './sections/reviews.ts'
import { umaProviders } from './sections/uma-providers.ts'

/** Every section of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  reviews,
  jobs,
  events,
  platforms,
  accounts,
  externalAccounts,
  ledger,
  rates,
  umaProviders,
  audit,
]
