/** A provider on loopback that a test plays: it keeps what it was sent, answers as it is told to, and reports. */
import assert from 'node:assert/strict'
import type http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { newUuid } from '../../../src/kernel/ids.ts'
import { signMessage, verifyMessage } from '../../../src/providers/http/sign-message.ts'
import { eventually } from '../eventually.ts'
import { text, type Body } from '../api.ts'
import type { Kit } from '../florin.ts'
import { operate } from '../operator.ts'
import { serveHttp } from './loopback-server.ts'

export type Received = Readonly<{
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  bytes: string
  body: Body
}>

/** A status with JSON, text as it is, or no answer at all. */
export type Reply =
  | Readonly<{ status?: number; json: unknown }>
  | Readonly<{ status?: number; html: string }>
  | 'hang'
  | 'reset'

export type ScriptedProvider = Readonly<{
  id: string
  secret: string
  received: readonly Received[]
  /** The orders that came, first attempts only. */
  orders(): readonly Body[]
  /** What it answers from now on; one function for all calls. */
  answer(reply: (call: Received) => Reply | Promise<Reply>): void
  /** The order of a payment, once it has come. */
  orderOf(transactionId: string): Promise<Body>
  post(path: string, body: unknown, messageId?: string): Promise<Body>
  report(order: Body, sequence: number, said: object): Promise<Body>
}>

const ACCEPTED: Reply = { json: { state: 'ACCEPTED', reference: 'A1' } }

/** Registers it by the operator's command. `options` are those of `providers add`, without name, kind and address. */
export async function scriptedProvider(kit: Kit, options: string): Promise<ScriptedProvider> {
  const { clock } = kit.florin.deps
  const received: Received[] = []
  let reply: (call: Received) => Reply | Promise<Reply> = ({ method, path }) =>
    method === 'POST'
      ? ACCEPTED
      : { status: 404, json: { state: 'NOT_FOUND', id: path.split('/')[2] } }
  const server = await serveHttp((request, response) => {
    void buffer(request).then(async (bytes) => {
      const call = {
        method: request.method ?? '',
        path: decodeURIComponent(request.url ?? ''),
        headers: request.headers,
        bytes: bytes.toString('utf8'),
        body: (bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : {}) as Body,
      }
      const signed = { headers: request.headers, body: bytes }
      assert.ok(verifyMessage(signed, { secrets: [secret], now: clock.now() }), 'signed')
      received.push(call)
      send(response, await reply(call))
    })
  })
  const name = `p-${newUuid().slice(24)}`
  const line = `providers add --name ${name} --kind http --url ${server.url} ${options}`
  const added = await operate(kit, line)
  const id = text(added['providerId'])
  const secret: string = text(added['secret'])
  await kit.florin.deps.providers.refresh()

  const orders = () => {
    const bodies = received.filter(({ path }) => path === '/orders').map(({ body }) => body)
    return [...new Map(bodies.map((body) => [text(body['id']), body])).values()]
  }
  const post: ScriptedProvider['post'] = async (path, body, messageId = newUuid()) => {
    const bytes = JSON.stringify(body)
    const headers = signMessage({ id: messageId, at: clock.now(), body: bytes }, [secret])
    const url = new URL(`/providers/${id}/${path}`, kit.baseUrl)
    const answer = await fetch(url, { method: 'POST', headers, body: bytes })
    return { status: answer.status, ...((await answer.json()) as object) } as unknown as Body
  }
  return {
    id,
    secret,
    received,
    orders,
    answer: (next) => void (reply = next),
    orderOf: (transactionId) =>
      eventually(() => {
        const found = orders().findLast((body) => text(body['transactionId']) === transactionId)
        assert.ok(found, `an order of ${transactionId} has come`)
        return found
      }),
    post,
    async report(order, sequence, said) {
      const at = clock.now().toISOString()
      const answer = await post('reports', {
        reports: [{ orderId: text(order['id']), sequence, at, ...said }],
      })
      return (answer['results'] as unknown as readonly Body[])[0] ?? answer
    },
  }
}

function send(response: http.ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  if (reply === 'reset') return void response.destroy()
  const isJson = 'json' in reply
  response.writeHead(reply.status ?? 200, {
    'content-type': isJson ? 'application/json' : 'text/html',
  })
  response.end(isJson ? JSON.stringify(reply.json) : reply.html)
}
