import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import { createInterface } from 'node:readline'

export const SERVER = join(import.meta.dirname, '../../../src/bin/server.ts')
const READY_MS = 60_000

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export type ServerProcess = Readonly<{
  baseUrl: string
  pid: number
  /** What it has said on standard output so far. */
  printed(): string
  /** Sends the signal and waits for the end; answers the exit status, null when killed. */
  end(signal: NodeJS.Signals): Promise<number | null>
}>

type Start = Readonly<{
  openFiles?: number
  program?: string
  /** Sees to it that it ends, at the latest: after the test that started it, unless it is said otherwise. */
  endLater?: (kill: () => void) => void
}>

/** The service as a process of its own, on this database, so that it can be killed like one. */
export async function startServerProcess(
  env: Record<string, string>,
  { openFiles, program = SERVER, endLater = after }: Start = {},
): Promise<ServerProcess> {
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, program], {
    env: {
      ...process.env,
      MASTER_KEY,
      PORT: '0',
      ADMIN_PORT: '0',
      LOG_LEVEL: 'fatal',
      RATE_LIMIT_PER_SECOND: '0',
      RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '0',
      RATE_LIMIT_ANONYMOUS_PER_SECOND: '0',
      ...env,
    },
    // The channel tells it when we are gone, should we be killed without a chance to end it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.channel?.unref()
  endLater(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const baseUrl = await addressOf(child)
  return {
    baseUrl,
    pid: child.pid ?? 0,
    printed: () => printed,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      await once(child, 'exit')
      return child.exitCode
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const lines = createInterface({ input: child.stdout })
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS)
  try {
    for await (const line of lines) {
      const address = /^\s+API\s+(\S+)/.exec(line)?.[1]
      if (address) return address
    }
  } finally {
    clearTimeout(timer)
    // What else it prints is read and dropped, so that it never waits for us.
    child.stdout.resume()
  }
  const { exitCode, signalCode } = child
  return assert.fail(`it ended before it was running: ${exitCode ?? signalCode}`)
}
