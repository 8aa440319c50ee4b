import { spawn } from 'node:child_process'

export type Step = Readonly<{
  name: string
  command: readonly string[]
  /** Shown even when all is well. */
  isReport?: boolean
}>

export type Outcome = Readonly<{ step: Step; passed: boolean; output: string; durationMs: number }>

/** Runs every step, some at a time, whatever becomes of the others; outcomes come in the order of the steps. */
export async function runSteps(
  steps: readonly Step[],
  options: Readonly<{ atOnce: number; cwd: string; onEnd?: (outcome: Outcome) => void }>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = [...steps.entries()]
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, step] = next
      const outcome = await runStep(step, options.cwd)
      outcomes[index] = outcome
      options.onEnd?.(outcome)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, lane))
  return outcomes
}

function runStep(step: Step, cwd: string): Promise<Outcome> {
  const startedMs = performance.now()
  const [program = '', ...args] = step.command
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: string): void => void (output += chunk)
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  return new Promise((resolve) => {
    const end = (passed: boolean): void =>
      resolve({ step, passed, output, durationMs: performance.now() - startedMs })
    child.on('error', (error) => {
      collect(error.message)
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}
