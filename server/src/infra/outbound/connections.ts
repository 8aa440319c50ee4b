/** Outgoing connections, each with a separate client, so that a call knows the state of its connection. */
import type { Socket } from 'node:net'
import type { Client } from 'undici'
import type buildConnector from 'undici/lib/core/connect.js'

/** The last stage that a call reached on its connection. */
export type Reached = 'nothing' | 'connection' | 'secure connection' | 'kept connection' | 'answer'

export type Connection = { readonly client: Client; socket: Socket | undefined; reached: Reached }

export type Target = Readonly<{
  url: URL
  /** The address to connect to; the name in `url` is only sent to the server. */
  address: string
  /** Certificate authorities in PEM, in place of the public ones. */
  ca: string | undefined
}>

export type Connections = Readonly<{
  /** Calls on a new connection, which is closed with the call. */
  callOnce<T>(target: Target, call: (connection: Connection) => Promise<T>): Promise<T>
  /** Calls on a kept connection of an earlier call to the same target, or on a new one that is kept. */
  callOnKept<T>(target: Target, call: (connection: Connection) => Promise<T>): Promise<T>
  /** Closes idle connections. */
  close(): void
}>

/** Per host as many as concurrent webhooks of one platform, so that none is closed and opened again. */
const IDLE_MAX = 32

/** A server may announce a shorter time. */
const IDLE_MS = 30_000

export function createConnections(): Connections {
  const idle = new Map<string, Connection[]>()
  const open = createOpen()
  let closed = false

  const forget = (key: string, connection: Connection): void => {
    const left = idle.get(key)?.filter((other) => other !== connection) ?? []
    if (left.length === 0) idle.delete(key)
    else idle.set(key, left)
  }
  const openKept = async (key: string, target: Target): Promise<Connection> => {
    const connection = await open(target, { pipelining: 1 })
    connection.client.on('disconnect', () => forget(key, connection))
    return connection
  }
  const keep = (key: string, connection: Connection): void => {
    const others = idle.get(key) ?? []
    if (closed || connection.socket?.destroyed !== false || others.length >= IDLE_MAX) {
      endConnection(connection)
      return
    }
    connection.reached = 'kept connection'
    idle.set(key, others)
    others.push(connection)
  }

  return {
    async callOnce(target, call) {
      const connection = await open(target, { pipelining: 0 })
      try {
        return await call(connection)
      } finally {
        endConnection(connection)
      }
    },
    async callOnKept(target, call) {
      const key = `${target.url.origin} ${target.address} ${target.ca ?? ''}`
      const connection = idle.get(key)?.pop() ?? (await openKept(key, target))
      try {
        return await call(connection)
      } finally {
        keep(key, connection)
      }
    },
    close() {
      closed = true
      for (const connection of [...idle.values()].flat()) endConnection(connection)
    },
  }
}

/** Also ends a connection that is still being opened, for which the client alone would wait. */
export function endConnection({ client, socket }: Connection): void {
  socket?.destroy()
  void client.destroy()
}

/** With `pipelining: 0` the connection is closed after the first request. */
type Open = (target: Target, options: { pipelining: 0 | 1 }) => Promise<Connection>

const loadParts = () =>
  Promise.all([import('undici/lib/dispatcher/client.js'), import('undici/lib/core/connect.js')])

function createOpen(): Open {
  // Each connector caches TLS sessions by name, which makes a second connection cheaper.
  const connectors = new Map<string | undefined, ReturnType<typeof buildConnector>>()

  return async ({ url, address, ca }, { pipelining }) => {
    const [{ default: Client }, { default: build }] = await loadParts()
    const connectTo = connectors.get(ca) ?? build({ ca, allowH2: false, timeout: 0 })
    connectors.set(ca, connectTo)
    const isSecure = url.protocol === 'https:'
    const client = new Client(url.origin, {
      pipelining,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // The call has one time limit for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect(options, callback) {
        connection.reached = 'nothing'
        // The name is used for TLS only; the connection goes to the address.
        const { servername, ...rest } = options
        connection.socket = connectTo(
          { ...rest, hostname: address, ...(isSecure && servername && { servername }) },
          callback,
        )
          .once('connect', () => (connection.reached = 'connection'))
          .once('secureConnect', () => (connection.reached = 'secure connection'))
      },
    })
    const connection: Connection = { client, socket: undefined, reached: 'nothing' }
    return connection
  }
}
