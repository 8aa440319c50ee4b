import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text, type Body } from '../../../../test/kit/api.ts'
import { openDashboard, visitorWith, type Visitor } from '../../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { invited } from '../../../../test/kit/setups/operators.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const board = await openDashboard(kit)
const { platformId } = await kit.platform({ name: 'Acme Pay' })

const pageOf = (operatorId: string): string => `/operators/${encodeURIComponent(operatorId)}`

const person = async (name: string, roles: string, ...more: readonly string[]) => {
  const { session, operatorId } = await invited(kit, name, roles, ...more)
  const visitor = visitorWith(`florin_dashboard=${session}`, board)
  return { ...visitor, operatorId, path: pageOf(operatorId) }
}

const anna = await person('Anna', 'ADMIN')

/** The actions that a page has a form for. */
const formsOn = async (visitor: Visitor, path: string): Promise<readonly string[]> => {
  const { status, text: page } = await visitor.get(path)
  assert.equal(status, 200, page)
  const forms = page.matchAll(
    /<form method="post" action="[^"]*\/([a-z-]+)(?:\?[^"]*)?" class="action"/g,
  )
  return [...forms].map(([, name = '']) => name)
}

const show = (name: string): Promise<Body> => operate(kit, 'operators show', name)

const tokenIn = (page: string): string => /flop_[\w-]{43}/.exec(page)?.[0] ?? ''

const callAs = (token: string, path: string) =>
  board.send(`/operator/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })

test('OPER-2 an operator is invited by a form, whose link is shown this once and signs in', async () => {
  const form = new URLSearchParams({ name: 'Otto <O>', email: 'otto@example.com' })
  for (const role of ['REVIEWER', 'TREASURER']) form.append('roles', role)
  form.append('platform', platformId)
  const made = await anna.post('/operators/-/invite', form)
  assert.equal(made.status, 200, made.text)
  const link = /http:[^<]*\/sign-in\/[\w-]+/.exec(made.text)?.[0] ?? ''
  assert.match((await board.send(new URL(link).pathname)).text, /Sign in as Otto &lt;O&gt;/)
  const otto = await show('Otto <O>')
  assert.deepEqual(otto['roles'], ['REVIEWER', 'TREASURER'])
  assert.deepEqual(otto['platforms'], [platformId])
  const list = (await anna.get('/operators')).text
  for (const shown of ['otto@example.com', 'Reviewer, Treasurer', 'Acme Pay', 'Invited'])
    assert.ok(list.includes(shown), shown)
  const path = pageOf(text(otto['operatorId']))
  assert.ok(!(await anna.get(path)).text.includes(link))
  const again = await anna.post(`${path}/invite-again`)
  assert.match(again.text, /\/sign-in\//)
  assert.equal((await board.send(new URL(link).pathname)).status, 410, 'the former link is void')
  assert.deepEqual((await show('Otto <O>'))['platforms'], [platformId])
})

test('OPER-2 roles, platforms and the name are replaced by forms', async () => {
  const ben = await person('Ben', 'TREASURER', '--platform', platformId)
  const page = (await anna.get(ben.path)).text
  assert.match(page, /value="TREASURER"\s+checked/)
  assert.doesNotMatch(page, /value="REVIEWER"\s+checked/)
  const changed = await anna.post(`${ben.path}/change-access`, { roles: 'REVIEWER' })
  assert.equal(changed.status, 303, changed.text)
  const { roles, platforms } = await show('Ben')
  assert.deepEqual({ roles, platforms }, { roles: ['REVIEWER'], platforms: undefined })
  await anna.post(`${ben.path}/rename`, { name: 'Benjamin' })
  const after = (await anna.get(ben.path)).text
  assert.ok(after.includes('<h1>Benjamin</h1>') && after.includes('operators update'))
  const none = await anna.post(`${ben.path}/change-access`, {})
  assert.equal(none.status, 303, 'without a role ticked the roles stay')
  assert.deepEqual((await show('Benjamin'))['roles'], ['REVIEWER'])
})

test('OPER-2 OPER-5 an operator is disabled, which ends the session at once, and enabled again', async () => {
  const tom = await person('Tom', 'TREASURER')
  assert.equal((await tom.get('/operators')).status, 200)
  assert.equal((await anna.post(`${tom.path}/disable`)).status, 303)
  assert.equal((await tom.get('/operators')).status, 401)
  assert.deepEqual(await formsOn(anna, tom.path), ['change-access', 'rename', 'enable'])
  assert.equal((await anna.post(`${tom.path}/enable`)).status, 303)
  assert.equal((await show('Tom'))['status'], 'ACTIVE')
  const last = await anna.post(`${anna.path}/disable`)
  assert.equal(last.status, 409)
  assert.match(last.text, /LAST_ADMIN/)
  const own = await anna.post(`${anna.path}/change-access`, { roles: 'VIEWER' })
  assert.equal(own.status, 403)
  assert.match(own.text, /SAME_OPERATOR/)
})

test('OPER-40 a token for a program is made on the page of its operator, shown once, and revoked', async () => {
  const rita = await person('Rita', 'REVIEWER,TREASURER')
  const made = await anna.post(`${rita.path}/create-token`, {
    name: 'nightly',
    'expires-in': '30',
    roles: 'TREASURER',
    commands: 'transactions.list,look-up',
    address: '127.0.0.0/8\n::1\n',
  })
  const token = tokenIn(made.text)
  assert.ok(token, made.text)
  assert.equal((await callAs(token, 'transactions/list')).status, 200)
  assert.equal((await callAs(token, 'refunds/list')).status, 403)
  const page = (await anna.get(rita.path)).text
  assert.ok(!page.includes(token), 'it is shown once')
  for (const shown of ['nightly', 'transactions.list', 'look-up', 'from 127.0.0.0/8', 'from ::1'])
    assert.ok(page.includes(shown), shown)
  const [kept] = items((await show('Rita'))['tokens'])
  const id = text(kept?.['operatorTokenId'])
  assert.equal((await anna.post(`${rita.path}/revoke-token`, { token: id })).status, 303)
  assert.equal((await callAs(token, 'transactions/list')).status, 401)
  const beyond = await anna.post(`${rita.path}/create-token`, {
    name: 'more',
    'expires-in': '30',
    roles: 'ADMIN',
  })
  assert.equal(beyond.status, 403)
  assert.match(beyond.text, /needs ADMIN/)
})

test('OPER-1 forms are shown only for what the reader may do, and every submit is checked again', async () => {
  const vera = await person('Vera', 'VIEWER')
  const [own, other] = [vera.path, anna.path]
  assert.deepEqual(await formsOn(vera, other), [])
  assert.doesNotMatch((await vera.get('/operators')).text, /Invite an operator/)
  const mine = await vera.post('/account/tokens/-/create', { name: 'laptop' })
  assert.ok(tokenIn(mine.text))
  assert.deepEqual(await formsOn(vera, own), ['revoke-token'])
  assert.match((await vera.get(own)).text, /laptop/)
  const tokens = /<h2>Tokens<\/h2>/
  assert.doesNotMatch((await vera.get(other)).text, tokens, 'tokens of others are an ADMIN’s')
  assert.match((await anna.get(own)).text, tokens)
  assert.deepEqual(await formsOn(anna, own), [
    ...['change-access', 'rename', 'create-token', 'revoke-token', 'disable'],
  ])
  assert.equal((await vera.get('/operators/-/invite')).status, 403)
  for (const [action, fields] of [
    ['change-access', { roles: 'ADMIN' }],
    ['rename', { name: 'Root' }],
    ['disable', {}],
    ['create-token', { name: 'x', 'expires-in': '1' }],
  ] as const) {
    const answer = await vera.post(`${other}/${action}`, fields)
    assert.equal(answer.status, 403, action)
    assert.match(answer.text, /needs ADMIN/, action)
  }
})

test('OPER-1 operators are not shown to those who are limited to a platform', async () => {
  const paul = await person('Paul', 'ADMIN', '--platform', platformId)
  assert.doesNotMatch((await paul.get('/')).text, /href="\/operators/)
  assert.equal((await paul.get('/operators')).status, 403)
})

test('OPER-9 the page of an operator shows what they did last, in person and by tokens', async () => {
  const lena = await person('Lena', 'ADMIN')
  await person('Lena-Two', 'ADMIN')
  await lena.post(`${lena.path}/create-token`, { name: 'ci', 'expires-in': '1' })
  const page = (await anna.get(lena.path)).text
  assert.match(page, /operator-tokens create[^]*In person/)
  assert.match(page, /dashboard sign-in/)
  assert.doesNotMatch(page, /Lena-Two/)
  const [entry] = items(await operate(kit, 'audit list --action operator-tokens', '--limit', '1'))
  assert.equal(entry?.['actor'], 'operator:Lena')
})

test('OPER-61 My tokens and Operators lead to the reference of the operator API', async () => {
  for (const path of ['/operators', '/account/tokens']) {
    const [, href = ''] =
      /href="([^"]*)"\s*>Reference of the operator API/.exec((await anna.get(path)).text) ?? []
    assert.equal((await anna.get(href)).status, 200, path)
  }
})
