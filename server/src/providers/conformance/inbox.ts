/** Stands for the service's inbound addresses: takes what the provider sends and judges its form. */
import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { newUuid } from '../../kernel/ids.ts'
import { systemClock } from '../../kernel/clock.ts'
import { bodyValidator, type Validator } from '../../infra/http/schema/validate.ts'
import { FROM_PROVIDER } from '../http/messages/protocol-messages.ts'
import { verifyMessage } from '../http/sign-message.ts'
import { CaseFailure, shown } from './verdict.ts'

/** One call of the provider. */
export type Push = Readonly<{ path: string; text: string; body: Readonly<Record<string, unknown>> }>

/** How a push is received: taken, answered 500, or without an answer. */
export type Reception = 'TAKE' | 'FAIL' | 'DROP'

export type Box = Readonly<{
  /** The inbound address of a provider: `{url}/reports` and its neighbours. */
  url: string
  pushes: readonly Push[]
  /** What the next pushes meet; they are taken unless a case says otherwise. */
  receiveBy(decide: (push: Push) => Reception): void
  /** Waits until something is found among the pushes; undefined when the time is over. */
  waitFor<T>(find: () => T | undefined, timeoutMs: number): Promise<T | undefined>
}>

export type Inbox = Readonly<{ openBox(): Box; close(): Promise<void> }>

const VALIDATORS: ReadonlyMap<string, Validator> = new Map(
  FROM_PROVIDER.flatMap(({ path, body }) => (body ? [[path, bodyValidator(body)]] : [])),
)

type OpenBox = Box & Readonly<{ take(push: Push): Reception; complain(problem: string): void }>

export async function openInbox(secrets: readonly string[]): Promise<Inbox> {
  const boxes = new Map<string, OpenBox>()
  const server = http.createServer((request, response) => {
    receive(request, response, { boxes, secrets }).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    openBox() {
      const path = `/providers/Provider:${newUuid()}`
      const box = newBox(`${origin}${path}`)
      boxes.set(path, box)
      return box
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function newBox(url: string): OpenBox {
  const pushes: Push[] = []
  const problems: string[] = []
  const changes = new EventEmitter()
  let decide: (push: Push) => Reception = () => 'TAKE'
  const check = (): void => {
    const [problem] = problems
    if (problem !== undefined) throw new CaseFailure('well-formed, signed messages', problem)
  }
  return {
    url,
    pushes,
    receiveBy: (how) => void (decide = how),
    take(push) {
      const reception = decide(push)
      pushes.push(push)
      changes.emit('change')
      return reception
    },
    complain(problem) {
      problems.push(problem)
      changes.emit('change')
    },
    async waitFor(find, timeoutMs) {
      const over = AbortSignal.timeout(timeoutMs)
      for (;;) {
        check()
        const found = find()
        if (found !== undefined || over.aborted) return found
        await once(changes, 'change', { signal: over }).catch(() => undefined)
      }
    },
  }
}

type Addressees = Readonly<{
  boxes: ReadonlyMap<string, OpenBox>
  secrets: readonly string[]
}>

async function receive(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { boxes, secrets }: Addressees,
): Promise<void> {
  const bytes = await buffer(request)
  const [, base = '', path = ''] = /^(\/providers\/[^/]+)(\/.*)$/.exec(request.url ?? '') ?? []
  const box = boxes.get(decodeURIComponent(base))
  if (!box) return answer(response, 404, { code: 'REFERENCE_NOT_FOUND' })
  const message = { headers: request.headers, body: bytes }
  if (verifyMessage(message, { secrets, now: systemClock.now() }) === undefined) {
    box.complain(`${path} without a valid signature`)
    return answer(response, 401, { code: 'INVALID_SIGNATURE' })
  }
  if (request.headers['content-type']?.startsWith('application/json') !== true) {
    box.complain(`${path} without Content-Type: application/json`)
    return answer(response, 415, { code: 'INVALID_REQUEST_FORMAT' })
  }
  const push = pushOf(path, bytes.toString('utf8'))
  if (typeof push === 'string') {
    box.complain(push)
    return answer(response, 400, { code: 'INVALID_INPUT', message: push })
  }
  const reception = box.take(push)
  if (reception === 'DROP') return void request.socket.destroy()
  if (reception === 'FAIL') return answer(response, 500, { code: 'INTERNAL_ERROR' })
  return answer(response, 200, accepted(push))
}

/** The push, or what is wrong with it. */
function pushOf(path: string, text: string): Push | string {
  const validate = VALIDATORS.get(path)
  if (!validate) return `a call of ${path}, which is none of ${[...VALIDATORS.keys()].join(', ')}`
  try {
    const body = JSON.parse(text) as Record<string, unknown>
    const [error] = validate(structuredClone(body))
    return error
      ? `${path}: ${error.field} ${error.message} in ${shown(text)}`
      : { path, text, body }
  } catch {
    return `${path} with a body that is not JSON: ${shown(text)}`
  }
}

function accepted({ path, body }: Push): unknown {
  if (path === '/authorizations') {
    return { decision: 'APPROVED', cardTransactionId: `CardTransaction:${newUuid()}` }
  }
  const items = Object.values(body).flatMap((list) => (Array.isArray(list) ? list : []))
  return { results: items.map(() => ({ result: 'APPLIED' })) }
}

function answer(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
