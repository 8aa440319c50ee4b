import type { Deps } from '../../infra/deps.ts'
import type { Reply } from '../../infra/http/reply.ts'
import type { Platform } from '../../kernel/platform.ts'
import { NUMBER_PATTERN, type EventStreamQuery } from './schema.ts'
import { openStream, type Resumption } from '../../webhooks/stream/open-stream.ts'
import { streamEvents as framesOf } from '../../webhooks/stream/stream-events.ts'

const NUMBER = new RegExp(NUMBER_PATTERN)

export type StreamRequest = Readonly<{
  headers: Readonly<Record<string, string | undefined>>
  query: EventStreamQuery
}>

const HEADER = 'Last-Event-ID'

export const checkStreamHeaders = ({ headers }: Pick<StreamRequest, 'headers'>) => {
  const number = headers[HEADER.toLowerCase()] ?? ''
  return number === '' || NUMBER.test(number)
    ? []
    : [{ field: HEADER, message: 'must be the number of an event' }]
}

/** A reader that comes back sends the header beside the query of its first request, so the header is the newer one. */
function resumptionOf({ headers, query }: StreamRequest): Resumption | undefined {
  const number = headers[HEADER.toLowerCase()]
  if (number) return { after: BigInt(number), field: HEADER }
  return query.after === undefined ? undefined : { after: BigInt(query.after), field: 'after' }
}

/** The platform's events as they happen (HOOK-100). Fails: INVALID_INPUT, SERVICE_UNAVAILABLE. */
export async function streamEvents(
  deps: Deps,
  platform: Platform,
  request: StreamRequest,
): Promise<Reply<200, undefined>> {
  const after = await openStream(deps, platform.id, resumptionOf(request))
  return {
    status: 200,
    stream: (signal) => framesOf(deps, { platformId: platform.id, after }, signal),
  }
}
