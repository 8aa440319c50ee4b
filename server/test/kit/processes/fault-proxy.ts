/** Stands between two HTTP parties and, by seed, is the network and the proxies that fail (PROV-153). */
import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { serveHttp } from '../outside/loopback-server.ts'
import { randomFrom } from '../random/random-from.ts'

export const FAULTS = [
  'DROP_REQUEST',
  'DROP_ANSWER',
  'DELAY',
  'REPEAT',
  'ERROR',
  'ERROR_AFTERWARDS',
  'HTML_404',
  'CUT',
  'CORRUPT',
  'REORDER',
  'KILL_CALLER',
  'KILL_TARGET',
] as const

export type Fault = (typeof FAULTS)[number]

/** Ends a party by force; false where it has to live on. */
type Kill = () => boolean

type Options = Readonly<{
  /** The party behind the proxy. */
  target: string
  seed: number
  /** Of a hundred calls so many meet a fault. */
  percent: number
  faults?: readonly Fault[]
  delayMsMax?: number
  killCaller?: Kill
  killTarget?: Kill
}>

type Call = Readonly<{
  method: string
  path: string
  headers: http.OutgoingHttpHeaders
  body: Buffer
}>
type Answer = Readonly<{ status: number; headers: http.IncomingHttpHeaders; body: Buffer }>

const lives: Kill = () => false

/** The calls of one seed meet the same faults in the same order of arrival. */
export async function startFaultProxy({
  target,
  seed,
  percent,
  faults = FAULTS,
  delayMsMax = 1_000,
  killCaller = lives,
  killTarget = lives,
}: Options) {
  const random = randomFrom(seed)
  const met: Fault[] = []
  const overtaken: (() => void)[] = []
  const parties = { target, killCaller, killTarget }
  let isHealthy = false
  const nextFault = (): Fault | undefined => {
    const isMet = random(100) < percent
    const fault = faults[random(faults.length)]
    return isMet && !isHealthy ? fault : undefined
  }
  /** Until another call has passed, or as long as a delay may take. */
  const untilOvertaken = (): Promise<void> =>
    Promise.race([
      new Promise<void>((resolve) => overtaken.push(resolve)),
      delay(delayMsMax, undefined, { ref: false }),
    ])
  const { url } = await serveHttp((request, response) => {
    const fault = nextFault()
    if (fault) met.push(fault)
    const waitMs = random(delayMsMax)
    const waits = { DELAY: () => delay(waitMs), REORDER: untilOvertaken }
    const held = fault === 'DELAY' || fault === 'REORDER' ? waits[fault]() : Promise.resolve()
    meet({ parties, fault, held }, request, response)
      .catch(() => request.socket.destroy())
      .finally(() => fault === 'REORDER' || overtaken.shift()?.())
  })
  return {
    url,
    /** What calls have met so far. */
    met: (): readonly Fault[] => met,
    /** Whether every call passes from now on. */
    setHealthy: (healthy: boolean) => void (isHealthy = healthy),
    /** The party behind the proxy has another address from now on. */
    leadTo: (address: string) => void (parties.target = address),
  }
}

type Meeting = Readonly<{
  parties: { target: string; killCaller: Kill; killTarget: Kill }
  fault: Fault | undefined
  held: Promise<unknown>
}>

async function meet(
  { parties, fault, held }: Meeting,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = request
  const body = await buffer(request)
  const call = { method, path, headers, body: fault === 'CORRUPT' ? corrupted(body) : body }
  if (fault === 'DROP_REQUEST') return void request.socket.destroy()
  if (fault === 'ERROR') return send(response, errorAnswer)
  if (fault === 'HTML_404') return send(response, htmlAnswer)
  await held
  if (fault === 'REPEAT') await forward(parties.target, call)
  const forwarded = forward(parties.target, call)
  // It may have read the call by then, or not.
  if (fault === 'KILL_TARGET') setImmediate(parties.killTarget)
  const answer = await forwarded
  if (fault === 'KILL_CALLER') parties.killCaller()
  if (fault && LOST.includes(fault)) return void request.socket.destroy()
  if (fault === 'ERROR_AFTERWARDS') return send(response, errorAnswer)
  if (fault === 'CUT') return cut(request, response, answer)
  return send(response, answer)
}

/** The target has answered, and nobody hears it. */
const LOST: readonly Fault[] = ['DROP_ANSWER', 'KILL_CALLER', 'KILL_TARGET']

/** One byte in the middle is another one, so that no signature fits. */
function corrupted(body: Buffer): Buffer {
  const changed = Buffer.from(body)
  const middle = Math.floor(changed.length / 2)
  if (changed.length > 0) changed.writeUInt8(changed.readUInt8(middle) ^ 1, middle)
  return changed
}

const answerOf = (status: number, type: string, text: string) => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(text),
})

const errorAnswer = answerOf(500, 'application/json', '{"message":"on purpose"}')
const htmlAnswer = answerOf(404, 'text/html', '<h1>Not found</h1>')

async function forward(target: string, { method, path, headers, body }: Call) {
  const { host } = new URL(target)
  const length = body.length > 0 ? { 'content-length': body.length } : {}
  const request = http.request(`${target}${path}`, {
    method,
    headers: { ...headers, host, connection: 'close', ...length },
  })
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end(body)
  })
  const { statusCode = 0 } = response
  return { status: statusCode, headers: response.headers, body: await buffer(response) }
}

const headersOf = ({ headers, body }: Answer): http.OutgoingHttpHeaders => ({
  'content-type': headers['content-type'] ?? 'application/json',
  'content-length': body.length,
})

function send(response: http.ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body)
}

/** The head and half of the body arrive. */
function cut(
  { socket }: http.IncomingMessage,
  response: http.ServerResponse,
  answer: Answer,
): void {
  const half = answer.body.subarray(0, Math.floor(answer.body.length / 2))
  response.writeHead(answer.status, headersOf(answer))
  response.write(half, () => socket.destroy())
}
