import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 20
const WATCH_POLL_MS = 200

/** Whether a process of that id runs, under any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Ended, but not yet noticed by its parent; some parents never do. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name, which stands in brackets and may hold anything.
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

type Ending = Readonly<{ pid: number; limitMs: number }>

/** Waits for the end of a process, a child of ours or not; answers whether it came in time. */
export async function hasEndedWithin({ pid, limitMs }: Ending): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await wait(POLL_MS)
  }
  return true
}

/** Resolves some time after a process that is no child of ours has ended, or when nobody waits any more. */
export async function untilEnded(pid: number, signal: AbortSignal): Promise<void> {
  while (isAlive(pid) && !signal.aborted) {
    await wait(WATCH_POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
