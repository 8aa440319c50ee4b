import type { Section } from './section.ts'
import { accounts } from './sections/accounts.ts'
import { audit } from './sections/audit.ts'
import { cardExceptions } from './sections/card-exceptions.ts'
import { customers } from './sections/customers.ts'
import { deposits } from './sections/deposits.ts'
import { events } from './sections/events.ts'
import { externalAccounts } from './sections/external-accounts.ts'
import { failedRefunds } from './sections/failed-refunds.ts'
import { jobs } from './sections/jobs.ts'
import { ledger } from './sections/ledger.ts'
import { ownership } from './sections/ownership.ts'
import { platforms } from './sections/platforms.ts'
import { rates } from './sections/rates.ts'
import { returnableBalances } from './sections/returnable-balances.ts'
import { reviews } from './sections/reviews.ts'
import { scaResets } from './sections/sca-resets.ts'
import { settlements } from './sections/settlements.ts'
import { stablecoinLinks, stablecoins } from './sections/stablecoins.ts'
import { terms } from './sections/terms.ts'
import { transactions } from './sections/transactions.ts'
import { umaProviders } from './sections/uma-providers.ts'

/** Every section of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  transactions,
  customers,
  reviews,
  settlements,
  deposits,
  ownership,
  scaResets,
  failedRefunds,
  returnableBalances,
  cardExceptions,
  jobs,
  events,
  platforms,
  accounts,
  externalAccounts,
  ledger,
  rates,
  umaProviders,
  terms,
  stablecoins,
  stablecoinLinks,
  audit,
]
