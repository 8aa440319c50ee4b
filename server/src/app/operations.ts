import { decideAgentPayment, routes as agents } from '../features/agents/index.ts'
import { routes as apiTokens } from '../features/api-tokens/index.ts'
import { routes as beneficialOwners } from '../features/beneficial-owners/index.ts'
import { routes as bulkImport } from '../features/bulk-import/index.ts'
import { routes as cards } from '../features/cards/index.ts'
import { routes as contactVerification } from '../features/contact-verification/index.ts'
import { routes as customers } from '../features/customers/index.ts'
import { routes as delegatedKeys } from '../features/delegated-keys/index.ts'
import { routes as discoveries } from '../features/discoveries/index.ts'
import { routes as documents } from '../features/documents/index.ts'
import { routes as events } from '../features/events/index.ts'
import { routes as exchangeRates } from '../features/exchange-rates/index.ts'
import { routes as externalAccounts } from '../features/external-accounts/index.ts'
import { routes as internalAccounts } from '../features/internal-accounts/index.ts'
import { routes as invitations } from '../features/invitations/index.ts'
import { routes as magicValues } from '../features/magic-values/index.ts'
import { routes as platform } from '../features/platform/index.ts'
import { routes as receivers } from '../features/receivers/index.ts'
import { routes as requests } from '../features/requests/index.ts'
import { routes as sca } from '../features/sca/index.ts'
import { routes as stablecoins } from '../features/stablecoins/index.ts'
import { routes as quotes } from '../features/quotes/index.ts'
import { routes as payments } from '../features/settlements/index.ts'
import { approvalRoutes, routes as transactions } from '../features/transactions/index.ts'
import { routes as timelines } from '../features/timelines/index.ts'
import { routes as transfers } from '../features/transfers/index.ts'
import { routes as trustedBeneficiaries } from '../features/trusted-beneficiaries/index.ts'
import { decideUmaPayment, routes as uma } from '../features/uma/index.ts'
import { routes as walletAuth } from '../features/wallet-auth/index.ts'
import { routes as verifications } from '../features/verifications/index.ts'
import { routes as withdrawalFees } from '../features/withdrawal-fees/index.ts'
import type { Operation } from '../infra/http/operation.ts'
import { cardRoutes } from '../sandbox/card-routes.ts'
import { clockRoutes } from '../sandbox/clock-routes.ts'
import { fundRoutes } from '../sandbox/fund-routes.ts'
import { sendRoutes } from '../sandbox/send-routes.ts'
import { testWebhookRoutes } from '../sandbox/test-webhook-routes.ts'
import { umaRoutes } from '../sandbox/uma-routes.ts'

/** Every operation of the API, by feature. */
export const operations: readonly Operation[] = [
  ...platform,
  ...apiTokens,
  ...customers,
  ...bulkImport,
  ...contactVerification,
  ...beneficialOwners,
  ...documents,
  ...verifications,
  ...events,
  ...requests,
  ...internalAccounts,
  ...walletAuth,
  ...externalAccounts,
  ...discoveries,
  ...exchangeRates,
  ...withdrawalFees,
  ...sca,
  ...trustedBeneficiaries,
  ...transactions,
  ...payments,
  ...approvalRoutes([decideUmaPayment, decideAgentPayment]),
  ...receivers,
  ...quotes,
  ...transfers,
  ...uma,
  ...invitations,
  ...cards,
  ...delegatedKeys,
  ...stablecoins,
  ...agents,
  ...timelines,
  ...cardRoutes,
  ...clockRoutes,
  ...magicValues,
  ...fundRoutes,
  ...sendRoutes,
  ...testWebhookRoutes,
  ...umaRoutes,
]
