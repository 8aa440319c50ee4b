/** The page behind the `verificationLink` of a reset (SCA-30). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { digestSecret } from '../../crypto/secret-hash.ts'
import { formatId } from '../../kernel/ids.ts'
import { platformTime } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import { audit } from '../../infra/work/audit.ts'
import { requestIds } from '../../infra/work/request-ids.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { findResetByLink, moveResetIfOpen, statusAt } from '../../features/sca/index.ts'
import { findBrand } from '../branding/brand.ts'
import { backTo, sendPage, type HostedPage } from '../hosted-page.ts'
import { localeOf } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { linkNotFound, scaResetView } from './sca-reset-view.ts'

export function registerScaResetPage(http: FastifyInstance, host: PageHost): void {
  http.get('/sca-reset', async (request, reply) => sendPage(reply, await pageOf(host, request)))
  http.post('/sca-reset/submit', async (request, reply) => {
    const isDone = await submit(host, request)
    const locale = localeOf(request)
    if (!isDone) return sendPage(reply, linkNotFound(locale))
    return backTo(reply, locale.keep(`../sca-reset?token=${encodeURIComponent(tokenOf(request))}`))
  })
}

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

async function open({ deps: { db, clock } }: PageHost, token: string) {
  const reset = await findResetByLink(db.read, digestSecret(token))
  const platform = reset && (await findPlatform(db.read, reset.platformId))
  if (!reset || !platform) return undefined
  return { reset, platform, status: statusAt(reset, platformTime(platform, clock.now())) }
}

async function pageOf(host: PageHost, request: FastifyRequest): Promise<HostedPage> {
  const token = tokenOf(request)
  const locale = localeOf(request)
  const opened = await open(host, token)
  if (!opened) return linkNotFound(locale)
  const { status, platform } = opened
  const { legalName: serviceName } = host.deps.settings
  const brand = await findBrand(host, platform)
  const { environment } = platform
  return scaResetView(locale, { status, environment, brand, serviceName, token })
}

/** False for an unknown link or action; a reset past this step stays as it is. */
async function submit(host: PageHost, request: FastifyRequest): Promise<boolean> {
  const opened = await open(host, tokenOf(request))
  if (!opened || traitsOf(opened.platform).decidesByItself) return false
  const { reset, platform, status } = opened
  if (status !== 'INITIATED') return true
  const resource = formatId('scaReset', reset.id)
  const actor = { kind: 'page', name: 'sca-reset', subjectId: resource } as const
  await host.inWork({ platform, actor, ...requestIds(request) }, async (work) => {
    const isMoved = await moveResetIfOpen(work, { resetId: reset.id, move: 'submit' })
    if (isMoved) audit(work, { action: 'sca-reset submit', resource })
  })
  return true
}
