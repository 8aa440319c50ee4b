import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { formTokenOf, openDashboard, visitorWith } from '../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../test/kit/florin.ts'
import { LOCAL_ACTOR, operate } from '../../test/kit/operator.ts'
import { items } from '../../test/kit/api.ts'
import { HOUR_MS, MINUTE_MS } from '../kernel/clock.ts'
import { sql } from '../infra/db/statement/sql.ts'
import { sections } from './sections.ts'

const kit = await startOwnKit({ ADMIN_URL: 'https://ops.example.com' })
await kit.platform({ name: 'Acme <b>Pay</b>' })

/** A clock that the test moves. */
let aheadMs = 0
const clock = { now: () => new Date(kit.florin.deps.clock.now().getTime() + aheadMs) }
const board = await openDashboard(kit, { clock })

const actionsBy = async (actor: string): Promise<unknown[]> =>
  items(await operate(kit, 'audit list', '--actor', actor)).map(({ action }) => action)

test('CORE-93 every page and every refusal has a strict policy, and nothing is kept or passed on', async () => {
  const anna = await board.signIn()
  for (const answer of [
    await anna.get('/'),
    await anna.get('/jobs'),
    await anna.get('/nowhere'),
    await board.send('/'),
    await board.send('/sign-in/nothing'),
    await anna.post('/check', { formToken: 'wrong' }),
  ]) {
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(part), policy)
    }
    assert.doesNotMatch(policy, /unsafe|http/)
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.doesNotMatch(answer.text, /<style|<script>|style="|onclick=|https?:\/\//)
  }
})

test('CORE-93 nothing but the sign-in page and figures is shown without a session', async () => {
  const paths = ['/', '/nowhere', '/check', ...sections.map(({ path }) => `/${path}`)]
  for (const path of paths) {
    for (const cookie of ['', 'florin_dashboard=', 'florin_dashboard=guessed']) {
      const { status, text } = await board.send(path, { headers: { cookie } })
      assert.equal(status, 401, path)
      assert.ok(text.includes('npx florin dashboard link') && !text.includes('Acme'), path)
    }
  }
  const posted = await board.send('/check', { method: 'POST', body: new URLSearchParams() })
  assert.equal(posted.status, 401)
  assert.equal((await board.send('/metrics')).status, 200)
})

test('CORE-80 a link signs in once, and looking at it does not use it up', async () => {
  const url = await board.link('Zoë')
  for (let look = 0; look < 2; look += 1) {
    const page = await board.send(url)
    assert.equal(page.status, 200)
    assert.match(page.text, /Sign in as Zoë/)
    assert.equal(page.headers.get('set-cookie'), null)
  }
  const body = new URLSearchParams({ secret: url.split('/').at(-1) ?? '' })
  const { origin } = board
  const use = () => board.send('/sign-in', { method: 'POST', body, headers: { origin } })
  const answers = await Promise.all([use(), use(), use()])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 410, 410])
  const cookie = answers.find(({ status }) => status === 303)?.headers.get('set-cookie') ?? ''
  assert.match(
    cookie,
    /^florin_dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  )
  const [pair = ''] = cookie.split(';')
  assert.match((await visitorWith(pair, board).get('/')).text, /Zoë/)
  assert.equal((await board.send(url)).status, 410)
  assert.equal((await use()).status, 410)
})

test('CORE-80 a link that is older than a quarter of an hour signs nobody in', async () => {
  const url = await board.link()
  aheadMs += 15 * MINUTE_MS
  assert.equal((await board.send(url)).status, 410)
  const body = new URLSearchParams({ secret: url.split('/').at(-1) ?? '' })
  const { origin } = board
  const answer = await board.send('/sign-in', { method: 'POST', body, headers: { origin } })
  assert.equal(answer.status, 410)
  assert.equal(answer.headers.get('set-cookie'), null)
})

test('CORE-93 a session ends after an hour without a visit, after twelve hours, and by signing out', async () => {
  const idle = await board.signIn()
  aheadMs += 59 * MINUTE_MS
  assert.equal((await idle.get('/')).status, 200)
  aheadMs += 59 * MINUTE_MS
  assert.equal((await idle.get('/')).status, 200)
  aheadMs += 60 * MINUTE_MS
  assert.equal((await idle.get('/')).status, 401)

  const busy = await board.signIn()
  for (let half = 0; half < 23; half += 1) {
    aheadMs += HOUR_MS / 2
    assert.equal((await busy.get('/')).status, 200)
  }
  aheadMs += HOUR_MS / 2
  assert.equal((await busy.get('/')).status, 401)

  const [leaving, staying] = [await board.signIn(), await board.signIn()]
  const left = await leaving.post('/sign-out')
  assert.match(left.headers.get('set-cookie') ?? '', /^florin_dashboard=; .*Max-Age=0/)
  assert.equal((await leaving.get('/')).status, 401)
  assert.equal((await staying.get('/')).status, 200)
})

test('CORE-83 dashboard sign-out-all ends every session and takes links back', async () => {
  const [anna, url] = [await board.signIn(), await board.link()]
  const ended = await operate(kit, 'dashboard sign-out-all')
  assert.ok(Number(ended['sessions']) >= 1 && Number(ended['links']) >= 1)
  assert.equal((await anna.get('/')).status, 401)
  assert.equal((await board.send(url)).status, 410)
})

test('CORE-93 only digests of links and sessions are stored', async () => {
  const [anna, url] = [await board.signIn(), await board.link()]
  const rows = await kit.florin.deps.db.read.many(
    sql`select encode(digest, 'escape') as one, encode(digest, 'base64') as other from dashboard_sessions
        union all select encode(digest, 'escape'), encode(digest, 'base64') from dashboard_links`,
  )
  const kept = JSON.stringify(rows)
  for (const secret of [anna.cookie.split('=')[1] ?? '', url.split('/').at(-1) ?? '']) {
    assert.ok(secret.length === 43 && !kept.includes(secret.slice(0, 20)))
  }
})

test('CORE-93 a form is taken from a page of this session alone', async () => {
  const [anna, other] = [await board.signIn(), await board.signIn('bert')]
  const formToken = formTokenOf((await anna.get('/')).text)
  const foreign = formTokenOf((await other.get('/')).text)
  const evil = 'https://evil.example'
  for (const [fields, headers, status, because] of [
    [{ formToken }, {}, 200, 'its own origin'],
    [{ formToken }, { origin: 'https://ops.example.com' }, 200, 'the public address'],
    [{ formToken }, { origin: 'null', 'sec-fetch-site': 'same-origin' }, 200, 'as browsers say it'],
    [{ formToken }, { origin: evil }, 403, 'another site'],
    [
      { formToken },
      { origin: evil, 'sec-fetch-site': 'same-origin' },
      403,
      'it contradicts itself',
    ],
    [{ formToken }, { origin: 'null' }, 403, 'nobody knows from where'],
    [{ formToken }, { origin: 'null', 'sec-fetch-site': 'same-site' }, 403, 'another port'],
    [{ formToken }, { 'sec-fetch-site': 'cross-site' }, 403, 'a browser says it is another site'],
    [{ formToken: foreign }, {}, 403, 'another session'],
    [{ formToken: '' }, {}, 403, 'no token'],
  ] as const) {
    assert.equal((await anna.post('/check', fields, headers)).status, status, because)
  }
  const withoutOrigin = await board.send('/check', {
    method: 'POST',
    body: new URLSearchParams({ formToken }),
    headers: { cookie: anna.cookie },
  })
  assert.equal(withoutOrigin.status, 403)
  const signIn = await board.send('/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ secret: (await board.link()).split('/').at(-1) ?? '' }),
    headers: { origin: evil },
  })
  assert.equal(signIn.status, 403)
})

/** With a Host header of its own, which fetch does not allow. */
const askedAs = (host: string, cookie: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(board.origin, { headers: { host, cookie } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })

test('CORE-93 a name that others lead here is not answered', async () => {
  const { cookie } = await board.signIn()
  for (const [host, status] of [
    ['127.0.0.1:9', 200],
    ['localhost:9', 200],
    ['[::1]:9', 200],
    ['ops.example.com', 200],
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['ops.example.com:8081', 421],
  ] as const) {
    assert.equal(await askedAs(host, cookie), status, host)
  }
})

test('CORE-93 behind HTTPS the cookie is for HTTPS alone', async () => {
  const secret = (await board.link()).split('/').at(-1) ?? ''
  const body = new URLSearchParams({ secret }).toString()
  const cookie = await new Promise<string>((resolve, reject) => {
    const headers = {
      host: 'ops.example.com',
      origin: 'https://ops.example.com',
      'content-type': 'application/x-www-form-urlencoded',
    }
    request(`${board.origin}/sign-in`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.headers['set-cookie']?.[0] ?? '')
    })
      .on('error', reject)
      .end(body)
  })
  assert.match(cookie, /; Secure$/)
})

test('CORE-92 actions are audited under the signed-in operator, and so are sign-in and sign-out', async () => {
  const carla = await board.signIn('carla')
  await carla.post('/sign-out')
  assert.deepEqual(await actionsBy('operator:carla'), ['dashboard sign-out', 'dashboard sign-in'])
  assert.ok((await actionsBy(LOCAL_ACTOR)).includes('dashboard link'))
})

test('CORE-93 a body that is not a form is refused with 4xx, with or without a session', async () => {
  const { cookie } = await board.signIn()
  for (const [path, type, body, status] of [
    ['/sign-in', 'application/json', '{}', 415],
    ['/check', 'application/json', '{}', 415],
    ['/check', 'application/x-www-form-urlencoded', 'a'.repeat(300_000), 413],
  ] as const) {
    const headers = { cookie, origin: board.origin, 'content-type': type }
    assert.equal((await board.send(path, { method: 'POST', body, headers })).status, status)
  }
})

test('ERR-5 names are text on the page, whatever they hold', async () => {
  const page = await (await board.signIn('<i>anna</i>')).get('/')
  assert.match(page.text, /&lt;i&gt;anna/)
  assert.match(page.text, /Acme &lt;b&gt;Pay/)
  assert.doesNotMatch(page.text, /<i>|<b>/)
})

test('CORE-83 the overview checks the book on demand', async () => {
  const anna = await board.signIn()
  assert.doesNotMatch((await anna.get('/')).text, /0 problems/)
  assert.match((await anna.post('/check')).text, /0 problems/)
})
