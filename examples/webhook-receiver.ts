/** A webhook receiver for as long as an example runs: verifies what arrives, and keeps it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook, WebhookSignatureError, type WebhookEvent } from '@florin/sdk'

export async function startWebhookReceiver(publicKey: string) {
  const seen = new Map<string, WebhookEvent>()
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const payload = Buffer.concat(await Array.fromAsync(request))
      const event = await verifyWebhook({ payload, headers: request.headers, publicKey })
      response.writeHead(seen.has(event.id) ? 409 : 204).end()
      seen.set(event.id, event)
    } catch (error) {
      response.writeHead(error instanceof WebhookSignatureError ? 401 : 500).end()
    }
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/florin`,
    /** Waits for the first event that fits. */
    async heard(fits: (event: WebhookEvent) => boolean): Promise<WebhookEvent> {
      for (;;) {
        const found = [...seen.values()].find(fits)
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
