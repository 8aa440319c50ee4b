import type { FastifyInstance } from 'fastify'
import type { Deps } from '../infra/deps.ts'
import { inWork } from '../infra/work/in-work.ts'
import { registerLogos } from '../pages/branding/logo-route.ts'
import { registerInvitationPage } from '../pages/invitation/invitation-page.ts'
import { registerCardNumberPage } from '../pages/card-number/card-number-page.ts'
import { registerLivenessPage } from '../pages/liveness/liveness-page.ts'
import type { PageHost } from '../pages/page-host.ts'
import { registerPayPage } from '../pages/pay/pay-page.ts'
import { registerScaResetPage } from '../pages/sca-reset/sca-reset-page.ts'
import { registerTermsPage } from '../pages/terms/terms-page.ts'
import { registerUmaKeysPage } from '../pages/uma/uma-keys-page.ts'
import { registerVerificationPage } from '../pages/verification/verification-page.ts'

/** Pages that customers open by a link: outside the version path, without API credentials. */
export function addHostedPages(http: FastifyInstance, deps: Deps): void {
  const host: PageHost = { deps, inWork: (visit, body) => inWork(deps, visit, body) }
  registerCardNumberPage(http, host)
  registerLivenessPage(http, host)
  registerPayPage(http, host)
  registerScaResetPage(http, host)
  registerTermsPage(http, host)
  registerUmaKeysPage(http, host)
  registerInvitationPage(http, host)
  registerLogos(http, host)
  registerVerificationPage(http, host)
}
