/** The page of an invitation, for the invited person (INV-14). It changes nothing. */
import type { FastifyInstance } from 'fastify'
import { findInvitation } from '../../features/invitations/index.ts'
import { findOnboardingUrl } from '../../features/platform/index.ts'
import { listAllowedProviders } from '../../features/uma/index.ts'
import { findBrand } from '../branding/brand.ts'
import { sendPage, type HostedPage } from '../hosted-page.ts'
import { localeOf, type Locale } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { endedView, invitationNotFound, pendingView } from './invitation-view.ts'

export function registerInvitationPage(http: FastifyInstance, host: PageHost): void {
  http.get('/i/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    return sendPage(reply, await pageOf(host, code, localeOf(request)))
  })
}

async function pageOf(host: PageHost, code: string, locale: Locale): Promise<HostedPage> {
  const { db, clock, settings } = host.deps
  const tx = db.read
  const opened = await findInvitation({ tx, realTime: clock.now() }, code)
  if (!opened) return invitationNotFound(locale)
  const { invitation, platform } = opened
  const { legalName: serviceName } = settings
  if (invitation.status !== 'PENDING') return endedView(locale, invitation.status, serviceName)
  const { environment } = platform
  const [brand, providers, onboardingUrl] = await Promise.all([
    findBrand(host, platform),
    listAllowedProviders({ tx, environment, settings }),
    findOnboardingUrl({ tx, platform }),
  ])
  return pendingView(locale, {
    invitation,
    brand,
    serviceName,
    providers,
    onboardingUrl,
  })
}
