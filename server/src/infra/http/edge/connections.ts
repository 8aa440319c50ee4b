import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SECOND_MS } from '../../../kernel/clock.ts'
import type { Deps } from '../../deps.ts'

/** Where the system does not say how many files a process may open. */
const DESCRIPTORS_DEFAULT = 1_024
/** Kept for files, outgoing calls, the admin listener and what the runtime opens itself. */
const DESCRIPTORS_RESERVED = 96
const CONNECTIONS_MIN = 32
/** Connections that are accepted while room is made for them. */
const MARGIN = 16

/** How many connections the API may have without taking descriptors from the database and the disk. */
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

/** A request that has begun to arrive may do so for this long after the service began to stop. */
const LAST_REQUESTS_MS = SECOND_MS

/**
 * Sockets without a request, in the order in which they became so. They end when the service stops: Node waits for ever
 * for one that never sent a whole request, as browsers open them in advance.
 */
export function watchIdle(app: FastifyInstance): ReadonlySet<Socket> {
  const idle = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket: Socket) => {
    if (isClosing) socket.destroy()
    idle.add(socket)
    socket.once('close', () => idle.delete(socket))
  })
  // Without a promise, since the hook behind it has to run before the parser goes on.
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
 * Bounds the connections of the API. Where there are too many, the one that has been without a request the longest
 * makes room, so that idle connections shut nobody out.
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
