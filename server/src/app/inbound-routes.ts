import type { FastifyInstance } from 'fastify'
import {
  authorizationRoute,
  cardEventRoute,
  type AuthorizationRouteDeps,
} from '../features/cards/index.ts'
import { takeDeposit } from '../features/deposits/index.ts'
import { batchRoute, createReceiver, type InboundRoute } from '../features/providers/index.ts'
import { priceRoute } from '../features/rates/index.ts'
import { listRoute, takeAlert } from '../features/screening/index.ts'
import { renewDocumentLinks } from '../features/verifications/index.ts'
import type { Deps } from '../infra/deps.ts'
import { EVERY_ANSWER, JSON_TYPE } from '../infra/http/reply.ts'
import type { RouteConfig } from '../infra/http/log-request.ts'
import { inWork } from '../infra/work/in-work.ts'
import type { Work, WorkFor } from '../infra/work/work.ts'
import { requestIds } from '../infra/work/request-ids.ts'
import { takeReport, type Report } from '../orders/index.ts'
import {
  AlertSchema,
  DepositSchema,
  DocumentLinksSchema,
} from '../providers/http/messages/pushes.ts'
import { ReportSchema } from '../providers/http/messages/reports.ts'
import { orderKinds } from '../operator/commands/providers/order-kinds.ts'

/** Everything that providers may send, under `/providers/{providerId}` (chapter 44, section 3). */
const inboundRoutes = (decides: AuthorizationRouteDeps): readonly InboundRoute[] => [
  authorizationRoute(decides),
  cardEventRoute,
  priceRoute,
  {
    ...batchRoute({
      path: 'reports',
      list: 'reports',
      item: ReportSchema,
      take: ({ deps, provider }, report) =>
        takeReport({ deps, kinds: orderKinds }, provider, report as Report),
    }),
    orderIdsIn: (body) =>
      (body as { reports: (Partial<Report> | null)[] }).reports.map((one) => String(one?.orderId)),
  },
  batchRoute({ path: 'deposits', list: 'deposits', item: DepositSchema, take: takeDeposit }),
  listRoute,
  batchRoute({ path: 'alerts', list: 'alerts', item: AlertSchema, take: takeAlert }),
  {
    path: 'document-links',
    body: DocumentLinksSchema,
    orderIdsIn: (body) => [(body as { orderId: string }).orderId],
    take: (inbound, body) => renewDocumentLinks(inbound, body as { orderId: string }),
  },
]

type Inbounds = Readonly<{
  deps: Deps
  wrongCalls: Parameters<typeof createReceiver>[1]
  decides: AuthorizationRouteDeps
}>

/** Outside the version path, and authenticated by signature instead of an API token. */
export function addInboundRoutes(
  http: FastifyInstance,
  { deps, wrongCalls, decides }: Inbounds,
): void {
  const host = {
    deps,
    inWork: <T>(options: WorkFor, body: (work: Work) => Promise<T>) => inWork(deps, options, body),
  }
  const receive = createReceiver(host, wrongCalls)
  for (const route of inboundRoutes(decides)) {
    const config: RouteConfig = { operationId: `provider ${route.path}`, isSigned: true }
    http.post(`/providers/:providerId/${route.path}`, { config }, async (request, reply) => {
      const { providerId } = request.params as { providerId: string }
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { headers, ip } = request
      const call = { ...requestIds(request), providerId, headers, rawBody, ip }
      const answer = await receive(route, call)
      return reply.headers(EVERY_ANSWER).type(JSON_TYPE).send(JSON.stringify(answer))
    })
  }
}
