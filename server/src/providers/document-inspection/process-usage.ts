import { readFileSync } from 'node:fs'
import { SECOND_MS } from '../../kernel/clock.ts'

export type Usage = Readonly<{ cpuMs: number; memoryBytes: number }>

/** The unit of /proc, whatever the kernel's own is. */
const TICKS_PER_SECOND = 100

/** Processor time and memory of a process; undefined where the system does not report them. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
    const cpuMs = (ticks * SECOND_MS) / TICKS_PER_SECOND
    return { cpuMs, memoryBytes: Number(resident ?? 0) * 1024 }
  } catch {
    return undefined
  }
}
