import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Connection = Readonly<{
  /** Sends one request and answers its status; the body is read and dropped unless asked for. */
  send(request: Buffer): Promise<{ status: number; body: Buffer }>
  close(): void
}>

const END_OF_HEAD = Buffer.from('\r\n\r\n')

type Message = Readonly<{ head: string; body: Buffer; rest: Buffer }>

/** The first whole message and what follows it. Its body is as long as its content-length says, as ours are. */
export function cutMessage(received: Buffer): Message | undefined {
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const start = headEnd + END_OF_HEAD.length
  const end = start + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < end) return undefined
  return { head, body: received.subarray(start, end), rest: received.subarray(end) }
}

/** A request as bytes, made once and sent many times. */
export function requestBytes(options: {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}): Buffer {
  const body = options.body === undefined ? '' : JSON.stringify(options.body)
  const headers = {
    host: '127.0.0.1',
    ...(body && { 'content-type': 'application/json' }),
    ...(options.method !== 'GET' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...options.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${options.method} ${options.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * One keep-alive connection that spends as little as possible: the generator shares the cores with what it measures.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let waiting:
    | {
        resolve: (answer: { status: number; body: Buffer }) => void
        reject: (error: Error) => void
      }
    | undefined

  const answered = (): void => {
    if (!waiting) return
    const message = cutMessage(received)
    if (!message) return
    const { resolve } = waiting
    const { head, body, rest } = message
    received = rest
    waiting = undefined
    resolve({ status: Number(head.slice(9, 12)), body })
  }
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    answered()
  })
  socket.on('close', () => waiting?.reject(new Error('connection closed')))
  socket.on('error', (error) => waiting?.reject(error))
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}
