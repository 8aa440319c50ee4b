import { openPage } from '../../infra/http/paging.ts'
import { listRequests as listLogged, type RequestLine } from '../../infra/request-log/store.ts'
import type { Work } from '../../infra/work/work.ts'
import { toWireTime } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/page.ts'
import type { LoggedRequest, RequestListQuery } from './schema.ts'

const EVERY = {
  method: null,
  path: null,
  statuses: null,
  actor: null,
  requestId: null,
  period: {},
}

/** What the platform asked and how it was answered, newest first (OPER-157). Fails: INVALID_INPUT on a cursor of another list. */
export async function listRequests(
  work: Work,
  query: RequestListQuery,
): Promise<Page<LoggedRequest>> {
  const { tx, platform } = work
  const paging = openPage(work, { list: 'requests', query })
  const [before = null] = paging.after ?? []
  const found = await listLogged(tx, {
    ...EVERY,
    platformIds: [platform.id],
    before,
    limit: paging.fetch,
  })
  return paging.page(found, { item: requestToWire, position: ({ id }) => [id] })
}

export const requestToWire = (line: RequestLine): LoggedRequest => ({
  requestId: line.id,
  ...(line.clientRequestId !== null && { clientRequestId: line.clientRequestId }),
  at: toWireTime(line.at),
  method: line.method,
  path: line.path,
  ...(line.operation !== null && { operation: line.operation }),
  status: line.status,
  durationMs: line.durationMs,
  ...(line.actor !== null && { actor: line.actor }),
  ...(line.idempotencyKey !== null && { idempotencyKey: line.idempotencyKey }),
  ...(line.error !== null && { error: line.error }),
})
