import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { isInstalled } from '../../../test/kit/processes/is-installed.ts'
import { newSecret } from '../http/sign-message.ts'
import { casesOf, runCases } from './run-cases.ts'

const run = promisify(execFile)
const EXAMPLES = join(import.meta.dirname, '../../../../examples/providers')
const LINES_MAX = 150

/** How a program of each language is started. */
const PROVIDERS: readonly Readonly<{
  language: string
  source: string
  version: readonly [string, ...string[]]
  command(): Promise<readonly [string, ...string[]]>
}>[] = [
  {
    language: 'Python',
    source: 'python/provider.py',
    version: ['python3', '--version'],
    command: async () => ['python3', join(EXAMPLES, 'python/provider.py')],
  },
  {
    language: 'Go',
    source: 'go/main.go',
    version: ['go', 'version'],
    // Built first: `go run` would leave the program behind when it is killed.
    async command() {
      const folder = await mkdtemp(join(tmpdir(), 'florin-provider-'))
      after(() => rm(folder, { recursive: true }))
      await run('go', ['build', '-o', join(folder, 'provider'), join(EXAMPLES, 'go/main.go')])
      return [join(folder, 'provider')]
    },
  },
]

for (const { language, source, version, command } of PROVIDERS) {
  test(`PROV-151 the reference provider in ${language} passes all cases of its ports`, async (t) => {
    const lines = (await readFile(join(EXAMPLES, source), 'utf8')).trimEnd().split('\n')
    assert.ok(lines.length <= LINES_MAX, `${lines.length} lines`)
    if (!(await isInstalled(...version)))
      return sayNotRun(t, `the reference provider in ${language}`)
    const secrets = [newSecret(), newSecret()]
    const url = await startProgram(await command(), secrets)
    const outcomes = await runCases({ url, secrets, cases: casesOf([]) ?? [] })
    const others = outcomes.filter(({ outcome }) => outcome !== 'pass')
    // They issue no cards.
    assert.deepEqual(
      others.map(({ id, outcome }) => ({ id, outcome })),
      [{ id: 'C28', outcome: 'skip' }],
      JSON.stringify(others),
    )
  })
}

const sayNotRun = (t: TestContext, what: string): void =>
  t.diagnostic(`not run: ${what}: the language is not installed here`)

async function startProgram(
  [program, ...args]: readonly [string, ...string[]],
  secrets: readonly string[],
): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, PROVIDER_SECRET: secrets.join(' '), PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  after(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const url = /http:\S+/.exec(line)?.[0]
  assert.ok(url, line)
  return url
}
