/**
 * Endpoints that answer 200 at once, in a process of their own. Its parent learns their ports, and then, each time it names
 * a count, when so many events have arrived.
 *
 * They spend as little as possible, since they share the cores with what is measured: of a request they read its length
 * and what `note` looks for.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { cutMessage } from '../http-client.ts'

/** How long after the question each event arrived, and how many came before an earlier one of their resource. */
export type Arrivals = Readonly<{ afterMs: readonly number[]; outOfOrder: number }>

const PLACE = /"resource":"([^"]+)","place":(\d+)/

let expected = Infinity
let askedMs = 0
let afterMs: number[] = []
let outOfOrder = 0
const places = new Map<string, number>()

function note(body: string): void {
  const [, resource = '', place] = PLACE.exec(body) ?? []
  if (Number(place) < (places.get(resource) ?? 0)) outOfOrder += 1
  places.set(resource, Number(place))
  afterMs.push(performance.now() - askedMs)
  if (afterMs.length === expected) process.send?.({ afterMs, outOfOrder } satisfies Arrivals)
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

function serve(socket: Socket): void {
  let received: Buffer = Buffer.alloc(0)
  socket.setNoDelay().on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    for (let message = cutMessage(received); message; message = cutMessage(received)) {
      received = message.rest
      socket.write(ANSWER)
      note(message.body.toString('latin1'))
    }
  })
}

async function listen(): Promise<number> {
  const server = createServer(serve)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

process.on('message', (count: number) => {
  ;[expected, askedMs, afterMs, outOfOrder] = [count, performance.now(), [], 0]
})
process.on('disconnect', () => process.exit(0))
const [, , count] = process.argv
process.send?.(await Promise.all(Array.from({ length: Number(count) }, listen)))
