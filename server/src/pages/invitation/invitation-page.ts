/** The page of an invitation, for the invited person (INV-14). It changes nothing. */
import type { FastifyInstance } from 'fastify'
import { findInvitation } from '../../features/invitations/index.ts'
import { findOnboardingUrl } from '../../features/platform/index.ts'
import { listAllowedProviders } from '../../features/uma/index.ts'
import { sendPage, type HostedPage } from '../hosted-page.ts'
import type { PageHost } from '../page-host.ts'
import { INVITATION_NOT_FOUND, endedView, pendingView } from './invitation-view.ts'

export function registerInvitationPage(http: FastifyInstance, host: PageHost): void {
  http.get('/i/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    return sendPage(reply, await pageOf(host, code))
  })
}

async function pageOf({ deps }: PageHost, code: string): Promise<HostedPage> {
  const { db, clock, settings } = deps
  const tx = db.read
  const opened = await findInvitation({ tx, realTime: clock.now() }, code)
  if (!opened) return INVITATION_NOT_FOUND
  const { invitation, platform } = opened
  const { legalName: serviceName } = settings
  if (invitation.status !== 'PENDING') return endedView(invitation.status, serviceName)
  const { environment, name: platformName } = platform
  const [providers, onboardingUrl] = await Promise.all([
    listAllowedProviders({ tx, environment, settings }),
    findOnboardingUrl({ tx, platform }),
  ])
  return pendingView({ invitation, platformName, serviceName, providers, onboardingUrl })
}
