import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { text, type Body } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { callFlorin, LOCAL_ACTOR, operate } from '../../../test/kit/operator.ts'
import { openDashboard, visitorWith } from '../../../test/kit/pages/dashboard.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { identifyToken } from './identify-token.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const { deps } = kit.florin
const folder = mkdtempSync(join(tmpdir(), 'florin-token-'))
after(() => rmSync(folder, { recursive: true }))

const HERE = '127.0.0.1'

const at = (ms: number) => ({ ...deps, clock: { now: () => addMs(deps.clock.now(), ms) } })

/** `florin` as in production, in a process of its own but for the start of one. */
const florin = (line: string, env: Record<string, string> = {}) =>
  callFlorin({
    args: line.split(' '),
    env: {
      DATABASE_URL: kit.databaseUrl,
      MASTER_KEY: deps.settings.masterKey,
      OPERATOR_CLI: 'token',
      ...env,
    },
    cwd: folder,
  })

const refused =
  (code: string, details: object) =>
  (error: ApiError): boolean => {
    assert.deepEqual({ code: error.code, ...error.details }, { code, ...details })
    return true
  }

test('OPER-6 OPER-40 the first operator is invited without a token, signs in and makes one', async () => {
  const line =
    'operators invite --name Anna --email anna@example.com --roles ADMIN,TREASURER --json'
  const { status, stdout, stderr } = await florin(line)
  assert.equal(status, 0, stderr)
  const { url = '' } = JSON.parse(stdout) as Record<string, string>
  const [entry] = (await operate(kit, 'audit list --action operators')) as unknown as Body[]
  assert.equal(entry?.['actor'], LOCAL_ACTOR)

  const without = await florin('platforms list')
  assert.equal(without.status, 1)
  assert.match(without.stderr, /^florin: UNAUTHORIZED: /)

  const board = await openDashboard(kit)
  const body = new URLSearchParams({ secret: url.split('/').at(-1) ?? '' })
  const headers = { origin: board.origin }
  const signedIn = await board.send('/sign-in', { method: 'POST', body, headers })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const anna = visitorWith(cookie, board)
  const made = await anna.post('/account/tokens/-/create', { name: 'laptop' })
  const token = /flop_[\w-]{43}/.exec(made.text)?.[0] ?? ''
  assert.ok(token, made.text)
  assert.match((await anna.get('/account/tokens')).text, /laptop/)

  const invite = 'operators invite --name Otto --email otto@example.com --roles ADMIN'
  const second = await florin(invite, { FLORIN_OPERATOR_TOKEN: token })
  assert.equal(second.status, 0, second.stderr)
  const [last] = (await operate(kit, 'audit list --action operators')) as unknown as Body[]
  assert.equal(last?.['actor'], 'operator:Anna', 'a personal token is the person')
  const file = join(folder, 'token')
  writeFileSync(file, `${token}\n`)
  assert.equal((await florin(`platforms list --token-file ${file}`)).status, 0)
  const noFile = await florin(`platforms list --token-file ${file}-not`)
  assert.match(noFile.stderr, /cannot be read/)
})

test('OPER-6 what keeps an installation alive needs no token', async () => {
  for (const line of ['migrate', 'doctor', 'dashboard link --name Anna']) {
    const { stderr } = await florin(line)
    assert.doesNotMatch(stderr, /UNAUTHORIZED/, line)
  }
  const off = await florin('dashboard link --name Anna', { OPERATOR_LINKS: 'off' })
  assert.match(off.stderr, /UNAUTHORIZED/)
  for (const line of [
    'providers test http://127.0.0.1:9 --secret x',
    'operators list',
    'keys check',
  ])
    assert.match((await florin(line)).stderr, /UNAUTHORIZED/, line)
  const open = await florin('operators list', { OPERATOR_CLI: 'open' })
  assert.equal(open.status, 0, open.stderr)
})

const create = (operator: string, more: string) =>
  operate<Record<string, string>>(
    kit,
    `operator-tokens create --operator ${operator} --expires-in 30 ${more}`,
  )

test('OPER-4 OPER-6 a missing role is exit 1 with the same words, before the input is read', async () => {
  const { operatorId } = await invited(kit, 'Vera', 'VIEWER')
  const { token = '' } = await create(operatorId, '--name ci')
  const env = { FLORIN_OPERATOR_TOKEN: token }
  const confirm = await florin('settlements confirm', env)
  assert.equal(confirm.status, 1)
  assert.match(confirm.stderr, /^florin: FORBIDDEN: .*"requiredRole":"TREASURER"/)
  assert.equal((await florin('transactions list', env)).status, 0)
  const asked = await florin('transactions show', env)
  assert.match(asked.stderr, /Expected id/)
})

test('OPER-9 OPER-40 a program’s token acts as a machine within its roles, platforms and commands', async () => {
  const { platformId } = await kit.platform()
  const ben = await invited(kit, 'Ben', 'TREASURER,REVIEWER')
  const { token = '' } = await create(
    'Ben',
    `--name ci --roles TREASURER --platform ${platformId} --commands settlements.confirm,transactions.list`,
  )
  assert.match(token, /^flop_[\w-]{43}$/)
  const caller = await identifyToken(deps, token, HERE)
  assert.deepEqual(caller?.actor, { kind: 'operator', by: 'operator-token', name: 'Ben/ci' })
  assert.equal(caller?.isMachine, true)
  assert.deepEqual(caller?.roles, ['TREASURER'])
  assert.deepEqual(caller?.platforms, [platformId.replace('Platform:', '')])
  const env = { FLORIN_OPERATOR_TOKEN: token }
  assert.equal((await florin('transactions list', env)).status, 0)
  assert.match((await florin('refunds list', env)).stderr, /FORBIDDEN.*refunds list/)

  await operate(kit, 'operators update Ben --roles REVIEWER')
  assert.deepEqual((await identifyToken(deps, token, HERE))?.roles, [], 'checked at every call')
  await operate(kit, 'operators update Ben --roles TREASURER')
  assert.deepEqual((await identifyToken(deps, token, HERE))?.roles, ['TREASURER'])

  const rows = await deps.db.read.many<{ row: string }>(
    sql`select t::text as row from operator_tokens t`,
  )
  assert.ok(
    rows.every(({ row }) => !row.includes(token)),
    'only the digest is kept',
  )
  await assert.rejects(
    create('Ben', '--name more --roles ADMIN'),
    refused('FORBIDDEN', { requiredRole: 'ADMIN' }),
  )
  assert.equal(ben.caller.isMachine, false)
})

test('OPER-40 a token ends by time, by revoking and with its operator', async () => {
  await invited(kit, 'Tom', 'TREASURER')
  const { token = '', operatorTokenId = '' } = await create('Tom', '--name one')
  const later = await identifyToken(at(30 * DAY_MS - MINUTE_MS), token, HERE)
  assert.ok(later)
  assert.equal(await identifyToken(at(30 * DAY_MS + MINUTE_MS), token, HERE), undefined)
  const revoked = await operate(kit, `operator-tokens revoke ${operatorTokenId}`)
  assert.equal(revoked['revoked'], true)
  assert.equal(await identifyToken(deps, token, HERE), undefined)
  const { token: other = '' } = await create('Tom', '--name two')
  assert.ok(await identifyToken(deps, other, HERE))
  await operate(kit, 'operators disable Tom')
  const ended = await florin('transactions list', { FLORIN_OPERATOR_TOKEN: other })
  assert.match(ended.stderr, /^florin: UNAUTHORIZED/)
  await operate(kit, 'operators enable Tom')
  assert.equal(await identifyToken(deps, other, HERE), undefined, 'it ended for good')
  for (const days of ['0', '366', 'x'])
    await assert.rejects(
      operate(kit, `operator-tokens create --operator Tom --name x --expires-in ${days}`),
      { name: 'UsageError' },
    )
})

test('OPER-40 a token is taken from its addresses only, and its last use is kept to the minute', async () => {
  await invited(kit, 'Nora', 'VIEWER')
  const { token = '' } = await create('Nora', '--name office --address 10.1.0.0/16 --address ::1')
  assert.ok(await identifyToken(deps, token, '10.1.2.3'))
  assert.ok(await identifyToken(deps, token, '::1'))
  assert.equal(await identifyToken(deps, token, '10.2.0.1'), undefined)
  assert.equal(await identifyToken(deps, token, HERE), undefined)
  const lastUse = async () => {
    const rows = await operate(kit, 'operator-tokens list --operator Nora')
    return text((rows as unknown as Body[])[0]?.['lastUsedAt'])
  }
  const first = await lastUse()
  await identifyToken(at(30_000), token, '::1')
  assert.equal(await lastUse(), first)
  await identifyToken(at(2 * MINUTE_MS), token, '::1')
  assert.notEqual(await lastUse(), first)
})

test('OPER-2 OPER-40 the first token makes an invited operator ACTIVE', async () => {
  await operate(kit, 'operators invite --name Cleo --email cleo@example.com --roles VIEWER')
  await create('Cleo', '--name ci')
  assert.equal((await operate(kit, 'operators show Cleo'))['status'], 'ACTIVE')
})

test('OPER-40 a personal token is made for oneself, within 15 minutes of signing in, for 12 hours', async () => {
  const rita = await invited(kit, 'Rita', 'REVIEWER')
  const line = 'operator-tokens create --personal --name mine'
  const made = await operate<Record<string, string>>(rita.kit, line)
  const caller = await identifyToken(deps, made['token'] ?? '', HERE)
  assert.deepEqual(caller?.actor, { kind: 'operator', name: 'Rita' })
  assert.equal(caller?.isMachine, false)
  assert.equal(
    await identifyToken(at(12 * HOUR_MS + MINUTE_MS), made['token'] ?? '', HERE),
    undefined,
  )
  const late = { ...rita.caller, signedInAt: addMs(deps.clock.now(), -16 * MINUTE_MS) }
  const as = (operator: typeof late) => ({ florin: { ...kit.florin, deps: { ...deps, operator } } })
  await assert.rejects(
    operate(as(late), line),
    refused('UNAUTHORIZED', { reason: 'SIGN_IN_AGAIN' }),
  )
  assert.ok(caller)
  await assert.rejects(
    operate({ florin: { ...kit.florin, deps: { ...deps, operator: caller } } }, line),
    refused('FORBIDDEN', { reason: 'NOT_SIGNED_IN' }),
  )
  await assert.rejects(
    operate(rita.kit, 'operator-tokens create --operator Rita --name x --expires-in 1'),
    refused('FORBIDDEN', { requiredRole: 'ADMIN' }),
  )
})

test('OPER-40 one sees and revokes one’s own tokens; those of others are an ADMIN’s', async () => {
  const [lena, max] = [await invited(kit, 'Lena', 'VIEWER'), await invited(kit, 'Max', 'VIEWER')]
  const { operatorTokenId = '' } = await create('Max', '--name ci')
  assert.deepEqual(await operate(lena.kit, 'operator-tokens list'), [])
  const admin = refused('FORBIDDEN', { requiredRole: 'ADMIN' })
  await assert.rejects(operate(lena.kit, 'operator-tokens list --operator Max'), admin)
  await assert.rejects(operate(lena.kit, `operator-tokens revoke ${operatorTokenId}`), admin)
  const own = (await operate(max.kit, 'operator-tokens list')) as unknown as Body[]
  assert.deepEqual(
    own.map((one) => one['operatorTokenId']),
    [operatorTokenId],
  )
  await operate(max.kit, `operator-tokens revoke ${operatorTokenId}`)
  assert.deepEqual(await operate(max.kit, 'operator-tokens list'), [])
})
