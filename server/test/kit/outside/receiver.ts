import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Delivery = Readonly<{
  headers: IncomingMessage['headers']
  raw: Buffer
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown> }
}>

type Respond = (delivery: Delivery, response: ServerResponse) => void

/** A webhook receiver on loopback that keeps what it was sent and answers as told. */
export async function startReceiver() {
  const deliveries: Delivery[] = []
  let respond: Respond = (_delivery, response) => void response.writeHead(200).end('ok')
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = Buffer.concat(await Array.fromAsync(request))
    const delivery = {
      headers: request.headers,
      raw,
      event: JSON.parse(raw.toString()) as Delivery['event'],
    }
    deliveries.push(delivery)
    respond(delivery, response)
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    /** The types received so far, TEST left out. */
    types: () => deliveries.map(({ event }) => event.type).filter((type) => type !== 'TEST'),
    ofType: (type: string) => deliveries.filter(({ event }) => event.type === type),
    answer(status: number, body = '') {
      respond = (_delivery, response) => void response.writeHead(status).end(body)
    },
    answerWith(how: Respond) {
      respond = how
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
