import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { client, expectError, expectStatus } from '../../test/kit/api.ts'
import { emptyDatabase } from '../../test/kit/database/database.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { externalAccountBody } from '../../test/kit/accounts/external-account-bodies.ts'
import { startOwnKit } from '../../test/kit/florin.ts'
import { LOCAL_ACTOR, callFlorin, operate, type CommandRun } from '../../test/kit/operator.ts'
import { readMigrations } from '../infra/db/migrate.ts'
import { findCommand } from './command-line/command-line.ts'
import { commands } from './commands.ts'

const kit = await startOwnKit()
const run = promisify(execFile)
const COMMAND = join(import.meta.dirname, '../bin/florin.ts')

const environmentOn = (databaseUrl: string) => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
})

/** The real command in a process of its own, beside the running service. */
async function spawned(...args: string[]): Promise<CommandRun> {
  const env = environmentOn(kit.databaseUrl)
  try {
    return { status: 0, ...(await run(process.execPath, [COMMAND, ...args], { env })) }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { status: code, stdout, stderr }
  }
}

async function json(line: string): Promise<Record<string, string>> {
  const { status, stdout, stderr } = await spawned(...line.split(' '), '--json')
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout) as Record<string, string>
}

const florinOn = (databaseUrl: string, args: readonly string[]): Promise<CommandRun> =>
  callFlorin({ args, env: environmentOn(databaseUrl), cwd: import.meta.dirname })

const florin = (...args: string[]): Promise<CommandRun> => florinOn(kit.databaseUrl, args)

const command = async (line: string) =>
  (await operate(kit, line)) as unknown as Record<string, string>

const CREATE = 'platforms create --kind UNREGULATED --currencies USD,EUR --name'

test('CORE-83 platforms create prints credentials that work at once, and one JSON value', async () => {
  const created = await json(`${CREATE} Command`)
  assert.deepEqual(Object.keys(created).toSorted(), [
    'clientId',
    'clientSecret',
    'platformId',
    'tokenId',
    'webhookPublicKey',
  ])
  assert.match(created['webhookPublicKey'] ?? '', /^-----BEGIN PUBLIC KEY-----/)
  const { clientId = '', clientSecret = '' } = created
  const config = expectStatus(
    await client(kit.baseUrl, { clientId, clientSecret }).get('/config'),
    200,
  )
  assert.equal(config.isRegulatedFinancialInstitution, false)
})

test('CORE-83 platforms list and show tell of it, update changes it', async () => {
  const { platformId = '' } = await command(`${CREATE} Shown`)
  const listed = (await command('platforms list')) as unknown as Record<string, string>[]
  assert.ok(listed.some((line) => line['platformId'] === platformId && line['name'] === 'Shown'))
  const updated = await command(`platforms update ${platformId} --name Renamed --travel-rule on`)
  assert.equal(updated['name'], 'Renamed')
  assert.equal(updated['travelRule'], true)
  assert.deepEqual(await command(`platforms show ${platformId}`), updated)
})

test('CORE-83 KYC-1 verification paperwork is skipped in sandbox only, by a switch alone or with its value', async () => {
  const { platformId = '' } = await command(
    `${CREATE} Skipping --skip-verification-paperwork=false`,
  )
  const skips = async () =>
    (await command(`platforms show ${platformId}`))['skipVerificationPaperwork']
  assert.equal(await skips(), false)
  for (const [given, expected] of [
    ['--skip-verification-paperwork', true],
    ['--skip-verification-paperwork=false', false],
    ['--skip-verification-paperwork=true', true],
    ['--skip-verification-paperwork off', false],
    ['--skip-verification-paperwork --travel-rule off', true],
  ] as const) {
    await command(`platforms update ${platformId} ${given}`)
    assert.equal(await skips(), expected, given)
  }
  const PRODUCTION = `${CREATE} Producing --environment PRODUCTION`
  const sandboxOnly = /sandbox platforms only/
  await assert.rejects(command(`${PRODUCTION} --skip-verification-paperwork`), sandboxOnly)
  const { platformId: producing = '' } = await command(PRODUCTION)
  await assert.rejects(
    command(`platforms update ${producing} --name Other --skip-verification-paperwork on`),
    sandboxOnly,
  )
  const shown = await command(`platforms show ${producing}`)
  assert.equal(shown['name'], 'Producing')
  assert.equal(shown['skipVerificationPaperwork'], false)
  await command(`platforms update ${producing} --skip-verification-paperwork off`)
})

test('CORE-83 EACC-5 a platform is made with strict identifiers, by a switch alone or with its value', async () => {
  const body = externalAccountBody('USD_ACCOUNT', { routingNumber: '123456789' })
  for (const [given, status] of [
    ['--strict-identifiers on', 400],
    ['--strict-identifiers', 400],
    ['--strict-identifiers off', 201],
  ] as const) {
    const {
      platformId,
      clientId = '',
      clientSecret = '',
    } = await command(`${CREATE} Strict ${given}`)
    const api = client(kit.baseUrl, { clientId, clientSecret })
    expectStatus(await api.post('/platform/external-accounts', body), status)
    const shown = await command(`platforms show ${platformId}`)
    assert.equal(shown['strictIdentifiers'], status === 400, given)
  }
  await assert.rejects(command(`${CREATE} Strict --strict-identifiers=maybe`), /is one of on, off/)
})

test('TOK-1 CORE-83 a platform or token without a name is refused', async () => {
  const { platformId = '' } = await command(`${CREATE} Named`)
  const line = `tokens create --platform ${platformId} --name`
  for (const name of ['', ' ', 'a\u0001', 'x'.repeat(256)]) {
    await assert.rejects(operate(kit, line, name), /--name must/)
  }
  await assert.rejects(operate(kit, `${CREATE} `), /--name must not be blank/)
})

test('HOOK-23 platforms rotate-webhook-key makes a new pair', async () => {
  const { platformId = '', webhookPublicKey } = await command(`${CREATE} Rotated`)
  const rotated = await command(`platforms rotate-webhook-key ${platformId}`)
  assert.notEqual(rotated['webhookPublicKey'], webhookPublicKey)
  assert.equal(
    (await command(`platforms show ${platformId}`))['webhookPublicKey'],
    rotated['webhookPublicKey'],
  )
})

test('CORE-83 tokens create and revoke work beside a running service', async () => {
  const { platformId = '' } = await command(`${CREATE} Tokens`)
  const made = await command(`tokens create --platform ${platformId} --name ci --permissions VIEW`)
  const { clientId = '', clientSecret = '', tokenId = '' } = made
  const api = client(kit.baseUrl, { clientId, clientSecret })
  expectStatus(await api.get('/config'), 200)
  await json(`tokens revoke ${tokenId}`)
  // The service hears of it by notification, well before its cache of five seconds runs out.
  await eventually(async () => expectError(await api.get('/config'), 401, 'UNAUTHORIZED'))
})

test('CORE-92 audit list names who did what', async () => {
  const { platformId = '' } = await command(`${CREATE} Audited`)
  const lines = (await command(`audit list --platform ${platformId}`)) as unknown as Record<
    string,
    string
  >[]
  assert.ok(
    lines.some((line) => line['action'] === 'platforms create' && line['actor'] === LOCAL_ACTOR),
  )
})

test('CORE-81 CORE-83 migrate says what it applied; no other command changes the schema', async () => {
  const database = await emptyDatabase()
  after(() => database.drop())
  const names = (await readMigrations()).map(({ name }) => name)
  const refused = await florinOn(database.url, ['jobs', 'list', '--json'])
  assert.deepEqual([refused.status, refused.stdout], [1, ''])
  assert.match(refused.stderr, /^florin: the database is behind this build: it lacks 0001-/)
  assert.match(refused.stderr, /`florin migrate`/)
  for (const applied of [names, []]) {
    const { stdout, stderr } = await florinOn(database.url, ['migrate', '--json'])
    assert.deepEqual(JSON.parse(stdout), { applied }, stderr)
  }
  assert.equal((await florinOn(database.url, ['jobs', 'list', '--json'])).stdout, '[]\n')
})

test('CORE-83 ledger check, doctor, migrate and jobs list answer', async () => {
  assert.equal((await command('ledger check'))['ok'], true)
  const unwell = await florin('doctor', '--json')
  assert.equal(unwell.status, 1, 'a production platform has no prices yet')
  const codes = ['BTC', 'ETH', 'EUR', 'POL', 'SOL', 'TRX']
  await command(`rates set ${codes.map((code) => `--price ${code}=1`).join(' ')}`)
  assert.equal((await florin('doctor', '--json')).status, 0)
  assert.deepEqual(await command('migrate'), { applied: [] })
  assert.deepEqual(await command('jobs list'), [])
})

test('CORE-83 errors go to standard error with exit status 1', async () => {
  const runs = await Promise.all([
    spawned('platforms', 'show', 'Platform:nobody', '--json'),
    florin('platforms', 'show', 'Platform:nobody', '--json'),
    florin('platforms', 'create', '--name', 'x', '--json'),
    florin('platforms', 'list', '--unknown'),
  ])
  for (const { status, stdout, stderr } of runs) {
    assert.deepEqual([status, stdout], [1, ''], stderr)
    assert.match(stderr, /^florin: \S/)
  }
})

test('CORE-83 what a command cannot use is refused', async () => {
  for (const line of [
    'platforms create --name x --kind ODD --currencies USD',
    'platforms create --name x --kind REGULATED --currencies XQX',
    'tokens revoke Token:nobody',
  ]) {
    await assert.rejects(operate(kit, line), line)
  }
})

test('CORE-83 a database that cannot be reached is said in one line', async () => {
  const env = { ...process.env, DATABASE_URL: 'postgres://florin:hidden@127.0.0.1:1/florin' }
  await assert.rejects(run(process.execPath, [COMMAND, 'doctor', '--json'], { env }), {
    code: 1,
    stdout: '',
    stderr: 'florin: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
  })
})

test('CORE-83 every command has a help text', async () => {
  for (const { name, about } of commands) {
    assert.match(about, /^[A-Z].*\.$/, name)
    assert.equal(findCommand(commands, name.split(' '))?.name, name)
  }
  const { stdout } = await florin('platforms', 'create', '--help')
  assert.match(stdout, /--currencies CODES/)
})

test('OPER-8 operators recover is logged as a warning, beside its answer', async () => {
  const { status, stdout, stderr } = await florin('operators', 'recover', '--name', 'Eve', '--json')
  assert.equal(status, 0, stderr)
  assert.equal((JSON.parse(stdout) as Record<string, unknown>)['name'], 'Eve')
  const line = JSON.parse(stderr) as Record<string, unknown>
  assert.deepEqual([line['level'], line['operator']], ['warn', 'Eve'])
})
