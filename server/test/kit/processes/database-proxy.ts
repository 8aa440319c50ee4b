/** Stands between the service and its database, to be the network that fails and the server that is promoted. */
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { after } from 'node:test'

export type DatabaseProxy = Readonly<{
  host: string
  /** Bytes are no longer passed on, in either direction; nobody is told. */
  pause(): void
  resume(): void
  /** How many have connected up to now. */
  connected(): number
}>

type ProxyOptions = Readonly<{
  /** The database that stands behind the proxy, whatever the client asks for; names of one length. */
  database?: string
}>

/** The startup packet is the first thing a client sends, and names the database in plain bytes. */
function renamed(packet: Buffer, from: string, to: string): Buffer {
  const at = packet.indexOf(from)
  if (at !== -1) packet.write(to, at, 'latin1')
  return packet
}

export async function openDatabaseProxy(
  databaseUrl: string,
  { database }: ProxyOptions = {},
): Promise<DatabaseProxy> {
  const { hostname, port, pathname } = new URL(databaseUrl)
  const sockets = new Set<net.Socket>()
  let isPaused = false
  let connected = 0
  const keep = (socket: net.Socket): net.Socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (isPaused) socket.pause()
    return socket
  }
  const server = net.createServer((client) => {
    connected += 1
    const upstream = keep(net.connect(Number(port), hostname))
    keep(client)
    client.once('data', (first: Buffer) => {
      upstream.write(database ? renamed(first, pathname.slice(1), database) : first)
      client.pipe(upstream)
    })
    upstream.pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pause() {
      isPaused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isPaused = false
      for (const socket of sockets) socket.resume()
    },
    connected: () => connected,
  }
}

/** The address of the database with other hosts in it. */
export function throughHosts(databaseUrl: string, ...hosts: readonly string[]): string {
  return databaseUrl.replace(/@[^/]+\//, `@${hosts.join(',')}/`)
}
