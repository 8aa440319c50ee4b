/** The page behind the `verificationLink` of a LIVENESS challenge (OWN-4, OWN-9). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatId } from '../../kernel/ids.ts'
import { platformTime, type Platform } from '../../kernel/platform.ts'
import { audit } from '../../infra/work/audit.ts'
import { requestIds } from '../../infra/work/request-ids.ts'
import { findPlatform } from '../../infra/platforms.ts'
import {
  LIVENESS_ACTIONS,
  addressOf,
  findExternalAccount,
  findLivenessCheck,
  livenessActions,
  livenessState,
  takeLivenessCheck,
} from '../../features/external-accounts/index.ts'
import { findBrand } from '../branding/brand.ts'
import { backTo, sendPage, type HostedPage } from '../hosted-page.ts'
import { localeOf } from '../language/locale.ts'
import type { PageHost } from '../page-host.ts'
import { linkNotFound, livenessView } from './liveness-view.ts'

export function registerLivenessPage(http: FastifyInstance, host: PageHost): void {
  http.get('/liveness', async (request, reply) => sendPage(reply, await pageOf(host, request)))
  http.post('/liveness/:action', async (request, reply) => {
    const isDone = await act(host, request)
    const locale = localeOf(request)
    if (!isDone) return sendPage(reply, linkNotFound(locale))
    return backTo(reply, locale.keep(`../liveness?token=${encodeURIComponent(tokenOf(request))}`))
  })
}

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

async function open({ deps }: PageHost, token: string) {
  const check = await findLivenessCheck(deps.db.read, token)
  const platform = check && (await findPlatform(deps.db.read, check.platformId))
  return check && platform ? { check, platform } : undefined
}

async function pageOf(host: PageHost, request: FastifyRequest): Promise<HostedPage> {
  const token = tokenOf(request)
  const locale = localeOf(request)
  const opened = await open(host, token)
  if (!opened) return linkNotFound(locale)
  const { check, platform } = opened
  const { db, keyring, clock, settings } = host.deps
  const reading = { tx: db.read, platform, keyring }
  const account = await findExternalAccount(reading, check.externalAccountId)
  return livenessView(locale, {
    state: livenessState(check, platformTime(platform, clock.now())),
    environment: platform.environment,
    brand: await findBrand(host, platform),
    serviceName: settings.legalName,
    publicUrl: settings.publicUrl,
    address: account && addressOf(account),
    token,
  })
}

/** False for an unknown link or action. */
async function act(host: PageHost, request: FastifyRequest): Promise<boolean> {
  const { action } = request.params as { action: string }
  const known = LIVENESS_ACTIONS.find((one) => one === action)
  const opened = await open(host, tokenOf(request))
  if (!known || !opened || !livenessActions(opened.platform.environment).includes(known)) {
    return false
  }
  const { externalAccountId, id: challengeId } = opened.check
  const resource = formatId('externalAccount', externalAccountId)
  await host.inWork(visitOf(request, opened.platform, resource), async (work) => {
    const isTaken = await takeLivenessCheck(work, { externalAccountId, challengeId }, known)
    if (isTaken) audit(work, { action: `liveness ${known}`, resource })
  })
  return true
}

const visitOf = (request: FastifyRequest, platform: Platform, subjectId: string) => ({
  platform,
  actor: { kind: 'page', name: 'liveness', subjectId } as const,
  ...requestIds(request),
})
