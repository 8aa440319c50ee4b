/** One process that inspects documents one by one, and is killed when a document exceeds its limits. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND_MS } from '../../kernel/clock.ts'
import type { DocumentBytes, Finding } from './inspect-bytes.ts'
import type { Answer } from './inspection-process.ts'
import { usageOf } from './process-usage.ts'

export type Limits = Readonly<{
  cpuMs: number
  /** Memory beyond that of the ready process. */
  memoryBytes: number
  /** Total time, also where the system reports no usage of a process. */
  wallMs: number
}>

/** The costliest document of the tests that is taken needs 0.8 s of processor time; a busy machine counts more. */
export const LIMITS: Limits = {
  cpuMs: 5 * SECOND_MS,
  memoryBytes: 256 * 1024 * 1024,
  wallMs: 30 * SECOND_MS,
}

const START_LIMIT_MS = 30 * SECOND_MS
const LOOK_EVERY_MS = 20

export type InspectionWorker = Readonly<{
  /** A document whose process dies or is killed is unreadable. */
  inspect(document: DocumentBytes): Promise<readonly Finding[]>
}>

type Started = Readonly<{ child: ChildProcess; readyBytes: number }>

/** The process starts with the first document, and at once where it replaces another. */
export function createInspectionWorker(limits: Limits = LIMITS): InspectionWorker {
  let started: Promise<Started> | undefined
  const start = (): Promise<Started> => {
    const starting = startProcess()
    const forget = (): void => {
      if (started === starting) started = undefined
    }
    starting.then(({ child }) => child.once('exit', forget), forget)
    return starting
  }
  return {
    async inspect(document) {
      const { child, readyBytes } = await (started ??= start())
      const answer = await ask(child, { document, limits, readyBytes })
      if (!answer) {
        child.kill('SIGKILL')
        started = start()
        return ['UNREADABLE']
      }
      if ('bug' in answer) throw new Error(`inspection failed: ${answer.bug}`)
      return answer.findings
    },
  }
}

/** The process gets no environment of ours, since code that parses foreign bytes must not know secrets. */
async function startProcess(): Promise<Started> {
  // Node keeps a folder of its own in the one it is given. With what it compiled a start takes half the work.
  const compiled = getCompileCacheDir()
  const child = fork(fileURLToPath(new URL('inspection-process.ts', import.meta.url)), [], {
    env: {
      UV_THREADPOOL_SIZE: '1',
      ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }),
    },
    execArgv: ['--max-old-space-size=128', '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  const answer = await answerOf(child, (signal) => delay(START_LIMIT_MS, undefined, { signal }))
  if (!answer) {
    child.kill('SIGKILL')
    throw new Error('the process that looks at documents does not start')
  }
  return { child, readyBytes: usageOf(child.pid ?? 0)?.memoryBytes ?? 0 }
}

type Question = Readonly<{ document: DocumentBytes; limits: Limits; readyBytes: number }>

function ask(child: ChildProcess, question: Question): Promise<Answer | undefined> {
  const { wallMs } = question.limits
  const answered = answerOf(child, (signal) =>
    Promise.race([
      delay(wallMs, undefined, { signal }),
      tooMuchUsed(child, { ...question, signal }),
    ]),
  )
  // A message that cannot be sent means that the process is gone, which ends the wait.
  child.send(question.document, () => undefined)
  return answered
}

/** Undefined where the process ends first, or its limits are exceeded. */
async function answerOf(
  child: ChildProcess,
  given: (signal: AbortSignal) => Promise<void>,
): Promise<Answer | undefined> {
  const ended = new AbortController()
  const { signal } = ended
  try {
    const answered = once(child, 'message', { signal }) as Promise<[Answer]>
    const died = once(child, 'exit', { signal }).then(() => undefined)
    const answer = await Promise.race([answered, died, given(signal)])
    return answer?.[0]
  } finally {
    ended.abort()
  }
}

async function tooMuchUsed(
  { pid = 0 }: ChildProcess,
  { limits, readyBytes, signal }: Question & Readonly<{ signal: AbortSignal }>,
): Promise<void> {
  const before = usageOf(pid)?.cpuMs ?? 0
  for (let isOver = false; !isOver;) {
    await delay(LOOK_EVERY_MS, undefined, { signal })
    const used = usageOf(pid) ?? { cpuMs: before, memoryBytes: readyBytes }
    isOver =
      used.cpuMs - before > limits.cpuMs || used.memoryBytes - readyBytes > limits.memoryBytes
  }
}
