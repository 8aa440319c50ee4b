import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { startOidcProvider } from '../../../../test/kit/outside/oidc-provider.ts'
import type { Dashboard, Shown } from '../../../../test/kit/pages/dashboard.ts'
import { invited } from '../../../../test/kit/setups/operators.ts'
import {
  CLIENT_ID,
  openOidcDashboard,
  returnWith,
  startSignIn,
  visitorAfter,
} from '../../../../test/kit/setups/oidc-sign-in.ts'
import { addMs, MINUTE_MS } from '../../../kernel/clock.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })

/** The directory of the issuer: what the test changes there holds from the next sign-in on. */
const people = new Map<string, Readonly<Record<string, unknown>>>()
const SECRET = 'the secret of the client'
const provider = await startOidcProvider({
  apps: [CLIENT_ID],
  redirectUri: 'http://127.0.0.1/sign-in/oidc/callback',
  clientSecret: SECRET,
  claimsOf: (sub) => people.get(sub) ?? {},
})

let aheadMs = 0
const clock = { now: () => addMs(kit.florin.deps.clock.now(), aheadMs) }
const settings = { operatorOidcClientSecret: SECRET }
const board = await openOidcDashboard(kit, provider.issuer, { settings, clock })

async function signInAs(
  sub: string,
  { at = board, path = '/sign-in/oidc' }: { at?: Dashboard; path?: string } = {},
): Promise<Shown> {
  const started = await startSignIn(at, path)
  const back = await provider.logIn(started.url, sub)
  return returnWith(at, started, back.searchParams)
}

const show = (name: string): Promise<Body> => operate(kit, 'operators show', name)

const entriesOf = async (action: string): Promise<readonly Body[]> =>
  (await operate(kit, 'audit list --action', action)) as unknown as Body[]

/** A first administrator, so that the rule about the last one is not in the way of the others. */
const anna = await invited(kit, 'Anna', 'ADMIN')

test('OPER-35 a mapped group makes an operator with its roles, and its loss disables it', async () => {
  people.set('ben', { name: 'Ben', groups: ['staff', 'pay-ops'] })
  const entered = await signInAs('ben')
  const visitor = visitorAfter(board, entered)
  assert.match((await visitor.get('/')).text, /Ben/)
  const ben = await show('Ben')
  assert.equal(ben['status'], 'ACTIVE')
  assert.deepEqual(ben['roles'], ['REVIEWER', 'TREASURER'])
  assert.deepEqual(ben['identity'], { issuer: provider.issuer, subject: 'ben' })
  assert.ok(ben['lastSeenAt'])
  const [entry] = await entriesOf('dashboard sign-in')
  assert.equal(entry?.['actor'], 'operator:Ben')
  assert.match(text(entry?.['note']), /new operator: REVIEWER,TREASURER/)

  people.set('ben', { name: 'Benjamin', groups: ['pay-admins'] })
  assert.equal((await signInAs('ben')).status, 200)
  assert.deepEqual((await show('Ben'))['roles'], ['ADMIN'], 'set at each sign-in; the name stays')
  const [changed] = await entriesOf('dashboard sign-in')
  assert.equal(changed?.['note'], 'REVIEWER,TREASURER → ADMIN')

  people.set('ben', { name: 'Ben', groups: ['staff'] })
  const refused = await signInAs('ben')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /no mapped group any more/)
  assert.equal((await show('Ben'))['status'], 'DISABLED')
  assert.equal((await visitor.get('/')).status, 401, 'its session is over')
  const [why] = await entriesOf('dashboard sign-in refused')
  assert.equal(why?.['note'], 'no mapped group any more, subject ben, from 127.0.0.1')
  assert.equal(why?.['resource'], ben['operatorId'])
  const [disabled] = await entriesOf('operators disable')
  assert.equal(disabled?.['resource'], ben['operatorId'])

  people.set('ben', { name: 'Ben', groups: ['pay-ops'] })
  const again = await signInAs('ben')
  assert.equal(again.status, 403, 'the group alone does not enable it again')
  assert.match(again.text, /operator is DISABLED/)
  await operate(kit, 'operators enable Ben')
  assert.equal((await signInAs('ben')).status, 200)
})

test('OPER-34 an invitation is taken by a verified e-mail address, once', async () => {
  const line = 'operators invite --name Rita --email Rita@Example.com --roles REVIEWER'
  const invitation = await operate(kit, line)
  people.set('rita1', { email: 'rita@example.com', email_verified: false })
  const unverified = await signInAs('rita1')
  assert.equal(unverified.status, 403)
  assert.match(unverified.text, /no mapped group and no invitation/)
  people.set('rita1', { email: 'rita@example.com' })
  assert.equal((await signInAs('rita1')).status, 403)
  assert.equal((await show('Rita'))['status'], 'INVITED')

  people.set('rita2', { email: 'rita@example.com', email_verified: true })
  assert.match((await visitorAfter(board, await signInAs('rita2')).get('/')).text, /Rita/)
  const rita = await show('Rita')
  assert.equal(rita['operatorId'], invitation['operatorId'])
  assert.equal(rita['status'], 'ACTIVE')
  assert.deepEqual(rita['roles'], ['REVIEWER'])
  assert.deepEqual(rita['identity'], { issuer: provider.issuer, subject: 'rita2' })
  const link = new URL(text(invitation['url'])).pathname
  assert.equal((await board.send(link)).status, 410, 'the link of the invitation is void')

  people.set('rita3', { email: 'rita@example.com', email_verified: true })
  assert.equal((await signInAs('rita3')).status, 403, 'somebody else with the address is not Rita')
  assert.equal((await signInAs('rita2')).status, 200, 'without a group the invited roles stay')
  assert.deepEqual((await show('Rita'))['roles'], ['REVIEWER'])
})

test('OPER-34 an e-mail address never matches an ACTIVE operator', async () => {
  people.set('mallory', { name: 'Anna', email: 'anna@example.com', email_verified: true })
  assert.equal((await signInAs('mallory')).status, 403)
  people.set('mallory', {
    name: 'Anna',
    email: 'anna@example.com',
    email_verified: true,
    groups: ['pay-ops'],
  })
  const entered = visitorAfter(board, await signInAs('mallory'))
  assert.match((await entered.get('/')).text, /anna@example\.com/, 'the name Anna is taken')
  const other = await show('anna@example.com')
  assert.notEqual(other['operatorId'], anna.operatorId)
  assert.deepEqual(other['roles'], ['REVIEWER', 'TREASURER'])
  assert.deepEqual((await show('Anna'))['roles'], ['ADMIN'])
  assert.equal((await show('Anna'))['identity'], undefined)
})

test('OPER-34 who has no mapped group and no invitation is shown a page without a way in', async () => {
  people.set('nobody', { name: 'Nobody', groups: ['pay-admin', 'PAY-ADMINS', 'pay-admins,x'] })
  const refused = await signInAs('nobody')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /An administrator has to invite you/)
  assert.equal(refused.headers.getSetCookie().join(), '')
  people.set('nobody', { name: 'Nobody', groups: { 'pay-admins': true } })
  assert.equal((await signInAs('nobody')).status, 403)
  const operators = (await operate(kit, 'operators list')) as unknown as Body[]
  assert.ok(operators.every((one) => text(one['name']) !== 'Nobody'))
})

test('OPER-35 an invited operator with a mapped group has its roles, and keeps its platforms', async () => {
  const { platformId } = await kit.platform()
  const line = 'operators invite --name Tom --email tom@example.com --roles VIEWER --platform'
  await operate(kit, line, platformId)
  people.set('tom', { email: 'tom@example.com', email_verified: true, groups: 'pay-ops' })
  assert.equal((await signInAs('tom')).status, 200)
  const tom = await show('Tom')
  assert.deepEqual(tom['roles'], ['REVIEWER', 'TREASURER'])
  assert.deepEqual(tom['platforms'], [platformId])
})

test('OPER-5 groups never take the last administrator away: the sign-in is refused', async () => {
  const own = await startOwnKit({ ADMIN_PORT: '8081' })
  const at = await openOidcDashboard(own, provider.issuer, { settings })
  people.set('olga', { name: 'Olga', groups: ['pay-admins'] })
  const olga = visitorAfter(at, await signInAs('olga', { at }))
  for (const groups of [['pay-ops'], []]) {
    people.set('olga', { name: 'Olga', groups })
    const refused = await signInAs('olga', { at })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /LAST_ADMIN/)
  }
  const { status, roles } = (await operate(own, 'operators show Olga')) as Record<string, unknown>
  assert.deepEqual({ status, roles }, { status: 'ACTIVE', roles: ['ADMIN'] })
  assert.equal((await olga.get('/')).status, 200)
  const entries = (await operate(
    own,
    'audit list --action',
    'dashboard sign-in refused',
  )) as unknown
  assert.deepEqual(
    (entries as Body[]).map(({ note }) => note),
    ['LAST_ADMIN, from 127.0.0.1', 'LAST_ADMIN, from 127.0.0.1'],
  )
})

test('OPER-31 a key that the issuer has rotated is found by the next sign-in', async () => {
  people.set('kim', { name: 'Kim', groups: ['pay-ops'] })
  assert.equal((await signInAs('kim')).status, 200)
  await provider.rotateKey()
  assert.equal((await signInAs('kim')).status, 200)
})

test('OPER-36 the session of the callback is of this site alone, and the way to it is not sent on', async () => {
  people.set('kim', { name: 'Kim', groups: ['pay-ops'] })
  const { headers, status, text: page } = await signInAs('kim')
  assert.equal(
    status,
    200,
    'a redirect would go on without the cookie, as it comes from another site',
  )
  assert.equal(headers.get('refresh'), '0; url=/')
  assert.match(page, /Signed in as Kim/)
  const [gone, session] = headers.getSetCookie()
  assert.match(gone ?? '', /^florin_sign_in=; Path=\/sign-in\/oidc; .*Max-Age=0$/)
  assert.match(
    session ?? '',
    /^florin_dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  )
  const proxied = await openOidcDashboard(kit, provider.issuer, {
    settings: { ...settings, adminUrl: 'https://ops.example.com' },
  })
  const elsewhere = await proxied.send('/sign-in/oidc?again')
  assert.equal(elsewhere.headers.get('location'), 'https://ops.example.com/sign-in/oidc?again')
  assert.equal(elsewhere.headers.get('set-cookie'), null)
})

test('OPER-36 what needs a fresh sign-in asks for it, and the issuer then asks the person', async () => {
  people.set('rea', { name: 'Rea', groups: ['pay-ops'] })
  const rea = visitorAfter(board, await signInAs('rea'))
  const path = '/reviews/Customer:0199a1b2-c3d4-7e5f-8a6b-0123456789ab/reveal'
  assert.equal((await rea.post(path)).status, 404)
  aheadMs = 16 * MINUTE_MS
  const asked = await rea.post(path)
  aheadMs = 0
  assert.equal(asked.status, 401)
  assert.match(asked.text, /Sign in again/)
  assert.match(asked.text, /href="\/sign-in\/oidc\?again"/)
  assert.equal((await signInAs('rea', { path: '/sign-in/oidc?again' })).status, 200)
})

test('OPER-30 the page offers the issuer, and links where they are on', async () => {
  const shown = async (change: object): Promise<string> => {
    const at = await openOidcDashboard(kit, provider.issuer, { settings: change })
    const { status, text: page } = await at.send('/')
    assert.equal(status, 401)
    return page
  }
  const host = new URL(provider.issuer).host
  const both = await shown({})
  assert.ok(both.includes(`Sign in with ${host}`) && both.includes('florin dashboard link'))
  const issuerOnly = await shown({ operatorLinks: 'off' })
  assert.ok(issuerOnly.includes(`Sign in with ${host}`) && !issuerOnly.includes('dashboard link'))
  const without = { operatorOidcIssuer: undefined }
  const linkOnly = await shown(without)
  assert.ok(!linkOnly.includes('Sign in with') && linkOnly.includes('florin dashboard link'))
  const neither = await shown({ ...without, operatorLinks: 'off' })
  assert.match(neither, /An administrator’s invitation signs you in/)
})

test('OPER-135 back from the issuer the browser goes on to the page that it asked for', async () => {
  people.set('lena', { name: 'Lena', groups: ['pay-admins'] })
  const asked = await board.send('/orders?status=open')
  const landing = asked.headers.get('set-cookie')?.split(';')[0] ?? ''
  const started = await startSignIn(board)
  const back = await provider.logIn(started.url, 'lena')
  const cookie = `${started.cookie}; ${landing}`
  const signedIn = await returnWith(board, { cookie }, new URL(back).searchParams)
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.equal(signedIn.headers.get('refresh'), '0; url=/orders?status=open')
})
