/**
 * Runs a script of this repository on a machine that has nothing but Node.js and npm: installs what
 * is missing or out of date, then starts the script under the Node.js the lock file pins.
 *
 *   node tools/setup.mjs [--watch] [script.ts [arguments…]]     without a script: only installs
 *
 * Plain JavaScript without dependencies, since it runs before there are any, on any Node.js from 20.
 * It speaks on standard error alone: standard output belongs to the script.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join, resolve, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import './end-with-npm.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(root, 'node_modules', '.florin-installed')
/** What npm last put into `node_modules`, by its own account. */
const TREE = join(root, 'node_modules', '.package-lock.json')
const LOCK = join(root, '.cache', 'install.lock')
const LOCK_POLL_MS = 200
const PROGRESS_MS = 3_000
const DEPENDENCY_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies']
const isProduction = process.env.NODE_ENV === 'production'

/** What stops us, in words for the person who typed the command. */
class SetupError extends Error {}

const say = (message) => process.stderr.write(`florin: ${message}\n`)

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function readJson(path) {
  const text = read(path)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The root and each workspace, as folders relative to the root. */
const packageFolders = () => ['', ...(readJson(join(root, 'package.json')).workspaces ?? [])]

/** Changes whenever an installation made before might not be the right one any more. */
function fingerprint() {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([process.platform, process.arch]))
  const manifests = packageFolders().map((folder) => join(folder, 'package.json'))
  for (const file of ['package-lock.json', ...manifests]) {
    hash.update(`\0${file}\0${read(join(root, file)) ?? ''}`)
  }
  return hash.digest('hex')
}

/** npm's `os`, `cpu` and `libc` lists: names, or names to keep out with a `!` in front. */
function admits(list, name) {
  const names = [list ?? []].flat()
  const refused = names.filter((one) => one.startsWith('!')).map((one) => one.slice(1))
  const admitted = names.filter((one) => !one.startsWith('!'))
  return !refused.includes(name) && (admitted.length === 0 || admitted.includes(name))
}

/** An optional package that names no platform is left out together with the one, for another platform, that asks for it. */
function isWantedHere({ os, cpu, libc, optional, dev, devOptional }, wantsDev) {
  if (!wantsDev && (dev || devOptional)) return false
  if (optional && os === undefined && cpu === undefined) return false
  return admits(os, process.platform) && admits(cpu, process.arch) && admits(libc, 'glibc')
}

function manifestMatches(folder, lock) {
  const manifest = readJson(join(root, folder, 'package.json'))
  return DEPENDENCY_KINDS.every((kind) =>
    isDeepStrictEqual(manifest?.[kind] ?? {}, lock.packages[folder]?.[kind] ?? {}),
  )
}

const manifestsMatch = (lock) => packageFolders().every((folder) => manifestMatches(folder, lock))

/** A command of ours that moved within its workspace leaves npm's link to it behind. */
const commandsLeadSomewhere = ({ bin = {} }) =>
  Object.keys(bin).every((name) => existsSync(join(root, 'node_modules', '.bin', name)))

/** Whether what npm last put here is what the lock file asks for, so that nothing has to be done. */
function treeMatchesLock(wantsDev) {
  const lock = readJson(join(root, 'package-lock.json'))
  const tree = readJson(TREE)
  if (lock === undefined || tree === undefined || !manifestsMatch(lock)) return false
  return Object.entries(lock.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return commandsLeadSomewhere(entry)
    // A workspace that came with the last pull is not there yet, whatever else is installed.
    if (entry.link) return existsSync(join(root, path))
    const found = tree.packages[path]
    if (found === undefined) return !isWantedHere(entry, wantsDev)
    return found.version === entry.version && existsSync(join(root, path, 'package.json'))
  })
}

/** A tree with the packages for development serves those who can do without them just as well. */
const stampOf = ({ hasDev }) => `${fingerprint()} ${hasDev ? 'full' : 'lean'}`

const isForbidden = ({ code }) => ['EACCES', 'EPERM', 'EROFS'].includes(code)

/** The stamp only saves time: a user who may not write it, because root installed the packages, looks at the tree again. */
function writeStamp(stamp) {
  try {
    writeFileSync(STAMP, stamp)
  } catch (error) {
    if (!isForbidden(error)) throw error
  }
}

/** Looks first whether somebody ran npm by hand: nothing is touched that something may be running on. */
function isInstalled(wantsDev) {
  const stamp = read(STAMP)
  const isCurrent =
    stamp === stampOf({ hasDev: true }) || (!wantsDev && stamp === stampOf({ hasDev: false }))
  if (!isCurrent && !treeMatchesLock(wantsDev)) return false
  // Even where it says the same: server/src/bin/run compares its time.
  writeStamp(isCurrent ? stamp : stampOf({ hasDev: wantsDev }))
  return true
}

/** Runs a program to its end. Ctrl-C reaches it from the terminal by itself; other signals are passed on. */
function runToEnd(program, args, options) {
  const child = spawn(program, args, options)
  const passOn = (signal) => child.kill(signal)
  const leaveToChild = () => undefined
  process.on('SIGTERM', passOn).on('SIGHUP', passOn).on('SIGINT', leaveToChild)
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ status: code ?? 128 + constants.signals[signal], output }),
    )
  }).finally(() => {
    process.off('SIGTERM', passOn).off('SIGHUP', passOn).off('SIGINT', leaveToChild)
  })
}

/** Without our own `.bin`: npm must not run on the very Node.js that it is about to replace. */
function machinePath() {
  const bin = join('node_modules', '.bin')
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((folder) => !folder.endsWith(bin)).join(delimiter)
}

/**
 * `npm ci` takes everything away before it begins. Where a tree lies that a service may be running on, what is missing
 * is put beside it instead; half a tree, or manifests that the lock file does not know, are left to `ci` to judge.
 */
function verbFor(lock) {
  if (lock === undefined) return ['install']
  return existsSync(TREE) && manifestsMatch(lock) ? ['install', '--no-save'] : ['ci']
}

/** Whether npm put the packages for development here the last time. */
const hasDevPackages = () =>
  Object.values(readJson(TREE)?.packages ?? {}).some(({ dev }) => dev === true)

/** Says from time to time how many packages lie in their place; answers how to end it. */
function showProgress(hasDev, startedMs) {
  const wanted = Object.entries(readJson(join(root, 'package-lock.json'))?.packages ?? {})
    .filter(
      ([path, entry]) =>
        path.includes('node_modules/') && !entry.link && isWantedHere(entry, hasDev),
    )
    .map(([path]) => join(root, path, 'package.json'))
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    say(
      `${wanted.filter((path) => existsSync(path)).length} of ${wanted.length} packages after ${seconds} s`,
    )
  }, PROGRESS_MS)
  return () => clearInterval(timer)
}

/** While npm is at work there is no account of the tree, so that one whose making was killed is not taken for whole. */
async function runNpm(args) {
  const before = read(TREE)
  rmSync(TREE, { force: true })
  const { status, output, error } = await runToEnd('npm', args, {
    cwd: root,
    env: { ...process.env, PATH: machinePath() },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).catch((error) => ({ error }))
  if (status === 0) return
  // What it could not finish it has taken back.
  if (before !== undefined && args[0] === 'install') writeFileSync(TREE, before)
  throw new SetupError(
    error ? wordsFor(error) : `npm ${args[0]} failed with status ${status}:\n\n${output.trim()}\n`,
  )
}

const wordsFor = (error) =>
  error.code === 'ENOENT'
    ? 'npm is not on the PATH; install Node.js together with npm'
    : `npm could not be started: ${error.message}`

async function install(wantsDev) {
  const startedMs = performance.now()
  say('installing dependencies, this can take a minute…')
  const verb = verbFor(readJson(join(root, 'package-lock.json')))
  const hasDev = wantsDev || (!isProduction && hasDevPackages())
  const scope = [hasDev ? '--include=dev' : '--omit=dev', '--include=optional']
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  const endProgress = showProgress(hasDev, startedMs)
  await runNpm([...verb, ...scope, ...quietly]).finally(endProgress)
  writeStamp(stampOf({ hasDev }))
  say(`installed in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
  if (process.platform === 'darwin' && process.arch === 'arm64') {
    say('Node.js 24.0.0 is used here: no package has a newer 24 for macOS on ARM; others use 24.21')
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Tells a process from a later one that was given the same id; undefined where the system does not say. */
const startOf = (pid) => read(`/proc/${pid}/stat`)?.replace(/^.*\)/s, '').split(' ')[20]

/** Whether the process that a lock names still runs. We ask only where we hold none, so that it cannot be our own. */
function isHeldBy(holder) {
  const [, pid, start] = /^([1-9]\d*) ?(\d*)$/.exec(holder) ?? []
  if (pid === undefined || pid === String(process.pid) || !isAlive(Number(pid))) return false
  return start === '' || start === (startOf(pid) ?? start)
}

/** Made aside and moved into place, so that a lock always names its holder; a lock that is held is not replaced. */
function takeLock() {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const aside = mkdtempSync(`${LOCK}-`)
  writeFileSync(join(aside, 'pid'), `${process.pid} ${startOf(process.pid) ?? ''}`)
  try {
    renameSync(aside, LOCK)
    return true
  } catch (error) {
    rmSync(aside, { recursive: true })
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false
    throw error
  }
}

/** Puts away the lock of a process that ended without releasing it. Of several that try, one succeeds. */
function breakStaleLock() {
  const holder = read(join(LOCK, 'pid'))
  if (holder === undefined || isHeldBy(holder)) return
  const aside = `${LOCK}-stale-${process.pid}`
  try {
    renameSync(LOCK, aside)
  } catch {
    return
  }
  if (read(join(aside, 'pid')) === holder) rmSync(aside, { recursive: true })
  else renameSync(aside, LOCK)
}

async function installWhereNeeded(wantsDev) {
  if (isInstalled(wantsDev)) return
  await installAlone(wantsDev).catch((error) => {
    if (!isForbidden(error)) throw error
    throw new SetupError(
      `dependencies have to be installed, but ${error.path} cannot be written (${error.code}); ` +
        `run npm ci as the owner of ${root}`,
    )
  })
}

async function installAlone(wantsDev) {
  for (let isSaid = false; !takeLock(); isSaid = true) {
    if (!isSaid) say('waiting for another process that is installing here…')
    await wait(LOCK_POLL_MS)
    breakStaleLock()
  }
  try {
    if (!isInstalled(wantsDev)) await install(wantsDev)
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}

function isAtLeast(major, minor) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number)
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

/** The channel lets the script notice that we are gone, should we be killed without a chance to tell it. */
async function runScript(args) {
  // Loading the sources takes half the time when Node.js may keep what it made of them.
  const env = { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...process.env }
  const options = { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }
  const pinned = join(root, 'node_modules', '.bin', 'node')
  try {
    if (existsSync(pinned)) return (await runToEnd(pinned, args, options)).status
  } catch (error) {
    say(`the Node.js brought by npm does not run on this machine (${error.code})`)
    // So that server/src/bin/run, which knows no other, leaves the next start to us as well.
    rmSync(STAMP, { force: true })
  }
  if (isAtLeast(22, 18)) return (await runToEnd(process.execPath, args, options)).status
  throw new SetupError(
    `this machine's Node.js ${process.versions.node} cannot run the service, and npm brings none ` +
      `for ${process.platform}-${process.arch}; install Node.js 24`,
  )
}

/** The service and the operator's command run without the packages for development, whatever NODE_ENV says. */
const isOfService = (script) =>
  resolve(root, script).startsWith(join(root, 'server', 'src', 'bin') + sep)

async function main() {
  if (!isAtLeast(20, 0)) {
    throw new SetupError(`Node.js 20 or newer is needed, this is ${process.versions.node}`)
  }
  const [first, ...rest] = process.argv.slice(2)
  const isWatched = first === '--watch'
  const [script, ...args] = isWatched ? rest : first === undefined ? [] : [first, ...rest]
  const canDoWithoutDev = script !== undefined && !isWatched && isOfService(script)
  await installWhereNeeded(!isProduction && !canDoWithoutDev)
  if (script === undefined) return 0
  return runScript([...(isWatched ? ['--watch'] : []), resolve(root, script), ...args])
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  say(error.message)
  process.exitCode = 1
}
