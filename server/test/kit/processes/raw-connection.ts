import assert from 'node:assert/strict'
import { connect } from 'node:net'

/** One answer as it came, without help from any client. */
export type RawAnswer = Readonly<{
  status: number
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  body: string
}>

export type RawConnection = Readonly<{
  send(text: string): void
  /** Once anything has come back. */
  heard(): Promise<void>
  /** All answers, once the other side has closed. */
  answers(): Promise<RawAnswer[]>
}>

/** A connection on which anything may be sent, as no client would. */
export async function rawConnection(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const heard = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  // A refusal in the middle of a message may reset the connection after the answer.
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    send: (text) => void socket.write(text, 'latin1'),
    heard: () => heard,
    async answers() {
      await ended
      return answersIn(Buffer.concat(chunks))
    },
  }
}

function answersIn(bytes: Buffer): RawAnswer[] {
  if (bytes.length === 0) return []
  const headEnd = bytes.indexOf('\r\n\r\n')
  assert.ok(headEnd > 0, bytes.toString())
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ')
      return [name.toLowerCase(), value.join(': ')]
    }),
  )
  const bodyEnd = headEnd + 4 + Number(headers.get('content-length') ?? 0)
  const body = bytes.subarray(headEnd + 4, bodyEnd).toString()
  return [
    { status: Number(first.split(' ')[1]), headers, body },
    ...answersIn(bytes.subarray(bodyEnd)),
  ]
}
