import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  newIssuerKey,
  signIdToken,
  startForgingIssuer,
} from '../../../../test/kit/outside/forging-issuer.ts'
import {
  CLIENT_ID,
  openOidcDashboard,
  returnWith,
  startSignIn,
  visitorAfter,
  type StartedSignIn,
} from '../../../../test/kit/setups/oidc-sign-in.ts'
import type { Dashboard, Shown } from '../../../../test/kit/pages/dashboard.ts'
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'

const kit = await startOwnKit()
const issuer = await startForgingIssuer()

/** A clock that the test moves. */
let aheadMs = 0
const clock = { now: () => addMs(kit.florin.deps.clock.now(), aheadMs) }
const board = await openOidcDashboard(kit, issuer.issuer, { clock })

const nowSeconds = (): number => Math.floor(clock.now().getTime() / SECOND_MS)

const claimsFor = ({ asked }: StartedSignIn, change: object = {}): Record<string, unknown> => ({
  iss: issuer.issuer,
  sub: 'mallory',
  aud: CLIENT_ID,
  iat: nowSeconds(),
  exp: nowSeconds() + 300,
  nonce: asked.get('nonce') ?? '',
  groups: ['pay-ops'],
  name: 'Mallory',
  ...change,
})

/** Signs in with the token that is made for this very sign-in. */
async function signInWith(
  idToken: (started: StartedSignIn) => Promise<unknown>,
  { at = board, path = '/sign-in/oidc' }: { at?: Dashboard; path?: string } = {},
): Promise<Shown> {
  const started = await startSignIn(at, path)
  issuer.answerWith({ body: { access_token: 'unused', id_token: await idToken(started) } })
  return returnWith(at, started, { code: 'any', state: started.asked.get('state') ?? '' })
}

const honest = (started: StartedSignIn) => signIdToken(issuer.key, claimsFor(started))

const entriesOf = async (action: string): Promise<readonly Body[]> =>
  (await operate(kit, 'audit list --action', action)) as unknown as Body[]

async function isRefused(answer: Shown, reason: RegExp): Promise<void> {
  assert.equal(answer.status, 401, answer.text)
  assert.match(answer.text, reason)
  assert.equal(answer.headers.getSetCookie().join(), '', 'no session is made')
  const [entry] = await entriesOf('dashboard sign-in refused')
  assert.match(String(entry?.['note']), reason)
  assert.equal(entry?.['resource'], issuer.issuer)
  assert.doesNotMatch(JSON.stringify(entry), /eyJ/, 'the token is not in the entry')
}

const strangerKey = await newIssuerKey('RS256', issuer.key.kid)
const sharedSecret = new TextEncoder().encode(JSON.stringify(issuer.key.jwk))

/** Signed by the published key as if it were a secret: the classic confusion of algorithms. */
const withHmac = (started: StartedSignIn) =>
  new SignJWT(claimsFor(started))
    .setProtectedHeader({ alg: 'HS256', kid: issuer.key.kid })
    .sign(sharedSecret)

const withOwnHeader = async (started: StartedSignIn): Promise<string> => {
  const mine = await newIssuerKey('ES256', 'mine')
  return new SignJWT(claimsFor(started))
    .setProtectedHeader({ alg: 'ES256', kid: 'mine', jwk: mine.jwk })
    .sign(mine.privateKey)
}

const changed = (change: object) => (started: StartedSignIn) =>
  signIdToken(issuer.key, claimsFor(started, change))

const FORGERIES: readonly (readonly [
  what: string,
  idToken: (started: StartedSignIn) => Promise<unknown>,
  reason: RegExp,
])[] = [
  ['another nonce', changed({ nonce: 'another' }), /nonce is another/],
  ['another audience', changed({ aud: 'other-app' }), /aud is another client/],
  ['another issuer', changed({ iss: 'https://evil.example.com' }), /iss is another issuer/],
  ['two audiences and no azp', changed({ aud: [CLIENT_ID, 'other'] }), /azp is another client/],
  ['an hour of age', changed({ iat: 0 }), /iat is too old/],
  ['an end in the past', changed({ exp: 1 }), /exp has passed/],
  ['no subject', changed({ sub: undefined }), /sub is missing/],
  ['an HMAC over the published key', withHmac, /algorithm is not accepted/],
  [
    'no signature at all',
    async (started) => new UnsecuredJWT(claimsFor(started)).encode(),
    /algorithm is not accepted/,
  ],
  [
    'a signature by a key of a stranger under the id of a published one',
    (started) => signIdToken(strangerKey, claimsFor(started)),
    /signature is not of the issuer/,
  ],
  ['a key of its own in the header', withOwnHeader, /signature is not of the issuer/],
  [
    'claims that were changed after it was signed',
    async (started) => {
      const [header, , signature] = (await honest(started)).split('.')
      const claims = Buffer.from(JSON.stringify(claimsFor(started, { groups: ['pay-admins'] })))
      return [header, claims.toString('base64url'), signature].join('.')
    },
    /signature is not of the issuer/,
  ],
  ['a text that is no token', async () => 'eyJhbGciOiJSUzI1NiJ9.x', /ID token has another form/],
  ['nothing', async () => undefined, /gives no ID token/],
]

for (const [what, idToken, reason] of FORGERIES) {
  test(`OPER-33 an ID token with ${what} is refused, and the reason is audited`, async () => {
    const before = (await entriesOf('dashboard sign-in refused')).length
    await isRefused(await signInWith(idToken), reason)
    assert.equal((await entriesOf('dashboard sign-in refused')).length, before + 1)
    const operators = (await operate(kit, 'operators list')) as unknown as Body[]
    assert.ok(!operators.some((one) => text(one['name']) === 'Mallory'), 'nothing is changed')
  })
}

test('OPER-33 an honest token of each accepted algorithm signs in', async () => {
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    const key = await newIssuerKey(alg, `own-${alg}`)
    issuer.publish(issuer.key, key)
    const claims = { sub: alg, name: `Anton ${alg}` }
    const answer = await signInWith((started) => signIdToken(key, claimsFor(started, claims)))
    assert.match((await visitorAfter(board, answer).get('/')).text, new RegExp(`Anton ${alg}`))
  }
  issuer.publish(issuer.key)
  for (const alg of ['RS384', 'ES384']) {
    const key = await newIssuerKey(alg)
    const answer = await signInWith((started) => signIdToken(key, claimsFor(started)))
    await isRefused(answer, /algorithm is not accepted/)
  }
})

test('OPER-32 the browser is sent out with PKCE, state and nonce, and a cookie for the way back', async () => {
  const { headers } = await board.send('/sign-in/oidc')
  assert.match(
    headers.get('set-cookie') ?? '',
    /^florin_sign_in=[\w-]{43}; Path=\/sign-in\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  const url = new URL(headers.get('location') ?? '')
  assert.equal(`${url.origin}${url.pathname}`, `${issuer.issuer}/authorize`)
  const { state, nonce, code_challenge: challenge, ...asked } = Object.fromEntries(url.searchParams)
  assert.deepEqual(asked, {
    tenant: '1',
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: `${board.origin}/sign-in/oidc/callback`,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  })
  for (const value of [state, nonce, challenge]) assert.match(value ?? '', /^[\w-]{43}$/)
  assert.equal(new Set([state, nonce, challenge]).size, 3)
  const other = await startSignIn(board)
  assert.notEqual(other.asked.get('state'), state)
  const acr = await openOidcDashboard(kit, issuer.issuer, {
    settings: { operatorOidcAcr: ['mfa', 'hardware'] },
  })
  assert.equal((await startSignIn(acr)).asked.get('acr_values'), 'mfa hardware')
})

test('OPER-32 a sign-in is used once, by the browser that started it, within 600 s', async () => {
  const started = await startSignIn(board)
  const query = { code: 'any', state: started.asked.get('state') ?? '' }
  issuer.answerWith({ body: { id_token: await honest(started) } })
  const other = await startSignIn(board)
  await isRefused(await returnWith(board, { cookie: '' }, query), /no sign-in was started/)
  await isRefused(await returnWith(board, other, query), /state is not that of this browser/)
  await isRefused(await returnWith(board, started, { code: 'any' }), /state is not that/)
  const answers = await Promise.all([1, 2, 3].map(() => returnWith(board, started, query)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401])
  await isRefused(await returnWith(board, started, query), /state was used/)
  const late = await startSignIn(board)
  aheadMs = 10 * MINUTE_MS
  const answer = await returnWith(board, late, {
    code: 'any',
    state: late.asked.get('state') ?? '',
  })
  aheadMs = 0
  await isRefused(answer, /state was used or is older than 10 minutes/)
})

test('OPER-33 what the issuer refuses, or another issuer answers, is refused', async () => {
  const returned = async (query: Readonly<Record<string, string>>): Promise<Shown> => {
    const started = await startSignIn(board)
    issuer.answerWith({ body: { id_token: await honest(started) } })
    return returnWith(board, started, { state: started.asked.get('state') ?? '', ...query })
  }
  await isRefused(await returned({ error: 'access_denied' }), /the issuer answers access_denied/)
  const long = { error: '<script>alert(1)</script>' }
  await isRefused(await returned(long), /the issuer answers an error/)
  await isRefused(await returned({}), /the issuer sends no code/)
  const mixed = { code: 'any', iss: 'https://evil.example.com' }
  await isRefused(await returned(mixed), /the answer is of another issuer/)
  assert.equal((await returned({ code: 'any', iss: issuer.issuer })).status, 200)
  const started = await startSignIn(board)
  issuer.answerWith({ status: 400, body: { error: 'invalid_grant', id_token: 'x' } })
  const refused = { code: 'spent', state: started.asked.get('state') ?? '' }
  await isRefused(await returnWith(board, started, refused), /gives no ID token/)
})

test('OPER-33 the code is exchanged with its verifier, as a public client or with the secret', async () => {
  const exchanged = async (operatorOidcClientSecret: string | undefined) => {
    const at = await openOidcDashboard(kit, issuer.issuer, {
      settings: { operatorOidcClientSecret },
    })
    assert.equal((await signInWith(honest, { at })).status, 200)
    const { form, authorization } = issuer.exchanges.at(-1) ?? assert.fail()
    assert.match(form.get('code_verifier') ?? '', /^[\w-]{43}$/)
    assert.equal(form.get('redirect_uri'), `${at.origin}/sign-in/oidc/callback`)
    assert.equal(form.get('grant_type'), 'authorization_code')
    return { id: form.get('client_id'), secret: form.get('client_secret'), authorization }
  }
  const nothing = { id: null, secret: null, authorization: undefined }
  assert.deepEqual(await exchanged(undefined), { ...nothing, id: CLIENT_ID })
  const basic = Buffer.from(`${CLIENT_ID}:s%3A+%2B`).toString('base64')
  assert.deepEqual(await exchanged('s: +'), { ...nothing, authorization: `Basic ${basic}` })
  aheadMs = 0
  issuer.describe({ token_endpoint_auth_methods_supported: ['client_secret_post'] })
  const afresh = { clock: { now: () => addMs(clock.now(), 11 * MINUTE_MS) } }
  const at = await openOidcDashboard(kit, issuer.issuer, {
    settings: { operatorOidcClientSecret: 's' },
    ...afresh,
  })
  await startSignIn(at)
  issuer.describe({})
  assert.equal((await signInWith(honest, { at })).status, 401, 'of another time')
  assert.equal(issuer.exchanges.at(-1)?.form.get('client_secret'), 's')
})

test('OPER-31 keys are kept for 600 s, and an unknown key id fetches them once more', async () => {
  const own = await startForgingIssuer()
  let laterMs = 0
  const at = await openOidcDashboard(kit, own.issuer, {
    clock: { now: () => addMs(kit.florin.deps.clock.now(), laterMs) },
  })
  const enter = async (key: typeof own.key): Promise<number> => {
    const started = await startSignIn(at)
    const seconds = nowSeconds() + laterMs / SECOND_MS
    const claims = claimsFor(started, { iss: own.issuer, iat: seconds, exp: seconds + 60 })
    own.answerWith({ body: { id_token: await signIdToken(key, claims) } })
    const query = { code: 'any', state: started.asked.get('state') ?? '' }
    return (await returnWith(at, started, query)).status
  }
  assert.deepEqual([await enter(own.key), await enter(own.key)], [200, 200])
  assert.equal(own.keyFetches(), 1)
  const next = await newIssuerKey('RS256', 'next')
  own.publish(next)
  assert.equal(await enter(next), 200, 'a new key is fetched at once')
  assert.equal(own.keyFetches(), 2)
  assert.equal(await enter(own.key), 401, 'a key that was taken back is not trusted')
  assert.equal(own.keyFetches(), 3, 'and asked for once more')
  laterMs = 599 * SECOND_MS
  assert.equal(await enter(next), 200)
  assert.equal(own.keyFetches(), 3)
  laterMs = 601 * SECOND_MS
  assert.equal(await enter(next), 200)
  assert.equal(own.keyFetches(), 4)
})

test('OPER-31 an issuer that cannot be reached or describes another is a page that says so', async () => {
  const own = await startForgingIssuer()
  const at = await openOidcDashboard(kit, own.issuer)
  for (const described of [
    { issuer: 'https://evil.example.com' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { jwks_uri: 'http://127.0.0.1:1/keys' },
    { padding: 'x'.repeat(300_000) },
  ]) {
    own.describe(described)
    const { status, text, headers } = await at.send('/sign-in/oidc')
    assert.equal(status, 503, JSON.stringify(described).slice(0, 80))
    assert.match(text, /The issuer cannot be reached/)
    assert.equal(headers.get('set-cookie'), null)
  }
  own.describe({})
  const started = await startSignIn(at)
  own.describe({ jwks_uri: 'http://127.0.0.1:1/keys' })
  const stranger = await newIssuerKey('RS256', 'unknown')
  own.answerWith({ body: { id_token: await signIdToken(stranger, claimsFor(started)) } })
  const query = { code: 'any', state: started.asked.get('state') ?? '' }
  const { status } = await returnWith(at, started, query)
  assert.equal(status, 401)
})

test('OPER-33 guesses are audited no more often than failed authentications are allowed', async () => {
  const at = await openOidcDashboard(kit, issuer.issuer, {
    settings: { rateLimitFailedAuthPerMinute: 2 },
  })
  const before = (await entriesOf('dashboard sign-in refused')).length
  const seen: number[] = []
  for (let guess = 0; guess < 4; guess += 1) {
    seen.push((await returnWith(at, { cookie: '' }, { state: 'guess', code: 'guess' })).status)
  }
  assert.deepEqual(seen, [401, 401, 429, 429])
  assert.equal((await entriesOf('dashboard sign-in refused')).length, before + 2)
  assert.equal(
    (await signInWith(honest, { at })).status,
    200,
    'who signs in rightly is not held up',
  )
})

test('OPER-36 to sign in again the person proves once more at the issuer who they are', async () => {
  const path = '/sign-in/oidc?again'
  assert.equal((await startSignIn(board, path)).asked.get('max_age'), '0')
  assert.equal((await startSignIn(board)).asked.has('max_age'), false)
  const provenAt = (seconds: number | undefined) => (started: StartedSignIn) =>
    signIdToken(issuer.key, claimsFor(started, { auth_time: seconds }))
  const old = await signInWith(provenAt(nowSeconds() - 120), { path })
  await isRefused(old, /auth_time is too old or missing/)
  await isRefused(await signInWith(provenAt(undefined), { path }), /auth_time/)
  const now = await signInWith(provenAt(nowSeconds()), { path })
  assert.equal(now.status, 200)
})

test('OPER-32 CORE-25 sign-ins are started no more often than failed authentications are allowed', async () => {
  const at = await openOidcDashboard(kit, issuer.issuer, {
    settings: { rateLimitFailedAuthPerMinute: 2 },
    // What the tests before have taken is there again.
    clock: { now: () => addMs(kit.florin.deps.clock.now(), HOUR_MS) },
  })
  const seen = []
  for (let start = 0; start < 4; start += 1) seen.push(await at.send('/sign-in/oidc'))
  assert.deepEqual(
    seen.map(({ status }) => status),
    [302, 302, 429, 429],
  )
  const [refused] = seen.slice(2)
  assert.match(refused?.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(refused?.headers.get('set-cookie'), null)
  const links = []
  for (let guess = 0; guess < 3; guess += 1) links.push((await at.send('/sign-in/guess')).status)
  assert.deepEqual(links, [410, 410, 429], 'looking for a link is a guess too')
})
