import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RecordedRequest } from '../../../src/infra/http/schema/examples/recorded-examples.ts'
import { isBetter, keyOf, type Exchange } from '../../../../tools/reference/examples/exchange.ts'

const SIGNATURE = 'service-wallet-signature'
const best = new Map<string, Exchange>()

/** Keeps the best exchange of each kind for `npm run record`, which names a folder. */
export function recordExchanges(http: FastifyInstance): void {
  if (process.env['RECORD_EXAMPLES'] === undefined) return
  http.addHook('onSend', async (request, reply, payload) => {
    const exchange = exchangeOf(request, reply, payload)
    if (exchange) keepExchange(exchange)
    return payload
  })
}

const fileName = `${randomUUID()}.ndjson`

/** For what does not pass the hook, such as the text of a stream. */
export function keepExchange(exchange: Exchange): void {
  const folder = process.env['RECORD_EXAMPLES']
  const known = best.get(keyOf(exchange))
  if (folder === undefined || (known && !isBetter(exchange, known))) return
  best.set(keyOf(exchange), exchange)
  appendFileSync(join(folder, fileName), `${JSON.stringify(exchange)}\n`)
}

function exchangeOf(
  { params, query, body, headers, routeOptions }: FastifyRequest,
  { statusCode }: FastifyReply,
  payload: unknown,
): Exchange | undefined {
  const { operationId } = routeOptions.config as { operationId?: string }
  const hasText = typeof payload === 'string' || payload === undefined
  if (operationId === undefined || !hasText) return undefined
  return {
    operationId,
    status: statusCode,
    // A refusal is shown without what led to it.
    request: statusCode < 400 ? requestOf({ params, query, body, headers }) : {},
    ...(payload !== undefined && { answer: JSON.parse(payload) as unknown }),
    isSample: /^curl\//.test(headers['user-agent'] ?? ''),
  }
}

type Sent = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>

const requestOf = ({ params, query, body, headers }: Sent): RecordedRequest => ({
  params: params as Record<string, string>,
  query: query as Record<string, string>,
  ...(Buffer.isBuffer(body) &&
    body.length > 0 && { body: JSON.parse(body.toString('utf8')) as unknown }),
  ...(headers[SIGNATURE] !== undefined && { isSigned: true }),
})
