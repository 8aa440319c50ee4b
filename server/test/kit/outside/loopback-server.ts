/** Servers on loopback for tests of outgoing calls: they count connections and close after the test. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import type { TestCertificate } from './self-signed-certificate.ts'

export type LoopbackServer = Readonly<{ port: number; url: string; connections(): number }>

export function serveHttp(handler: http.RequestListener): Promise<LoopbackServer> {
  return listen(http.createServer(handler), 'http')
}

export function serveHttps(
  handler: http.RequestListener,
  { certificatePem, privateKeyPem }: TestCertificate,
): Promise<LoopbackServer> {
  const server = https.createServer({ cert: certificatePem, key: privateKeyPem }, handler)
  return listen(server, 'https')
}

/** Speaks no protocol of its own: the handler writes the bytes. */
export function serveBytes(handler: (socket: net.Socket) => void): Promise<LoopbackServer> {
  return listen(net.createServer(handler), 'http')
}

async function listen(server: net.Server, scheme: string): Promise<LoopbackServer> {
  const sockets = new Set<net.Socket>()
  let connections = 0
  server.on('connection', (socket: net.Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    connections: () => connections,
  }
}
