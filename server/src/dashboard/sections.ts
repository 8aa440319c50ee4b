import type { Section } from './section.ts'
import { accounts } from './sections/customers/accounts.ts'
import { agents } from './sections/customers/agents.ts'
import { audit } from './sections/service/audit.ts'
import { cards } from './sections/money/cards.ts'
import { cardExceptions } from './sections/money/card-exceptions.ts'
import { customers } from './sections/customers/customers.ts'
import { deposits } from './sections/money/deposits.ts'
import { events } from './sections/service/events.ts'
import { externalAccounts } from './sections/customers/external-accounts.ts'
import { exceptions } from './sections/providers/exceptions.ts'
import { failedRefunds } from './sections/money/failed-refunds.ts'
import { jobs } from './sections/service/jobs.ts'
import { ledger } from './sections/money/ledger.ts'
import { operators } from './sections/service/operators.ts'
import { ownership } from './sections/customers/ownership.ts'
import { orders } from './sections/providers/orders.ts'
import { platforms } from './sections/service/platforms.ts'
import { proposals } from './sections/service/proposals.ts'
import { providers } from './sections/providers/providers.ts'
import { quotes } from './sections/money/quotes.ts'
import { rates } from './sections/service/rates.ts'
import { returnableBalances } from './sections/money/returnable-balances.ts'
import { requests } from './sections/developers/requests.ts'
import { reviews } from './sections/customers/reviews.ts'
import { scaResets } from './sections/customers/sca-resets.ts'
import { settlements } from './sections/money/settlements.ts'
import { stablecoinLinks, stablecoins } from './sections/service/stablecoins.ts'
import { terms } from './sections/service/terms.ts'
import { myTokens } from './sections/account/tokens.ts'
import { transactions } from './sections/money/transactions.ts'
import { umaProviders } from './sections/service/uma-providers.ts'

/** Every section of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  transactions,
  customers,
  reviews,
  proposals,
  settlements,
  exceptions,
  deposits,
  ownership,
  scaResets,
  failedRefunds,
  returnableBalances,
  cardExceptions,
  orders,
  providers,
  jobs,
  requests,
  events,
  platforms,
  accounts,
  externalAccounts,
  cards,
  agents,
  quotes,
  ledger,
  rates,
  umaProviders,
  terms,
  stablecoins,
  stablecoinLinks,
  operators,
  audit,
  myTokens,
]
