import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync, globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../pages/doc-examples.ts'

const run = promisify(execFile)
const CONTAINERFILE = join(ROOT, 'deploy/Containerfile')
/** The image is of no use once its test has ended. */
const MEMORY_DISK = '/dev/shm'
const PROGRAM = 'node_modules/.bin/node'

/** What the image says about how it is run. */
type ImageConfig = Readonly<{
  User: string
  Env: readonly string[]
  WorkingDir: string
  Entrypoint: readonly string[]
  Cmd: readonly string[]
  Healthcheck: Readonly<{ Test: readonly string[] }>
}>

export type Image = Readonly<{
  config: ImageConfig
  /** The folder that is the root of a container. */
  root: string
  /** Starts a program in a container: as the image's user, on a root that cannot be written. */
  start(command: readonly string[], env: Record<string, string>): ChildProcess
}>

/**
 * Builds deploy/Containerfile without a network. Two things stand in for what it would fetch: the packages that are
 * installed here for those of the registry, and the C library of this machine for the base image.
 */
export async function buildImage(): Promise<Image> {
  // On the disk of the packages, so that they are linked rather than copied.
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(ROOT, '.cache/image-'))
  const memory = await mkdtemp(
    join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'florin-image-'),
  )
  const buildah = async (...args: string[]): Promise<string> => {
    const places = [`--root=${join(memory, 'storage')}`, `--runroot=${join(memory, 'run')}`]
    // A program in Go: it ends before collecting garbage is worth a tenth of the test.
    const go = { GOGC: 'off', GOMEMLIMIT: '1GiB' }
    const env = { ...process.env, ...go, BUILDAH_ISOLATION: 'chroot', TMPDIR: memory }
    const all = ['--storage-driver=vfs', ...places, ...args]
    return (await run('buildah', all, { env, cwd: ROOT })).stdout.trim()
  }
  after(async () => {
    await buildah('unmount', '--all')
    for (const one of [folder, memory]) await rm(one, { recursive: true })
  })
  const [packages, base] = await Promise.all([stagePackages(folder), stageBase(folder)])
  const scratch = await buildah('from', 'scratch')
  await buildah('copy', scratch, base, '/')
  await buildah('commit', scratch, 'base')
  await buildah(
    ...['build', '--format=docker', '--tag=florin', '--build-arg=BASE=localhost/base'],
    ...[`--build-context=packages=${packages}`, `--file=${CONTAINERFILE}`, ROOT],
  )
  const { Docker } = JSON.parse(await buildah('inspect', '--type=image', 'florin')) as {
    Docker: { config: ImageConfig }
  }
  const root = await buildah('mount', await buildah('from', 'florin'))
  const config = Docker.config
  return { config, root, start: (command, env) => startIn(root, { config, command, env }) }
}

type Locked = Readonly<Record<'dev' | 'devOptional' | 'link', boolean | undefined>>

/** What `npm ci --omit=dev` installs, linked from what is installed here, and then left out as the Containerfile says. */
async function stagePackages(folder: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const wanted = Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .filter(([path, { dev, devOptional }]) => !dev && !devOptional && existsSync(join(ROOT, path)))
    .map(([path]) => path)
  const manifests = ['package.json', 'server/package.json', 'sdk/package.json']
  const stage = join(folder, 'packages')
  const inside = join(stage, 'packages')
  await mkdir(join(inside, dirname(PROGRAM)), { recursive: true })
  const paths = [...manifests, ...wanted]
  await run('cp', ['--archive', '--link', '--parents', ...paths, inside], { cwd: ROOT })
  await symlink(`../node-${process.platform}-${process.arch}/bin/node`, join(inside, PROGRAM))
  const text = await readFile(CONTAINERFILE, 'utf8')
  const [, leaveOut = ''] = /^RUN (rm (?:.*\\\n)*.*)/m.exec(text) ?? []
  await run('sh', ['-ec', leaveOut], { cwd: inside })
  return stage
}

/** What distroless has that the service needs: the C library, the user's name and a folder for temporary files. */
async function stageBase(folder: string): Promise<string> {
  const base = join(folder, 'base')
  const native = globSync('node_modules/@img/sharp-linux-*/lib/*.node', { cwd: ROOT })
  const { stdout } = await run('ldd', [process.execPath, ...native], { cwd: ROOT })
  for (const path of new Set(stdout.match(/(?<=\s)\/lib\S*/g))) {
    await cp(path, join(base, path), { dereference: true })
  }
  for (const name of ['etc', 'tmp', 'proc', 'dev']) await mkdir(join(base, name))
  await writeFile(join(base, 'etc/passwd'), 'nonroot:x:65532:65532::/:/sbin/nologin\n')
  return base
}

/** The mounts of a container and its user, without the rest that only a container engine makes. */
const ENTER = `
  root=$1 folder=$2 user=$3 group=$4; shift 4
  mount --bind "$root" "$root"
  mount --options remount,bind,ro "$root"
  mount --rbind /dev "$root/dev"
  mount --types proc proc "$root/proc"
  mount --types tmpfs tmpfs "$root/tmp"
  mount --types tmpfs --options "uid=$user,gid=$group,mode=0700" tmpfs "$root/data"
  as=$(command -v setpriv) in=$(command -v unshare) PATH=$IMAGE_PATH
  exec "$as" --clear-groups --no-new-privs --bounding-set=-all,+setuid,+setgid,+sys_chroot \
    "$in" --root "$root" --wd "$folder" --setgid "$group" --setuid "$user" -- "$@"`

type Started = Readonly<{
  config: ImageConfig
  command: readonly string[]
  env: Record<string, string>
}>

function startIn(root: string, { config, command, env }: Started): ChildProcess {
  const given = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  const { PATH: IMAGE_PATH, ...rest } = given as Record<string, string>
  const place = [root, config.WorkingDir, ...config.User.split(':')]
  return spawn(
    'unshare',
    ['--mount', '--propagation=private', 'sh', '-ec', ENTER, 'sh', ...place, ...command],
    {
      env: { PATH: process.env['PATH'], IMAGE_PATH, ...rest, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}
