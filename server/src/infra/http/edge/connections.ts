import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../../kernel/clock.ts'
import type { Deps } from '../../deps.ts'

/** Assumed where the system does not report the limit of open files. */
const DESCRIPTORS_DEFAULT = 1_024
/** Reserved for files, outgoing calls, the admin listener and the runtime itself. */
const DESCRIPTORS_RESERVED = 96
const CONNECTIONS_MIN = 32
/** Connections that are accepted while room is made for them. */
const MARGIN = 16

/** The most connections of the API that leave enough descriptors for the database and the disk. */
export function connectionsMax(
  { databasePoolSize }: Deps['settings'],
  limits = readLimits(),
): number {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  const descriptors = soft === undefined ? DESCRIPTORS_DEFAULT : Number(soft)
  return Math.max(CONNECTIONS_MIN, descriptors - DESCRIPTORS_RESERVED - databasePoolSize - MARGIN)
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Not Linux: the default holds.
    return ''
  }
}

/** The time for requests that are still arriving when the service begins to stop. */
const LAST_REQUESTS_MS = SECOND_MS

/**
 * Sockets without a request, the longest idle first. They are closed when the service stops, because Node waits for ever
 * for a socket that never sent a whole request, such as browsers open in advance.
 */
export function watchIdle(app: FastifyInstance): ReadonlySet<Socket> {
  const idle = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket: Socket) => {
    if (isClosing) socket.destroy()
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  // Not async, because the hook behind it has to run before the parser continues.
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    // A request from inside the process has no connection.
    if (idle.delete(socket)) reply.raw.once('close', () => socket.destroyed || idle.add(socket))
    done()
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of idle) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => idle.forEach((socket) => socket.destroy()), LAST_REQUESTS_MS).unref()
  })
  return idle
}

/**
 * Limits the connections of the API. With too many, the longest idle one is closed, so that idle connections do not keep
 * clients out.
 */
export function limitConnections(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): void {
  const max = connectionsMax(settings)
  const server = app.server as Server
  server.maxConnections = max + MARGIN
  const idle = watchIdle(app)
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
    if (open > max) idle.values().next().value?.destroy()
  })
}
