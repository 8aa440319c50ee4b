/**
 * Loaded into a service before its own code, of whatever commit. Asked by its parent, it answers what the process has
 * spent so far, and for how long the event loop stood still at most since it was last asked.
 */
import { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export type Probed = Readonly<{ cpuUs: number; roundTrips: number; longestDelayMs: number }>

const databasePort = Number(new URL(process.env['DATABASE_URL'] ?? '').port)
let roundTrips = 0

/** The service sends all statements of a round trip by one write. */
const { _write: send } = Socket.prototype
Socket.prototype._write = function counted(this: Socket, ...args: Parameters<typeof send>): void {
  if (this.remotePort === databasePort) roundTrips += 1
  send.apply(this, args)
}

const loop = monitorEventLoopDelay({ resolution: 5 })
loop.enable()
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const longestDelayMs = Math.round(loop.max / 1e6)
  const probed: Probed = { cpuUs: user + system, roundTrips, longestDelayMs }
  process.send?.(probed)
  loop.reset()
})
