/** What `deploy/` says to systemd, Compose and Kubernetes is what the service understands. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { loadSettings, settingNames } from '../../src/infra/settings/settings.ts'
import { commands } from '../../src/operator/commands.ts'
import { ROOT } from '../kit/pages/doc-examples.ts'
import { isInstalled } from '../kit/processes/is-installed.ts'
import { MASTER_KEY } from '../kit/processes/server-process.ts'

const run = promisify(execFile)
const readDeploy = (path: string): Promise<string> => readFile(join(ROOT, 'deploy', path), 'utf8')

/** Names of the environment that Node.js or the machine reads. */
const NOT_OURS = ['PATH', 'NODE_COMPILE_CACHE']
const isKnown = (name: string): boolean =>
  NOT_OURS.includes(name) || Object.values(settingNames).includes(name)

test('CORE-82 the unit of systemd is hardened, and nothing in it is wrong', async (t) => {
  const unit = await readDeploy('systemd/florin.service')
  const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
  for (const pair of environment.split(' ')) assert.ok(isKnown(pair.split('=')[0] ?? ''), pair)
  if (!(await isInstalled('systemd-analyze', '--version'))) {
    t.diagnostic('not run: the checks of deploy/systemd: systemd-analyze is not installed here')
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'florin-unit-'))
  after(() => rm(folder, { recursive: true }))
  // The checkout is here rather than in the place that the unit names.
  const path = join(folder, 'florin.service')
  await writeFile(path, unit.replaceAll('/opt/florin', ROOT))
  const verified = await run('systemd-analyze', ['verify', '--recursive-errors=no', path])
  assert.equal(verified.stdout + verified.stderr, '')
  // From 0, nothing is exposed, to 100.
  await run('systemd-analyze', ['security', '--offline=true', '--threshold=15', path])
})

type Compose = Readonly<{
  services: Readonly<
    Record<
      string,
      Readonly<{
        environment: Record<string, string>
        read_only?: boolean
        ports?: readonly string[]
      }>
    >
  >
}>

test('CORE-82 Compose starts the service and PostgreSQL, with settings that a production service takes', async () => {
  const { services } = parse(await readDeploy('compose.yml')) as Compose
  assert.deepEqual(Object.keys(services), ['florin', 'database'])
  const { environment = {}, read_only: isReadOnly, ports = [] } = services['florin'] ?? {}
  assert.equal(isReadOnly, true)
  assert.ok(ports.every((port) => port.startsWith('127.0.0.1:')))
  const given: Record<string, string> = { MASTER_KEY, PUBLIC_URL: 'https://api.example.com' }
  const env = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):[?-]([^}]*)\}/g, (_whole, asked: string) => given[asked] ?? ''),
    ]),
  )
  assert.deepEqual(
    Object.keys(env).filter((name) => !isKnown(name)),
    [],
  )
  const settings = loadSettings({ NODE_ENV: 'production', ...env }, { cwd: tmpdir() })
  assert.equal(settings.publicUrl, given['PUBLIC_URL'])
})

type Container = Readonly<{
  image: string
  args?: readonly string[]
  env?: readonly { name: string }[]
  securityContext: object
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}>
type Probe = Readonly<{ httpGet: { path: string; port: string } }>
type Manifest = Readonly<{
  kind: string
  spec: Readonly<{
    replicas?: number
    minAvailable?: number
    selector?: object
    template?: { metadata: { labels: object }; spec: { containers: readonly [Container] } }
  }>
}>

const manifestsIn = async (path: string): Promise<Manifest[]> =>
  parseAllDocuments(await readDeploy(path)).map((one) => one.toJS() as Manifest)

test('CORE-84 Kubernetes runs two processes, asks for what the service answers, and migrates by a command', async () => {
  const [deployment, ...others] = await manifestsIn('kubernetes/florin.yaml')
  const [job] = await manifestsIn('kubernetes/migrate.yaml')
  assert.ok(deployment?.spec.template && job?.spec.template)
  assert.equal(deployment.spec.replicas, 2)
  const budget = others.find(({ kind }) => kind === 'PodDisruptionBudget')
  assert.equal(budget?.spec.minAvailable, 1)
  const { labels } = deployment.spec.template.metadata
  assert.deepEqual(budget.spec.selector, { matchLabels: labels })
  assert.deepEqual(others.find(({ kind }) => kind === 'Service')?.spec.selector, labels)
  const [container] = deployment.spec.template.spec.containers
  const [migration] = job.spec.template.spec.containers
  for (const { env = [], securityContext } of [container, migration]) {
    assert.deepEqual(
      env.filter(({ name }) => !isKnown(name)),
      [],
    )
    assert.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
  const { startupProbe, livenessProbe, readinessProbe } = container
  const paths = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet.path)
  assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz'])
  const [program, ...words] = migration.args ?? []
  assert.equal(program, 'server/src/bin/florin.ts')
  assert.ok(
    commands.some(({ name }) => name === words.join(' ')),
    words.join(' '),
  )
})
