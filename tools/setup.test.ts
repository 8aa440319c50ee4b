import assert from 'node:assert/strict'
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { canRead, isRoot } from '../server/src/infra/db/embedded/account.ts'

/** Stands for npm: notes each call, and "installs" by writing down the tree that the lock file asks for. `ci` starts from nothing. */
const NPM = `#!${process.execPath}
const fs = require('node:fs')
fs.appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n')
while (fs.existsSync('npm-waits')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
if (fs.existsSync('npm-fails')) { console.error('npm error network unreachable'); process.exit(7) }
const lock = JSON.parse(fs.readFileSync('package-lock.json'))
const packages = Object.fromEntries(
  Object.entries(lock.packages).filter(([, { dev }]) => !dev || !process.argv.includes('--omit=dev')),
)
if (process.argv[2] === 'ci') fs.rmSync('node_modules', { recursive: true, force: true })
for (const path of Object.keys(packages).filter((path) => path !== '')) {
  fs.mkdirSync(path, { recursive: true })
  fs.writeFileSync(path + '/package.json', '{}')
}
fs.mkdirSync('node_modules/.bin', { recursive: true })
fs.rmSync('node_modules/.bin/node', { force: true })
fs.symlinkSync(${JSON.stringify(process.execPath)}, 'node_modules/.bin/node')
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

type Project = Readonly<{
  folder: string
  write(name: string, text: string): Promise<void>
  depend(version: string, lockedBeside?: object): Promise<void>
  npmCalls(): Promise<number>
}>

const DEV_TOOL = { 'node_modules/tool': { version: '1.0.0', dev: true } }
const SERVICE = 'server/src/bin/service.mjs'
const RUN = 'server/src/bin/run'
const PRODUCTION = { NODE_ENV: 'production' }
const STUCK = { timeout: 20_000 }

type Ends = Readonly<{ after(end: () => Promise<void>): void }>

/** A checkout with one dependency, nothing installed, and only the stand-in npm on the path. */
async function makeProject(t: Ends): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-setup-'))
  t.after(() => rm(folder, { recursive: true }))
  const write = (name: string, content: string): Promise<void> =>
    writeFile(join(folder, name), content)
  await mkdir(join(folder, 'tools'))
  await mkdir(join(folder, 'bin'))
  await mkdir(join(folder, 'server/src/bin'), { recursive: true })
  for (const name of ['tools/setup.mjs', 'tools/end-with-npm.mjs', RUN])
    await copyFile(join(import.meta.dirname, '..', name), join(folder, name))
  await write('bin/npm', NPM)
  await chmod(join(folder, 'bin', 'npm'), 0o755)
  await write('args.mjs', 'console.log(JSON.stringify(process.argv.slice(2)))')
  await write(SERVICE, 'console.log("served")')
  await write('server/package.json', '{}')
  const depend = async (version: string, lockedBeside = {}): Promise<void> => {
    const dependencies = { left: version }
    const packages = { '': { dependencies }, 'node_modules/left': { version }, ...lockedBeside }
    await write('package.json', JSON.stringify({ dependencies }))
    await write('package-lock.json', JSON.stringify({ packages }))
  }
  await depend('1.0.0')
  const npmCalls = async (): Promise<number> => {
    const calls = await readFile(join(folder, 'npm-calls'), 'utf8').catch(() => '')
    return calls.split('\n').length - 1
  }
  return { folder, write, depend, npmCalls }
}

/** The same as `setup.mjs` leaves it: copied, since installing it is two processes of Node.js. */
async function installedProject(t: Ends): Promise<Project> {
  const project = await makeProject(t)
  for (const name of ['node_modules', '.cache', 'npm-calls']) {
    const options = { recursive: true, verbatimSymlinks: true }
    await cp(join(installed.folder, name), join(project.folder, name), options)
  }
  return project
}

type Circumstances = Readonly<{ env?: NodeJS.ProcessEnv; uid?: number; gid?: number }>

function startSetup(
  project: Project,
  args: readonly string[],
  { env, ...ids }: Circumstances = {},
) {
  const { folder } = project
  const program = join(folder, 'tools', 'setup.mjs')
  return spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: '', ...env, PATH: join(folder, 'bin') },
    stdio: 'pipe',
    ...ids,
  })
}

const runSetup = (project: Project, ...args: readonly string[]) => endOf(startSetup(project, args))

const runSetupIn = (circumstances: Circumstances, project: Project, ...args: readonly string[]) =>
  endOf(startSetup(project, args, circumstances))

const startRun = ({ folder }: Project, args: readonly string[]) =>
  spawn(join(folder, RUN), args, {
    env: {
      ...process.env,
      NODE_ENV: '',
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH']}`,
    },
    stdio: 'pipe',
  })

const run = (project: Project, ...args: readonly string[]) => endOf(startRun(project, args))

async function endOf(child: ChildProcessWithoutNullStreams) {
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { status, out, errors }
}

const installed = await makeProject({ after })
await runSetup(installed)

test('CORE-80 a fresh clone is installed once, then the script runs with its arguments', async (t) => {
  const project = await makeProject(t)
  const first = await runSetup(project, 'args.mjs', 'a b', '--flag')
  assert.deepEqual([first.status, first.out], [0, '["a b","--flag"]\n'])
  assert.match(first.errors, /^florin: installing dependencies.*\nflorin: installed in [\d.]+ s\n$/)
  const second = await runSetup(project, 'args.mjs')
  assert.deepEqual([second.status, second.out, second.errors], [0, '[]\n', ''])
  assert.equal(await project.npmCalls(), 1)
  assert.match(await readFile(join(project.folder, 'npm-calls'), 'utf8'), /^ci /)
})

test('CORE-80 a start looks at the packages again only where something changed', async (t) => {
  const project = await makeProject(t)
  assert.equal((await run(project, SERVICE)).out, 'served\n')
  await project.write('tools/setup.mjs', 'console.log("looks")')
  assert.equal((await run(project, SERVICE)).out, 'served\n')
  await project.depend('2.0.0')
  assert.equal((await run(project, SERVICE)).out, 'looks\n')
})

test('CORE-80 where npm brings no Node.js, every start uses that of the machine', async (t) => {
  const project = await makeProject(t)
  await run(project, SERVICE)
  await rm(join(project.folder, 'node_modules/.bin/node'))
  assert.equal((await run(project, SERVICE)).out, 'served\n')
  assert.equal((await run(project, SERVICE)).out, 'served\n')
})

test('CORE-80 an older release that is put back with its old dates is noticed', async (t) => {
  const project = await makeProject(t)
  await run(project, SERVICE)
  await project.depend('0.9.0')
  await utimes(join(project.folder, 'package-lock.json'), 0, 0)
  await utimes(join(project.folder, 'package.json'), 0, 0)
  await run(project, SERVICE)
  assert.equal(await project.npmCalls(), 2)
})

test('CORE-80 a command that has moved is linked again', async (t) => {
  const project = await installedProject(t)
  const packages = { server: { bin: { florin: 'src/bin/service.mjs' } } }
  await project.depend('1.0.0', packages)
  await runSetup(project)
  assert.equal(await project.npmCalls(), 2)
})

test('CORE-80 a long installation says how far it is', async (t) => {
  const project = await makeProject(t)
  await project.depend('1.0.0', DEV_TOOL)
  await project.write('npm-waits', '')
  const child = startSetup(project, [SERVICE])
  const ended = once(child, 'close')
  let errors = ''
  for await (const chunk of child.stderr) {
    errors += String(chunk)
    if (errors.includes('packages after'))
      await rm(join(project.folder, 'npm-waits'), { force: true })
  }
  assert.deepEqual(await ended, [0, null])
  assert.match(errors, /dependencies.*\nflorin: 0 of 1 packages after \d+ s\n(florin: .*\n)*$/)
})

test('CORE-80 the service is installed without packages for development, which tests bring', async (t) => {
  const project = await makeProject(t)
  await project.depend('1.0.0', DEV_TOOL)
  const hasTool = () => existsSync(join(project.folder, 'node_modules/tool'))
  await runSetup(project, SERVICE)
  assert.equal(hasTool(), false)
  await runSetup(project, 'args.mjs')
  assert.equal(hasTool(), true)
  await runSetup(project, SERVICE)
  assert.equal(hasTool(), true, 'it takes nothing away')
})

test('CORE-80 a changed lock file is installed again', async (t) => {
  const project = await installedProject(t)
  await project.depend('1.0.1')
  await runSetup(project)
  assert.equal(await project.npmCalls(), 2)
})

test('CORE-80 what a developer installed by hand is taken as it is', async (t) => {
  const project = await installedProject(t)
  await project.depend('1.0.1')
  const tree = { packages: { 'node_modules/left': { version: '1.0.1' } } }
  await project.write('node_modules/.package-lock.json', JSON.stringify(tree))
  await runSetup(project)
  assert.equal(await project.npmCalls(), 1)
})

test('CORE-80 a dependency added to the manifest alone is left to npm to judge', async (t) => {
  const project = await installedProject(t)
  await project.write(
    'package.json',
    JSON.stringify({ dependencies: { left: '1.0.0', right: '1' } }),
  )
  await runSetup(project)
  assert.equal(await project.npmCalls(), 2)
})

test('CORE-80 a package that vanished from the folder is brought back', async (t) => {
  const project = await installedProject(t)
  await rm(join(project.folder, 'node_modules/left'), { recursive: true })
  await project.write('node_modules/.florin-installed', 'stale')
  await runSetup(project)
  assert.equal(await project.npmCalls(), 2)
})

test('CORE-80 a workspace that is new is linked', async (t) => {
  const project = await installedProject(t)
  const dependencies = { left: '1.0.0' }
  const packages = {
    '': { dependencies },
    'node_modules/left': { version: '1.0.0' },
    'node_modules/@florin/sdk': { resolved: 'sdk', link: true },
    sdk: {},
  }
  await project.write('package-lock.json', JSON.stringify({ packages }))
  await project.write('package.json', JSON.stringify({ dependencies, workspaces: ['sdk'] }))
  await runSetup(project)
  assert.equal(await project.npmCalls(), 2)
  await runSetup(project)
  assert.equal(await project.npmCalls(), 2)
})

test('CORE-80 packages for other platforms are not missed', async (t) => {
  const project = await installedProject(t)
  const dependencies = { left: '1.0.0' }
  const packages = {
    '': { dependencies },
    'node_modules/left': { version: '1.0.0' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['plan9'] },
  }
  await project.write('package-lock.json', JSON.stringify({ packages }))
  await runSetup(project)
  assert.equal(await project.npmCalls(), 1)
})

test('CORE-80 what npm leaves out together with a package for other platforms is not missed', async (t) => {
  const project = await installedProject(t)
  await project.depend('1.0.0', {
    'node_modules/elsewhere': { version: '1.0.0', optional: true, cpu: ['wasm32'] },
    'node_modules/part-of-elsewhere': { version: '1.0.0', optional: true },
  })
  await runSetup(project)
  assert.equal(await project.npmCalls(), 1)
})

test('CORE-83 a command beside a production service takes what that one runs on', async (t) => {
  const project = await makeProject(t)
  await project.depend('1.0.0', DEV_TOOL)
  await runSetupIn({ env: PRODUCTION }, project, SERVICE)
  assert.equal((await runSetup(project, SERVICE)).out, 'served\n')
  await rm(join(project.folder, 'node_modules/.florin-installed'))
  assert.equal((await runSetup(project, SERVICE)).out, 'served\n')
  assert.equal(await project.npmCalls(), 1)
})

test('CORE-83 what is missing is put beside what a service may be running on', async (t) => {
  const project = await makeProject(t)
  const calls = async (): Promise<string> => readFile(join(project.folder, 'npm-calls'), 'utf8')
  await project.depend('1.0.0', DEV_TOOL)
  await runSetupIn({ env: PRODUCTION }, project, SERVICE)
  await project.depend('1.0.1', DEV_TOOL)
  await runSetup(project, SERVICE)
  assert.match(await calls(), /^ci --omit=dev .*\ninstall --no-save --omit=dev .*\n$/)
  await runSetup(project, 'args.mjs')
  assert.match(await calls(), /\ninstall --no-save --include=dev .*\n$/)
  await runSetupIn({ env: PRODUCTION }, project, SERVICE)
  assert.equal(await project.npmCalls(), 3)
})

test('CORE-80 processes that start at once install once', async (t) => {
  const project = await makeProject(t)
  const runs = await Promise.all([1, 2, 3, 4].map(() => runSetup(project, 'args.mjs')))
  assert.deepEqual(
    runs.map(({ status }) => status),
    [0, 0, 0, 0],
  )
  assert.equal(await project.npmCalls(), 1)
})

/** Each as a lock that was left behind names its holder. */
const GONE_HOLDERS = [
  { why: 'has ended', holder: async () => String(await pidOfTheDead()) },
  { why: 'has an id that is another process’s by now', holder: async () => `${process.pid} 1` },
  { why: 'was lost in a power cut', holder: async () => '' },
]

async function pidOfTheDead(): Promise<number | undefined> {
  const dead = spawn(process.execPath, ['--version'])
  await once(dead, 'close')
  return dead.pid
}

async function leaveLock(project: Project, holder: string): Promise<void> {
  await mkdir(join(project.folder, '.cache/install.lock'), { recursive: true })
  await project.write('.cache/install.lock/pid', holder)
}

for (const { why, holder } of GONE_HOLDERS) {
  test(`CORE-80 the lock of a killed install whose holder ${why} is put away`, STUCK, async (t) => {
    const project = await makeProject(t)
    await leaveLock(project, await holder())
    assert.equal((await runSetup(project)).status, 0)
    assert.equal(await project.npmCalls(), 1)
  })
}

test(
  'CORE-80 a process that has the id of a killed one does not wait for itself',
  STUCK,
  async (t) => {
    const project = await makeProject(t)
    await leaveLock(project, 'taken below')
    const start = `echo -n $$ > .cache/install.lock/pid; exec ${process.execPath} tools/setup.mjs`
    const env = { ...process.env, PATH: join(project.folder, 'bin') }
    const { status } = await endOf(
      spawn('/bin/sh', ['-c', start], { cwd: project.folder, env, stdio: 'pipe' }),
    )
    assert.equal(status, 0)
    assert.equal(await project.npmCalls(), 1)
  },
)

/** A user with fewer rights than the installing one may run the service. */
const OTHERS = isRoot() ? { uid: 65534, gid: 65534 } : undefined

async function runWithoutRights(project: Project, ...args: readonly string[]) {
  const paths = [project.folder, join(project.folder, 'node_modules')].filter(existsSync)
  const allow = (mode: number) => Promise.all(paths.map((path) => chmod(path, mode)))
  await allow(0o555)
  try {
    return await runSetupIn(OTHERS ?? {}, project, ...args)
  } finally {
    await allow(0o755)
  }
}

// Unless the checkout lies where only root may go.
if (await canRead({ account: OTHERS, path: process.execPath })) {
  test('CORE-80 packages that somebody else installed are used where nothing may be written', async (t) => {
    const project = await installedProject(t)
    for (const trace of ['node_modules/.florin-installed', '.cache'])
      await rm(join(project.folder, trace), { recursive: true })
    const { out, errors, status } = await runWithoutRights(project, 'args.mjs')
    assert.deepEqual([out, errors, status], ['[]\n', '', 0])
  })

  test('CORE-80 where packages are missing and nothing may be written, that is said in words', async (t) => {
    const project = await makeProject(t)
    const { errors, status } = await runWithoutRights(project, 'args.mjs')
    assert.equal(status, 1)
    assert.match(errors, /^florin: dependencies have to be installed.*cannot be written.*\n$/)
  })
}

test('CORE-80 a failed install shows what npm said, and is tried again the next time', async (t) => {
  const project = await makeProject(t)
  await project.write('npm-fails', '')
  const failed = await runSetup(project, 'args.mjs')
  assert.equal(failed.status, 1)
  assert.match(failed.errors, /npm ci failed with status 7:\n\nnpm error network unreachable/)
  assert.equal(failed.out, '')
  await rm(join(project.folder, 'npm-fails'))
  assert.equal((await runSetup(project, 'args.mjs')).status, 0)
})

test('CORE-80 a machine without npm is told so', async (t) => {
  const project = await makeProject(t)
  await rm(join(project.folder, 'bin/npm'))
  const { status, errors } = await runSetup(project)
  assert.equal(status, 1)
  assert.match(errors, /npm is not on the PATH/)
})

test('CORE-80 where the Node.js from npm does not run, a new enough one of the machine does', async (t) => {
  const project = await installedProject(t)
  const pinned = join(project.folder, 'node_modules/.bin/node')
  await rm(pinned)
  await project.write('not-a-program', 'nothing')
  await symlink('../../not-a-program', pinned)
  const { status, out, errors } = await runSetup(project, 'args.mjs', 'x')
  assert.deepEqual([status, out], [0, '["x"]\n'])
  assert.match(errors, /does not run on this machine \(EACCES\)/)
})

test('CORE-80 the exit status of the script is passed on', async (t) => {
  const project = await makeProject(t)
  await project.write('seven.mjs', 'process.exitCode = 7')
  assert.equal((await runSetup(project, 'seven.mjs')).status, 7)
})

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const

for (const signal of SIGNALS) {
  test(`CORE-85 ${signal} reaches the script, which ends in its own time`, async (t) => {
    const project = await installedProject(t)
    const script = `process.on('${signal}', () => { console.log('heard'); clearInterval(busy) })
      const busy = setInterval(() => {}, 1000)
      console.log('ready')`
    await project.write('service.mjs', script)
    const child = startSetup(project, ['service.mjs'])
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    child.kill(signal)
    const [[heard], [status]] = await Promise.all([once(child.stdout, 'data'), closed])
    assert.deepEqual([String(heard), status], ['heard\n', 0])
  })
}

test('CORE-85 a script notices when the process that started it is killed', async (t) => {
  const project = await installedProject(t)
  await project.write(
    'service.mjs',
    `process.on('disconnect', () => console.log('alone')); console.log('ready')`,
  )
  const child = startSetup(project, ['service.mjs'])
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  const [said] = await once(child.stdout, 'data')
  assert.equal(String(said), 'alone\n')
})

/** How npm may run a script: with the packages looked at again, and without. */
const WAYS = [
  { name: 'looks again', command: [process.execPath, 'tools/setup.mjs', SERVICE] },
  { name: 'is quick', command: [RUN, SERVICE] },
]

for (const { name, command } of WAYS) {
  test(`CORE-85 a start that ${name} ends with the npm that runs it, however that ends`, async (t) => {
    const project = await makeProject(t)
    const script = `process.on('SIGTERM', () => { console.log('heard'); process.exit() })
      setInterval(() => {}, 1000)
      console.log('ready')`
    await project.write(SERVICE, script)
    await runSetup(project)
    await project.write(
      'npm-run.mjs',
      `import { spawn } from 'node:child_process'
       const [program, ...args] = ${JSON.stringify(command)}
       spawn(program, args, { stdio: 'inherit' })`,
    )
    const env = { ...process.env, npm_lifecycle_event: 'start' }
    const options = { cwd: project.folder, env, stdio: 'pipe' } as const
    const npm = spawn(process.execPath, ['npm-run.mjs'], options)
    await once(npm.stdout, 'data')
    npm.kill('SIGKILL')
    const [said] = await once(npm.stdout, 'data')
    assert.equal(String(said), 'heard\n')
  })
}
