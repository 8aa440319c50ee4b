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

/** Ended, but not yet reaped by its parent; some parents never do. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name, which is in brackets and may have any character.
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

type Ending = Readonly<{ pid: number; limitMs: number }>

/** Waits for the end of any process; false if it did not come in time. */
export async function hasEndedWithin({ pid, limitMs }: Ending): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await wait(POLL_MS)
  }
  return true
}

/** Resolves soon after a process, which need not be a child, has ended, or when the signal is aborted. */
export async function untilEnded(pid: number, signal: AbortSignal): Promise<void> {
  while (isAlive(pid) && !signal.aborted) {
    await wait(WATCH_POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}
