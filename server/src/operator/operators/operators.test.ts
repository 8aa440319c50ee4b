import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text, type Body } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { LOCAL_ACTOR, operate } from '../../../test/kit/operator.ts'
import { openDashboard } from '../../../test/kit/pages/dashboard.ts'
import { invited } from '../../../test/kit/setups/operators.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { findSession } from '../sign-in/dashboard-access.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const { deps } = kit.florin
const anna = await invited(kit, 'Anna', 'ADMIN')

const refused =
  (code: string, details: object) =>
  (error: ApiError): boolean => {
    assert.deepEqual({ code: error.code, ...error.details }, { code, ...details })
    return true
  }

const inHours = (hours: number) => ({
  ...deps,
  clock: { now: () => addMs(deps.clock.now(), hours * HOUR_MS) },
})

const actionsOf = async (action: string): Promise<readonly Body[]> =>
  (await operate(kit, 'audit list --action', action)) as unknown as Body[]

test('OPER-2 an invited operator is ACTIVE from the first sign-in on', async () => {
  const line = 'operators invite --name Ivo --email ivo@example.com --roles VIEWER,REVIEWER'
  const before = await operate(kit, line)
  assert.equal(before['status'], 'INVITED')
  assert.deepEqual(before['roles'], ['VIEWER', 'REVIEWER'])
  const board = await openDashboard(kit)
  const path = new URL(text(before['url'])).pathname
  assert.match((await board.send(path)).text, /Sign in as Ivo/)
  const late = await openDashboard(kit, inHours(71.9))
  assert.equal((await late.send(path)).status, 200)
  const tooLate = await openDashboard(kit, inHours(72.1))
  assert.equal((await tooLate.send(path)).status, 410)
  const ivo = await invited(kit, 'Ivo', 'VIEWER')
  const after = await operate(kit, 'operators show Ivo')
  assert.equal(after['status'], 'ACTIVE')
  assert.equal(after['operatorId'], before['operatorId'], 'invited again, it is the same')
  assert.deepEqual(after['roles'], ['VIEWER'])
  assert.ok(after['lastSeenAt'])
  assert.equal(after['operatorId'], ivo.operatorId)
  assert.equal((await board.send(path)).status, 410, 'the first link is void')
})

test('OPER-2 names are unique, and what is no name, role or platform is refused', async () => {
  const line = 'operators invite --email x@example.com --roles ADMIN --name'
  await assert.rejects(operate(kit, line, 'Anna'), refused('CONFLICT', { reason: 'NAME_TAKEN' }))
  for (const alike of ['An\u200bna', '\u202eannA'])
    await assert.rejects(operate(kit, line, alike), /printable characters/)
  for (const bad of [
    'operators invite --name Xaver --email x@example.com --roles BOSS',
    'operators invite --name Xaver --email x --roles ADMIN',
    'operators update Anna',
  ])
    await assert.rejects(operate(kit, bad), { name: 'UsageError' }, bad)
  await assert.rejects(operate(kit, line, 'a\nb'), { name: 'UsageError' })
  const nowhere = 'Platform:0199a1b2-c3d4-7e5f-8a6b-0123456789ab'
  await assert.rejects(
    operate(kit, `${line} Xaver --platform ${nowhere}`),
    refused('REFERENCE_NOT_FOUND', {}),
  )
  await assert.rejects(operate(kit, 'operators show Xaver'), refused('REFERENCE_NOT_FOUND', {}))
})

test('OPER-2 a change of roles or platforms holds from the next request on', async () => {
  const { platformId } = await kit.platform()
  const { session } = await invited(kit, 'Ulla', 'VIEWER')
  const updated = await operate(
    anna.kit,
    `operators update Ulla --name Ulrike --roles TREASURER --platform ${platformId}`,
  )
  assert.deepEqual([updated['name'], updated['roles']], ['Ulrike', ['TREASURER']])
  const caller = (await findSession(deps, session))?.caller
  assert.deepEqual([caller?.name, caller?.roles], ['Ulrike', ['TREASURER']])
  assert.deepEqual(caller?.platforms, [platformId.replace('Platform:', '')])
  await operate(anna.kit, 'operators update Ulrike --platform none')
  assert.equal((await findSession(deps, session))?.caller.platforms, undefined)
  const [entry] = (await actionsOf('operators update')).slice(-1)
  assert.equal(entry?.['actor'], 'operator:Anna')
  assert.match(
    text(entry?.['note']),
    /^Ulla → Ulrike: VIEWER; all platforms → TREASURER; Platform:/,
  )
})

test('OPER-2 OPER-36 disabling ends sessions and links at once; the record stays', async () => {
  const board = await openDashboard(kit)
  const dora = await invited(kit, 'Dora', 'ADMIN')
  const { url } = await operate(kit, 'dashboard link --name Dora')
  await operate(anna.kit, 'operators disable Dora')
  assert.equal(await findSession(deps, dora.session), undefined)
  assert.equal((await board.send(new URL(text(url)).pathname)).status, 410)
  await assert.rejects(
    operate(kit, 'dashboard link --name Dora'),
    refused('CONFLICT', { status: 'DISABLED' }),
  )
  assert.equal((await operate(kit, 'operators show Dora'))['status'], 'DISABLED')
  await assert.rejects(
    operate(anna.kit, 'operators disable Dora'),
    refused('CONFLICT', { status: 'DISABLED' }),
  )
  const enabled = await operate(anna.kit, 'operators enable Dora')
  assert.equal(enabled['status'], 'ACTIVE')
  assert.equal(await findSession(deps, dora.session), undefined, 'the session is over for good')
  await operate(anna.kit, 'operators disable Dora')
})

test('OPER-5 the last ADMIN of the whole installation remains', async () => {
  const last = refused('CONFLICT', { reason: 'LAST_ADMIN' })
  const { platformId } = await kit.platform()
  await assert.rejects(operate(anna.kit, 'operators disable Anna'), last)
  await assert.rejects(operate(kit, 'operators update Anna --roles VIEWER'), last)
  await assert.rejects(operate(kit, `operators update Anna --platform ${platformId}`), last)
  assert.deepEqual((await operate(kit, 'operators show Anna'))['roles'], ['ADMIN'])
  const other = await invited(kit, 'Otto', 'ADMIN')
  const both = await Promise.allSettled([
    operate(other.kit, 'operators disable Anna'),
    operate(anna.kit, 'operators disable Otto'),
  ])
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
  const left = (await operate(kit, 'operators list')) as unknown as Body[]
  const admins = left.filter(
    (one) => text(one['status']) === 'ACTIVE' && JSON.stringify(one['roles']).includes('ADMIN'),
  )
  assert.equal(admins.length, 1)
  await operate(kit, `operators enable ${both[0].status === 'fulfilled' ? 'Anna' : 'Otto'}`)
})

test('OPER-5 nobody changes their own roles or enables themselves', async () => {
  const same = refused('FORBIDDEN', { reason: 'SAME_OPERATOR' })
  await assert.rejects(operate(anna.kit, 'operators update Anna --roles ADMIN,TREASURER'), same)
  await assert.rejects(operate(anna.kit, 'operators update Anna --platform none'), same)
  await assert.rejects(operate(anna.kit, 'operators enable Anna'), same)
})

test('OPER-8 recover makes an ADMIN by a link, and doctor shows it for 7 days', async () => {
  const { platformId } = await kit.platform()
  await invited(kit, 'Rosa', 'VIEWER', '--platform', platformId)
  await operate(kit, 'operators disable Rosa')
  const recovered = await operate(kit, 'operators recover --name Rosa')
  assert.deepEqual(recovered['roles'], ['VIEWER', 'ADMIN'])
  assert.equal(recovered['platforms'], undefined)
  const board = await openDashboard({
    florin: {
      ...kit.florin,
      deps: { ...deps, settings: { ...deps.settings, operatorLinks: 'off' } },
    },
  })
  assert.equal((await board.send(new URL(text(recovered['url'])).pathname)).status, 200)
  const [entry] = await actionsOf('operators recover')
  assert.deepEqual([entry?.['actor'], entry?.['resource']], [LOCAL_ACTOR, 'Rosa'])
  const checkAt = async (ms: number) => {
    const later = { ...deps, clock: { now: () => addMs(deps.clock.now(), ms) } }
    const { checks } = await operate<{ checks: { check: string; ok: boolean }[] }>(
      { florin: { ...kit.florin, deps: later } },
      'doctor',
    )
    return checks.find(({ check }) => check === 'operators')?.ok
  }
  assert.equal(await checkAt(6 * DAY_MS), false)
  assert.equal(await checkAt(8 * DAY_MS), true)
})

test('OPER-9 OPER-30 entries name the person who acts, and the user who made a link', async () => {
  await operate(kit, 'dashboard link --name Anna')
  const [link] = await actionsOf('dashboard link')
  assert.deepEqual([link?.['actor'], link?.['resource']], [LOCAL_ACTOR, 'Anna'])
  const [signedIn] = await actionsOf('dashboard sign-in')
  assert.match(text(signedIn?.['actor']), /^operator:/)
})

test('OPER-30 a name without a record signs in only where the command line is open', async () => {
  const board = await openDashboard(kit)
  const guest = await board.signIn('guest')
  assert.equal((await guest.get('/')).status, 200)
  const path = new URL(await board.link('guest')).pathname
  const guarded = { ...deps, settings: { ...deps.settings, operatorCli: 'token' as const } }
  const closed = await openDashboard(kit, guarded)
  assert.equal((await closed.send('/', { headers: { cookie: guest.cookie } })).status, 401)
  assert.equal((await closed.send(path)).status, 410)
  await assert.rejects(closed.link('guest'), refused('REFERENCE_NOT_FOUND', {}))
  assert.equal((await (await closed.signIn('Anna')).get('/')).status, 200)
})

test('OPER-30 OPERATOR_LINKS=off refuses all links but invitations and recoveries', async () => {
  const board = await openDashboard(kit)
  const path = new URL(await board.link('Anna')).pathname
  const off = { ...deps, settings: { ...deps.settings, operatorLinks: 'off' as const } }
  const closed = await openDashboard(kit, off)
  await assert.rejects(closed.link('Anna'), refused('FORBIDDEN', { setting: 'OPERATOR_LINKS' }))
  assert.equal((await closed.send(path)).status, 410)
  const line = 'operators invite --name Nina --email nina@example.com --roles VIEWER'
  const { url } = await operate({ florin: { ...kit.florin, deps: off } }, line)
  assert.equal((await closed.send(new URL(text(url)).pathname)).status, 200)
})

test('OPER-30 doctor says in production that links let every user of the machine in', async () => {
  const doctorWith = async (operatorLinks: 'on' | 'off') => {
    const settings = { ...deps.settings, production: true, operatorLinks }
    const { checks } = await operate<{ checks: { check: string; detail: string }[] }>(
      { florin: { ...kit.florin, deps: { ...deps, settings } } },
      'doctor',
    )
    return checks.find(({ check }) => check === 'sign-in')?.detail
  }
  const detail = 'everyone who may run florin here can sign in as any operator'
  assert.equal(await doctorWith('on'), detail)
  assert.equal(await doctorWith('off'), undefined)
})

test('OPER-36 a session lasts 12 hours at most, and 1 hour without a visit', async () => {
  const tina = await invited(kit, 'Tina', 'VIEWER')
  const visits = [0.9, 1.8, 2.7, 3.6, 4.5, 5.4, 6.3, 7.2, 8.1, 9, 9.9, 10.8, 11.7]
  for (const hours of visits)
    assert.ok(await findSession(inHours(hours), tina.session), `after ${hours} h`)
  assert.equal(await findSession(inHours(12.1), tina.session), undefined)
  const idle = await invited(kit, 'Ilse', 'VIEWER')
  assert.equal(await findSession(inHours(1.1), idle.session), undefined)
})

test('OPER-36 what is revealed needs a sign-in younger than 15 minutes', async () => {
  const rita = await invited(kit, 'Rita', 'REVIEWER')
  const later = (minutes: number) => ({
    ...deps,
    clock: { now: () => addMs(deps.clock.now(), minutes * MINUTE_MS) },
  })
  const reveal = async (minutes: number) => {
    const board = await openDashboard(kit, later(minutes))
    const secret = `florin_dashboard=${rita.session}`
    const page = await board.send('/', { headers: { cookie: secret } })
    const formToken = /name="formToken" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const id = 'Customer:0199a1b2-c3d4-7e5f-8a6b-0123456789ab'
    const headers = { cookie: secret, origin: board.origin }
    const body = new URLSearchParams({ formToken })
    return board.send(`/reviews/${id}/reveal`, { method: 'POST', body, headers })
  }
  assert.equal((await reveal(14)).status, 404, 'it looks for the customer')
  const again = await reveal(16)
  assert.equal(again.status, 401)
  assert.match(again.text, /Sign in again/)
})

test('OPER-36 only the digest of a session is kept', async () => {
  const { session } = await invited(kit, 'Sara', 'VIEWER')
  const rows = await deps.db.read.many<{ row: string }>(
    sql`select s::text as row from dashboard_sessions s`,
  )
  assert.ok(rows.length > 0)
  assert.ok(rows.every(({ row }) => !row.includes(session)))
})
