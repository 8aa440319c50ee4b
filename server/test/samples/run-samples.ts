/** Runs samples as a reader would: in a shell, in Python, and as a module beside the SDK. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { newUuid } from '../../src/kernel/ids.ts'
import { eventually } from '../kit/eventually.ts'
import { ROOT } from '../kit/pages/doc-examples.ts'
import type { SampleLanguage } from './page-samples.ts'
import { SAMPLE_FOLDER } from './situations/sample-files.ts'

export type Environment = Readonly<Record<string, string>>
type Run = (code: string, env: Environment) => Promise<string>

export type SampleRunner = Readonly<{
  /** Answers what the sample printed; throws unless it succeeded. */
  run(language: SampleLanguage, code: string, env: Environment): Promise<string>
  /** The same for a sample that reads a stream: it is stopped after the first event. */
  runUntilEvent(
    language: SampleLanguage,
    code: string,
    streaming: Readonly<{ env: Environment; emit: () => Promise<unknown> }>,
  ): Promise<string>
  stop(): Promise<void>
}>

export async function startRunner(): Promise<SampleRunner> {
  await mkdir(SAMPLE_FOLDER, { recursive: true })
  // What a reader sees is the answer; the tests have to know its status as well.
  await writeFile(join(SAMPLE_FOLDER, '.curlrc'), 'silent\nwrite-out = "\\n%{http_code}"\n')
  let shell: ReturnType<typeof startShell> | undefined
  let python: ReturnType<typeof startPython> | undefined
  const runners: Readonly<Record<SampleLanguage, Run>> = {
    curl: (code, env) => (shell ??= startShell()).run(code, env),
    TypeScript: runTypeScript,
    Python: (code, env) => (python ??= startPython()).run(code, env),
  }
  return {
    run: (language, code, env) => runners[language](code, env),
    runUntilEvent,
    stop: async () => {
      await shell?.stop()
      await python?.stop()
      await rm(SAMPLE_FOLDER, { recursive: true })
    },
  }
}

/**
 * Runs one text after the other, each in a shell of its own, which must not read the texts after it: copying this process
 * for each takes as long as any of them.
 */
const SHELL_LOOP = `while read -r -d '' code; do (eval "$code") </dev/null; printf '\\0'; done`

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`

function startShell() {
  const child = spawn('bash', ['-c', SHELL_LOOP], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CURL_HOME: SAMPLE_FOLDER },
  })
  const chunks = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]()
  const answer = async (read = ''): Promise<string> => {
    if (read.endsWith('\0')) return read.slice(0, -1)
    const { value, done } = (await chunks.next()) as IteratorResult<string>
    return done ? read : answer(read + value)
  }
  return {
    async run(code: string, env: Environment): Promise<string> {
      const known = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`)
      child.stdin.write(`${[...known, code].join('\n')}\0`)
      const printed = await answer()
      const status = /\n(\d{3})$/.exec(printed)?.[1] ?? ''
      if (!status.startsWith('2')) throw new Error(printed)
      return printed
    },
    stop: () => endOf(child),
  }
}

async function endOf(child: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
}

/** In this process, which has the SDK loaded. */
async function runTypeScript(code: string, env: Environment): Promise<string> {
  const path = await saveModule(code)
  const { console: terminal } = globalThis
  const { log } = terminal
  const printed: unknown[] = []
  Object.assign(process.env, env)
  terminal.log = (...values) => void printed.push(...values)
  try {
    await import(pathToFileURL(path).href)
    return JSON.stringify(printed)
  } finally {
    terminal.log = log
    for (const name of Object.keys(env)) delete process.env[name]
  }
}

async function saveModule(code: string): Promise<string> {
  const path = join(SAMPLE_FOLDER, `${newUuid()}.ts`)
  await writeFile(path, code)
  return path
}

/** Runs one text after the other in an environment of its own: starting Python takes longer than any of them. */
const PYTHON_LOOP = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    given = json.loads(line)
    os.environ.update(given["env"])
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(given["code"], {})
        answer = {"printed": printed.getvalue()}
    except Exception as error:
        body = error.read().decode() if hasattr(error, "read") else ""
        answer = {"failure": traceback.format_exc() + body}
    print(json.dumps(answer), flush=True)
`

function startPython() {
  const child = spawn('python3', ['-c', PYTHON_LOOP], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(code: string, env: Environment): Promise<string> {
      child.stdin.write(`${JSON.stringify({ code, env })}\n`)
      const { value } = await lines.next()
      const { printed, failure } = JSON.parse(value ?? '{"failure":"it ended"}') as {
        printed?: string
        failure?: string
      }
      if (printed === undefined) throw new Error(failure)
      return printed
    },
    stop: () => endOf(child),
  }
}

/** As it was sent, or as the sample prints it. */
const FIRST_EVENT: Readonly<Record<SampleLanguage, RegExp>> = {
  curl: /^data:.*\n\n/m,
  TypeScript: /\n/,
  Python: /^data:.*\n/m,
}

const runUntilEvent: SampleRunner['runUntilEvent'] = async (language, code, { env, emit }) => {
  const commands: Readonly<Record<SampleLanguage, () => Promise<[string, ...string[]]>>> = {
    curl: async () => ['bash', '-c', `exec ${code}`],
    TypeScript: async () => [process.execPath, await saveModule(code)],
    Python: async () => ['python3', '-u', '-c', code],
  }
  const [command, ...args] = await commands[language]()
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CURL_HOME: SAMPLE_FOLDER, ...env },
  })
  const ended = once(child, 'exit')
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  // What was emitted before the first stream of a platform is in none.
  await eventually(async () => {
    await emit()
    assert.ok(FIRST_EVENT[language].test(printed) || child.exitCode !== null, printed)
  })
  child.kill('SIGKILL')
  await ended
  return printed
}
