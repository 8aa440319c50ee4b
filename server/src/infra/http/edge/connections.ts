import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
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

/**
 * Bounds the connections of the API. Where there are too many, the one that has been without a request the longest
 * makes room, so that idle connections shut nobody out.
 */
export function limitConnections(app: FastifyInstance, { settings }: Pick<Deps, 'settings'>): void {
  const max = connectionsMax(settings)
  const server = app.server as Server
  server.maxConnections = max + MARGIN
  /** Sockets without a request, in the order in which they became so. */
  const idle = new Set<Socket>()
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
    })
    if (open > max) idle.values().next().value?.destroy()
  })
  // Without a promise, since the hook behind it has to run before the parser goes on.
  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    idle.delete(socket)
    reply.raw.once('close', () => socket.destroyed || idle.add(socket))
    done()
  })
}
