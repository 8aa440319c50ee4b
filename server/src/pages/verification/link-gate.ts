/** Checks of every request to a link: its rate limit, and that it comes from the page itself. */
import type { FastifyRequest } from 'fastify'
import { fail } from '../../kernel/errors.ts'
import { countLinkRequest } from '../../features/verifications/index.ts'
import { requestIds } from '../../infra/work/request-ids.ts'
import type { PageHost } from '../page-host.ts'
import { findVisit, mustBeOpen, type Visit } from './applicant.ts'
import type { Act } from './applicant-actions.ts'

export type LinkGate = Readonly<{
  /** Fails: FORBIDDEN, KYC_LINK_NOT_FOUND, RATE_LIMITED, KYC_LINK_USED, KYC_LINK_EXPIRED. */
  enter(request: FastifyRequest): Promise<Act>
}>

export function createLinkGate(host: PageHost): LinkGate {
  const { db, clock } = host.deps
  return {
    async enter(request) {
      refuseOtherSites(request)
      const visit: Visit = await findVisit(host, request)
      await countLinkRequest({ tx: db.read, now: clock.now() }, visit.link)
      await mustBeOpen(host, visit)
      return { host, visit, ...requestIds(request) }
    },
  }
}

/**
 * A form on another site could post a visitor's data to a link that the site's author holds. Browsers state where a
 * request comes from; clients that do not are no browsers, and need no protection.
 */
function refuseOtherSites({ method, headers }: FastifyRequest): void {
  const from = headers['sec-fetch-site']
  const isOwn = from === undefined || from === 'same-origin' || from === 'none'
  if (method !== 'GET' && method !== 'HEAD' && !isOwn) {
    fail('FORBIDDEN', { reason: 'CROSS_SITE' })
  }
}
