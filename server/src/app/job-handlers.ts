import { jobs as agents } from '../features/agents/index.ts'
import { jobs as bulkImport } from '../features/bulk-import/index.ts'
import { cardJobs } from '../features/cards/index.ts'
import { jobs as customers } from '../features/customers/index.ts'
import { jobs as deposits } from '../features/deposits/index.ts'
import { delegatedKeySettlers } from '../features/delegated-keys/index.ts'
import { externalAccountJobs } from '../features/external-accounts/index.ts'
import { jobs as invitations } from '../features/invitations/index.ts'
import { jobs as quotes } from '../features/quotes/index.ts'
import { jobs as rates } from '../features/rates/index.ts'
import { scaJobs } from '../features/sca/index.ts'
import { jobs as screening } from '../features/screening/index.ts'
import { stablecoinJobs } from '../features/stablecoins/index.ts'
import { jobs as payments } from '../features/payments/index.ts'
import { jobs as uma } from '../features/uma/index.ts'
import { walletAuthJobs } from '../features/wallet-auth/index.ts'
import { handlersOfAll } from '../infra/jobs/job-handler.ts'
import { fileJobs } from '../infra/files/erase-file.ts'
import { manualScreening } from '../providers/account-screening.ts'
import { figureJobs } from '../operator/figures/jobs.ts'
import { expiryJobs } from '../operator/proposals/expire.ts'
import { retentionJobs } from '../operator/retention/jobs.ts'
import { retentionJobs as webhooks } from '../webhooks/queue/retention.ts'

/** Every job by name; loading fails where one that is declared has no handler. */
export const jobHandlers = handlersOfAll([
  ...customers,
  ...bulkImport,
  ...externalAccountJobs(manualScreening),
  ...cardJobs,
  ...deposits,
  ...quotes,
  ...rates,
  ...scaJobs,
  ...stablecoinJobs(),
  ...payments,
  ...screening,
  ...uma,
  ...walletAuthJobs(delegatedKeySettlers),
  ...invitations,
  ...agents,
  ...webhooks,
  ...expiryJobs,
  ...retentionJobs,
  ...figureJobs,
  ...fileJobs,
])
