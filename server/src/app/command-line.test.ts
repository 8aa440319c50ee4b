import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startOwnKit } from '../../test/kit/florin.ts'
import { callFlorin, type CommandRun } from '../../test/kit/operator.ts'
import { loadCommand } from '../operator/command-line/load-command.ts'
import { METHODS } from '../operator/commands/developers/requests.ts'
import { commands, localCommands } from '../operator/commands.ts'
import { COMMANDS } from '../operator/command-line/generated/command-table.ts'
import manifest from '../../package.json' with { type: 'json' }

// By itself: what a list loads must not depend on what other files left to list.
const kit = await startOwnKit()
const run = promisify(execFile)
const COMMAND = join(import.meta.dirname, '../bin/florin.ts')
const all = [...commands, ...localCommands]
const env = {
  ...process.env,
  DATABASE_URL: kit.databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
}

const florin = (line: string) =>
  callFlorin({ args: line.split(' '), env, cwd: import.meta.dirname })

/** Prints on standard error, at the end, how many modules a process has loaded. */
const COUNTER = `
  import { registerHooks } from 'node:module'
  let count = 0
  registerHooks({ load: (url, context, next) => (count += 1, next(url, context)) })
  process.on('exit', () => process.stderr.write(String(count)))`

async function modulesLoadedBy(line: string): Promise<number> {
  const counter = `data:text/javascript,${encodeURIComponent(COUNTER)}`
  const args = ['--import', counter, COMMAND, ...line.split(' ')]
  const { stderr } = await run(process.execPath, args, { env })
  // In front of it may stand what Node.js or the command has to say.
  return Number(/\d+$/.exec(stderr)?.[0] ?? assert.fail(`florin ${line} says ${stderr}`))
}

const ANY_PLATFORM = `Platform:${randomUUID()}`

/** Those of packages and of Node.js included; a tenth above what they are. */
const MODULES_MAX = {
  '--help': 30,
  [`accounts list --platform ${ANY_PLATFORM}`]: 355,
  'card-exceptions list': 355,
  'cards list': 315,
  'customers list': 350,
  'deposits list': 340,
  'orders list': 300,
  'ownership list': 305,
  'quotes list': 335,
  'refunds list': 480,
  'review list': 305,
  'settlements list': 330,
  'transactions list': 330,
}

test('OPER-204 the help loads no command, and a list neither the others nor every feature', async () => {
  for (const [line, max] of Object.entries(MODULES_MAX)) {
    const count = await modulesLoadedBy(line)
    assert.ok(count > 0 && count <= max, `florin ${line} loads ${count} modules`)
  }
})

test('the table of commands has each as it is, and where to load it from', async () => {
  assert.deepEqual(
    COMMANDS.map(({ name }) => name),
    all.map(({ name }) => name).toSorted(),
  )
  for (const { module, ...usage } of COMMANDS) {
    const command = await loadCommand({ module, ...usage })
    assert.partialDeepStrictEqual(command, usage)
    assert.deepEqual(Object.keys(command.options ?? {}), Object.keys(usage.options ?? {}))
  }
})

test('CORE-83 the help names every command, or those of one group', async () => {
  for (const line of ['--help', '--help --json']) {
    const { status, stdout } = await florin(line)
    assert.equal(status, 0)
    for (const { name } of all) assert.ok(stdout.includes(`\n  ${name} `), name)
  }
  const { status, stdout } = await florin('tokens --help')
  assert.equal(status, 0)
  assert.match(stdout, /\n {2}tokens create /)
  assert.doesNotMatch(stdout, /\n {2}platforms create /)
})

test('the version is the one of the package', async () => {
  const { status, stdout } = await florin('--version')
  assert.deepEqual([status, stdout], [0, `florin ${manifest.version}\n`])
})

test('CORE-83 a call that is wrong is refused in one line, with what was likely meant', async () => {
  for (const [line, words] of [
    ['no such command --json', 'There is no command no such command. florin --help lists all.'],
    ['doctr', 'There is no command doctr. Did you mean doctor?'],
    ['platfroms lst --json', 'There is no command platfroms lst. Did you mean platforms list?'],
    ['job retry 1', 'There is no command job retry 1. Did you mean jobs retry?'],
    ['tokens', 'There is no command tokens. There are tokens create, tokens revoke.'],
    ['tokens frob', 'There is no command tokens frob. There are tokens create, tokens revoke.'],
    ['--jsn', 'There is no command --jsn. florin --help lists all.'],
    ['--json jobs list', 'The command comes first: florin jobs list, then its options.'],
    ['jobs list --limt 3', 'There is no option --limt. Did you mean --limit?'],
    ['jobs list --color', 'There is no option --color.'],
    ['jobs list -x', 'There is no option -x.'],
    ['tokens create --name x', 'Missing: --platform.'],
    ['jobs show', 'Expected jobId, got: none.'],
  ] as const) {
    assert.deepEqual(await florin(line), { status: 1, stdout: '', stderr: `florin: ${words}\n` })
  }
})

test('CORE-83 a file that cannot be read or written is named in one sentence', async () => {
  const [absent, present] = ['/no-such-folder/file', import.meta.filename]
  const provider = 'providers add --name x --kind http --ports rails --url https://x.example.com'
  for (const [line, path] of [
    [`audit verify --anchor ${absent}`, absent],
    [`audit verify --anchor ${import.meta.dirname}`, import.meta.dirname],
    [`audit export --to ${absent}`, absent],
    [`terms publish --version V9 --file ${absent}`, absent],
    [`${provider} --ca ${absent}`, absent],
    [`customers erase --replay ${absent}`, absent],
  ] as const)
    assertNames(await florin(line), path)
  const alone = { ...env, DATABASE_URL: undefined }
  for (const [line, path] of [
    [`restore --from ${absent} --data-dir ${present}`, absent],
    [`restore --from ${present}/file --data-dir ${absent}`, `${present}/file`],
    [`restore --from ${present} --data-dir ${present}`, present],
  ] as const)
    assertNames(
      await callFlorin({ args: line.split(' '), env: alone, cwd: import.meta.dirname }),
      path,
    )
})

function assertNames({ status, stdout, stderr }: CommandRun, path: string): void {
  assert.deepEqual([status, stdout], [1, ''])
  assert.ok(stderr.startsWith(`florin: ${path} cannot be `), stderr)
  assert.ok(stderr.endsWith(').\n') && stderr.split('\n').length === 2, stderr)
}

test('CORE-83 a reader that has seen enough, as head, is no failure', async () => {
  for (const line of ['--help', 'jobs list']) {
    const child = spawn(process.execPath, [COMMAND, ...line.split(' ')], { env })
    child.stdout.destroy()
    const stderr = child.stderr.setEncoding('utf8').toArray()
    assert.deepEqual([await once(child, 'close'), await stderr], [[0, null], []], line)
  }
})

test('OPER-156 a shell completes names, options and values of options', async () => {
  const words = async (line: string) => (await florin(`completion words${line}`)).stdout.split('\n')
  assert.ok((await words('')).includes('tokens'))
  assert.ok((await words('')).includes('listen'))
  assert.deepEqual(await words(' tokens'), ['create', 'revoke', ''])
  assert.ok((await words(' requests list')).includes('--status'))
  assert.deepEqual(await words(' requests list --method'), [...METHODS, ''])
  assert.deepEqual(await words(' nothing'), [''])
  for (const shell of ['bash', 'zsh', 'fish']) {
    assert.match((await florin(`completion ${shell}`)).stdout, /florin completion words/)
  }
  assert.match((await florin('completion tcsh')).stderr, /Give one of bash, zsh, fish/)
  const { stdout: script } = await florin('completion bash')
  const asked = `${script}
    florin() { [ "$3" = tokens ] && printf 'create\\nrevoke\\n'; }
    COMP_WORDS=(florin tokens c) COMP_CWORD=2; _florin; echo "\${COMPREPLY[@]}"`
  assert.equal((await run('bash', ['-c', asked])).stdout, 'create\n')
})
