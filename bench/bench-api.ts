import { randomUUID } from 'node:crypto'
import { API_VERSION } from '../server/src/infra/http/api-version.ts'
import type { Served } from './service/checkout.ts'
import { openConnection, requestBytes, type Connection } from './http-client.ts'

export type Body = Readonly<Record<string, unknown>>

/** Requests to our service over connections of its own; each write under a key of its own. */
export type Api = Readonly<{
  /** Spread over the processes of the service. */
  connect(count: number): Promise<Connection[]>
  send(connection: Connection, method: string, path: string, body?: unknown): Promise<Buffer>
  call(method: string, path: string, body?: unknown): Promise<Body>
  close(): void
}>

export async function openApi({ origin, neighbours, credentials }: Served): Promise<Api> {
  const { clientId, clientSecret } = credentials
  const ports = [origin, ...neighbours].map((one) => Number(new URL(one).port))
  const portOf = (place: number): number => ports[place % ports.length] as number
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const own = await openConnection(portOf(0))

  const send: Api['send'] = async (connection, method, path, body) => {
    const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() }
    const headers = { authorization, ...key }
    const request = requestBytes({ method, path: `/${API_VERSION}${path}`, headers, body })
    const answer = await connection.send(request)
    if (answer.status < 300) return answer.body
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.toString('utf8')}`)
  }
  return {
    connect: (count) =>
      Promise.all(Array.from({ length: count }, (_, n) => openConnection(portOf(n)))),
    send,
    call: async (method, path, body) =>
      JSON.parse((await send(own, method, path, body)).toString('utf8')) as Body,
    close: () => own.close(),
  }
}
