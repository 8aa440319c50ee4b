/** Calls the provider under test as the service would, and wrongly where a case asks for it. */
import http from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { newUuid } from '../../kernel/ids.ts'
import { addMs, SECOND_MS, systemClock } from '../../kernel/clock.ts'
import { signMessage } from '../http/sign-message.ts'

export type Reply = Readonly<{ status: number; text: string; json: unknown }>

/** What is other than usual in one call. */
export type Manner = Readonly<{
  secrets?: readonly string[]
  /** The timestamp, from now. */
  offsetSeconds?: number
  /** Headers as they were captured from another call, or changed ones. */
  headers?: (usual: Headers) => Headers
}>

export type Headers = Readonly<Record<string, string>>

type Call = Readonly<{
  method: 'GET' | 'POST'
  path: string
  messageId?: string
  body?: string
  manner?: Manner
}>

/** No answer by then is no answer (PROV-26). */
const TIMEOUT_MS = 10 * SECOND_MS

export type Target = Readonly<{ url: string; secrets: readonly string[] }>

export type ProviderClient = ReturnType<typeof createProviderClient>

export function createProviderClient({ url, secrets }: Target) {
  const signed = ({ messageId = newUuid(), body = '', manner = {} }: Call): Headers => {
    const at = addMs(systemClock.now(), (manner.offsetSeconds ?? 0) * SECOND_MS)
    const signers = manner.secrets ?? secrets.slice(0, 1)
    const usual = signMessage({ id: messageId, at, body }, signers)
    return manner.headers?.(usual) ?? usual
  }
  const call = (asked: Call): Promise<Reply | undefined> =>
    exchange(`${url}${asked.path}`, { ...asked, headers: signed(asked) })
  return {
    secrets,
    /** Undefined: no answer. */
    send: (messageId: string, body: string, manner?: Manner) =>
      call({ method: 'POST', path: '/orders', messageId, body, ...(manner && { manner }) }),
    /** The connection is cut as soon as the body is on its way. */
    sendAndCut: (messageId: string, body: string): Promise<void> =>
      cutAfterBody(`${url}/orders`, body, signed({ method: 'POST', path: '', messageId, body })),
    ask: (orderId: string) => call({ method: 'GET', path: `/orders/${orderId}` }),
    cancel: (orderId: string) => call({ method: 'POST', path: `/orders/${orderId}/cancel` }),
    prices: () => call({ method: 'GET', path: '/prices' }),
  }
}

const begin = (address: string, method: string, headers: Headers): http.ClientRequest =>
  (address.startsWith('https:') ? https : http).request(address, { method, headers })

async function exchange(
  address: string,
  { method, headers, body = '' }: Call & Readonly<{ headers: Headers }>,
): Promise<Reply | undefined> {
  const request = begin(address, method, headers)
  const timer = setTimeout(() => request.destroy(), TIMEOUT_MS)
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject).end(body)
    })
    const text = (await buffer(response)).toString('utf8')
    return { status: response.statusCode ?? 0, text, json: parsed(text) }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Why no connection comes about, such as ECONNREFUSED; undefined where something listens, whatever it says. */
export function connectionFailure(url: string): Promise<string | undefined> {
  const request = begin(url, 'GET', {})
  return new Promise((resolve) => {
    request.setTimeout(TIMEOUT_MS, () => request.destroy())
    request.on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    request.on('response', (response) => {
      response.destroy()
      resolve(undefined)
    })
    request.end()
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function cutAfterBody(address: string, body: string, headers: Headers): Promise<void> {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const request = begin(address, 'POST', { ...headers, ...length })
  return new Promise((resolve) => {
    request.on('error', () => resolve())
    request.on('response', (response) => response.resume())
    request.write(body, () => {
      request.destroy()
      resolve()
    })
  })
}
