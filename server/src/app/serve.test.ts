import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ask } from '../../test/faults/database-process.ts'
import { client, expectStatus } from '../../test/kit/api.ts'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { callFlorin } from '../../test/kit/operator.ts'
import { findFreePort } from '../infra/db/embedded/postmaster.ts'
import { newUuid } from '../kernel/ids.ts'
import { createLog } from '../infra/logging/log.ts'
import { loadSettings } from '../infra/settings/settings.ts'
import { compileValidators } from '../infra/http/schema/validate.ts'
import { operations } from './operations.ts'
import { serve } from './serve.ts'
import { StartError } from './start-database.ts'

const database = await cloneDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'florin-serve-'))
const settings = loadSettings(
  {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    ADMIN_PORT: String(await findFreePort()),
    PUBLIC_URL: 'https://pay.example/florin',
  },
  { cwd: dataDir },
)
const log = createLog({ logLevel: 'fatal' })
const serving = await serve(settings, log)
after(async () => {
  await serving.stop()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const origin = `http://127.0.0.1:${settings.port}`
const adminOrigin = `http://127.0.0.1:${settings.adminPort}`

test('CORE-80 CORE-81 on a database of its own nothing is made up, and addresses are the public ones', () => {
  assert.equal(serving.credentials, undefined)
  assert.equal(serving.baseUrl, 'https://pay.example/florin/2025-10-13')
  assert.equal(serving.docsUrl, 'https://pay.example/florin/docs')
  assert.equal(serving.metricsUrl, `${adminOrigin}/metrics`)
})

test('CORE-80 the dashboard’s address signs in, and figures beside it stay open', async () => {
  const url = serving.dashboardUrl ?? ''
  assert.ok(url.startsWith(`${adminOrigin}/sign-in/`), url)
  const page = await fetch(url)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Sign in as florin/)
  assert.equal((await fetch(adminOrigin)).status, 401)
  assert.equal((await fetch(`${adminOrigin}/metrics`)).status, 200)
})

test('CORE-84 figures are given under the name of the admin listener alone', async () => {
  const ask = httpRequest(`${adminOrigin}/metrics`, { headers: { host: 'rebound.example' } })
  ask.end()
  const [answer] = (await once(ask, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 421)
})

test('CORE-80 in production the address alone is printed: logs are read by many', async () => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  const other = await serve({ ...settings, production: true, port, adminPort }, log)
  assert.equal(other.dashboardUrl, `http://127.0.0.1:${adminPort}`)
  await other.stop()
})

test('CORE-84 the API answers before the dashboard is there', async () => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  const statuses: Promise<number>[] = []
  const other = await serve({ ...settings, port, adminPort }, log, {
    onAnswering() {
      const addresses = [
        `http://127.0.0.1:${port}/healthz`,
        `http://127.0.0.1:${adminPort}/metrics`,
      ]
      for (const address of addresses)
        statuses.push(
          fetch(address).then(
            ({ status }) => status,
            () => 0,
          ),
        )
    },
  })
  assert.deepEqual(await Promise.all(statuses), [200, 0])
  assert.equal((await fetch(`http://127.0.0.1:${adminPort}/metrics`)).status, 200)
  await other.stop()
})

test('OPER-20 in production FOUR_EYES=off is warned of and audited at every start', async () => {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  const entries = async (): Promise<number> => {
    const args = ['audit', 'list', '--action', 'four-eyes off', '--json']
    const { stdout } = await callFlorin({ args, env, cwd: dataDir })
    return (JSON.parse(stdout) as unknown[]).length
  }
  const before = await entries()
  for (const fourEyes of ['off', 'on'] as const) {
    const lines: string[] = []
    const [port, adminPort] = [await findFreePort(), await findFreePort()]
    const of = { ...settings, production: true, fourEyes, port, adminPort }
    const warned = createLog({ logLevel: 'warn' }, { write: (line) => void lines.push(line) })
    const other = await serve(of, warned)
    await other.stop()
    assert.equal(lines.join().includes('FOUR_EYES is off'), fourEyes === 'off')
    assert.equal(await entries(), before + 1)
  }
})

test('CORE-84 health and readiness need no credentials', async () => {
  for (const path of ['/healthz', '/readyz']) {
    assert.equal((await fetch(origin + path)).status, 200, path)
  }
})

test('CORE-9 what lies outside the version path names its methods too', async () => {
  const described = ['/openapi.json', '/openapi.yaml', '/llms.txt', '/docs/collection.json']
  for (const path of ['/healthz', '/readyz', '/docs', ...described]) {
    for (const method of ['POST', 'DELETE', 'PROPFIND']) {
      const { status, headers } = await fetch(origin + path, { method })
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'], `${method} ${path}`)
    }
  }
})

test('CORE-9 a page that the reference has not is not found', async () => {
  const { status, headers } = await fetch(`${origin}/docs/nothing`)
  assert.deepEqual([status, headers.get('allow')], [404, null])
})

test('CORE-84 figures are on the admin listener alone, and are all there', async () => {
  const nobody = client(`${origin}/2025-10-13`, { clientId: 'nobody', clientSecret: 'x' })
  expectStatus(await nobody.get('/config'), 401)
  assert.equal((await fetch(`${origin}/metrics`)).status, 404)
  const figures = await (await fetch(`${adminOrigin}/metrics`)).text()
  for (const figure of [
    /^florin_request_duration_seconds_count\{operation="getPlatformConfig",status="401"\} 1$/m,
    /^florin_ledger_postings_total 0$/m,
    /^# TYPE florin_jobs_total counter$/m,
    /^# TYPE florin_webhook_deliveries_total counter$/m,
    /^florin_database_retries_total 0$/m,
    /^florin_database_connections\{state="total"\} \d+$/m,
  ]) {
    assert.match(figures, figure)
  }
})

test('CORE-86 the description and its page are served, and every operation is described', async () => {
  const description = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    openapi: string
    servers: unknown
    paths: Record<string, Record<string, unknown>>
  }
  assert.match(description.openapi, /^3\.1\./)
  assert.deepEqual(description.servers, [{ url: serving.baseUrl }])
  for (const { path, method } of operations) {
    assert.ok(description.paths[path]?.[method.toLowerCase()], `${method} ${path}`)
  }
  const page = await fetch(`${origin}/docs`)
  assert.equal(page.status, 200)
  assert.ok((await page.text()).includes('"docs/collection.json"'))
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
})

test('OPER-203 the collection is served for the address of this installation', async () => {
  const answer = await fetch(`${origin}/docs/collection.json`)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  const { variable } = (await answer.json()) as { variable: unknown[] }
  assert.deepEqual(variable[0], { key: 'baseUrl', value: serving.baseUrl })
})

test('CORE-82 on any free port links lead to the one that was taken, or to where they were told to', async () => {
  const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' }
  const other = await serve(loadSettings(env, { cwd: dataDir }), log)
  const answer = await fetch(new URL('/openapi.json', other.baseUrl))
  const { servers } = (await answer.json()) as { servers: unknown }
  assert.deepEqual(servers, [{ url: other.baseUrl }])
  await other.stop()
  const given = { ...env, PUBLIC_URL: 'https://pay.example' }
  const behindProxy = await serve(loadSettings(given, { cwd: dataDir }), log)
  assert.equal(behindProxy.baseUrl, 'https://pay.example/2025-10-13')
  await behindProxy.stop()
})

test('CORE-82 CORE-90 where a free port was just taken the next one is used, in a folder of its own', async () => {
  const folder = await mkdtemp(join(process.env['TEST_SCRATCH'] ?? tmpdir(), 'serve-'))
  await chmod(folder, 0o755)
  const taken = [settings.port]
  const findPort = async (host: string) => taken.pop() ?? findFreePort(host)
  const env = { DATA_DIR: join(folder, 'data'), PORT: '0', ADMIN_PORT: '0' }
  const other = await serve(loadSettings(env, { cwd: folder }), log, { findPort })
  try {
    assert.equal((await fetch(new URL('/readyz', other.baseUrl))).status, 200)
    assert.ok(other.credentials)
    // The account of the embedded database may pass through, where that is another one; it cannot look in.
    assert.equal((await stat(env.DATA_DIR)).mode & 0o067, 0, 'keys and documents are for the owner')
  } finally {
    await other.stop()
    await rm(folder, { recursive: true })
  }
  assert.deepEqual(taken, [])
})

test('CORE-82 a port that is taken is said in words, whichever of the two it is', async () => {
  const free = await findFreePort()
  await assert.rejects(
    serve({ ...settings, adminPort: 0 }, log),
    (error: Error) => error instanceof StartError && error.message.includes('Set PORT to'),
  )
  await assert.rejects(
    serve({ ...settings, port: free }, log, {
      onAnswering: () => assert.fail('nothing is answered before'),
    }),
    (error: Error) => error instanceof StartError && error.message.includes('Set ADMIN_PORT to'),
  )
})

test('CORE-82 a host that is not of this machine is said in words, whichever of the two it is', async () => {
  const elsewhere = '203.0.113.7'
  const port = await findFreePort()
  for (const [given, name] of [
    [{ host: elsewhere, port }, 'HOST'],
    [{ host: elsewhere, port: 0 }, 'HOST'],
    [{ host: 'nowhere.invalid', port }, 'HOST'],
    [{ adminHost: elsewhere, port, adminPort: port }, 'ADMIN_HOST'],
  ] as const) {
    await assert.rejects(serve({ ...settings, adminPort: 0, ...given }, log), {
      name: 'StartError',
      message: new RegExp(`Set ${name} to an address of this machine`),
    })
  }
})

test('CORE-82 a data folder in which nothing can be written refuses the start in one sentence', async () => {
  const file = join(dataDir, 'a-file')
  await writeFile(file, '')
  for (const place of [file, join(file, 'below'), '/proc/nope/below']) {
    await assert.rejects(serve({ ...settings, port: 0, adminPort: 0, dataDir: place }, log), {
      name: 'StartError',
      message: /cannot be used \(E\w+\)\. Set DATA_DIR to a folder/,
    })
  }
})

/** The role may log in, and has neither rights nor a second connection. */
async function makeWeakRole(): Promise<string> {
  const role = `weak_${newUuid().slice(-12)}`
  await ask(database.url, `create role ${role} login password 'weak' connection limit 1`)
  after(async () => {
    await ask(database.url, `drop owned by ${role}`)
    await ask(database.url, `drop role ${role}`)
  })
  return role
}

test('CORE-81 CORE-83 a database that refuses is said in one sentence, and the program ends', async () => {
  const role = await makeWeakRole()
  const as = (url: string, user: string, password: string): string =>
    Object.assign(new URL(url), { username: user, password }).href
  const weak = as(database.url, role, 'weak')
  const env = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'fatal' }
  const run = (program: string, more: Record<string, string>, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../bin', program), ...args], {
      env: { ...process.env, ...env, ...more },
      cwd: dataDir,
      encoding: 'utf8',
      timeout: 60_000,
    })
  const lone = run('florin.ts', { DATABASE_URL: weak }, 'doctor')
  await ask(database.url, `alter role ${role} connection limit -1`)
  const owned = { DATABASE_OWNER_URL: database.url }
  for (const [{ stderr, status }, reason] of [
    [lone, /too many connections for role/],
    [run('server.ts', { DATABASE_URL: weak }), /permission denied for schema public/],
    [run('server.ts', { DATABASE_URL: as(weak, role, 'no'), ...owned }), /password authentication/],
    [run('server.ts', { DATABASE_URL: as(weak, 'nobody', 'no'), ...owned }), /does not exist/],
  ] as const) {
    assert.match(stderr, /^florin: the database [^\n]+\n$/)
    assert.match(stderr, reason)
    assert.equal(status, 1)
  }
})

test('every validator that was made can be compiled, those too that no request has needed', async () => {
  await compileValidators(0)
})
