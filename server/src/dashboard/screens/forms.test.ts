/** Forms that come twice, and forms whose session has ended meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../test/kit/api.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { formTokenOf, openDashboard, type Shown } from '../../../test/kit/pages/dashboard.ts'
import { invited } from '../../../test/kit/setups/operators.ts'

const kit = await startOwnKit({ ADMIN_PORT: '8081' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const CREATE = '/platforms/-/create'
const CONTENT = { kind: 'UNREGULATED', environment: 'SANDBOX', currencies: 'USD' }

const hiddenIn = ({ text: page }: Shown, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? assert.fail(name)

/** The form as the page has it, filled in. */
const filledIn = async (path: string, typed: Record<string, string>) => {
  const page = await anna.get(path)
  return { ...typed, formToken: formTokenOf(page.text), formKey: hiddenIn(page, 'formKey') }
}

const named = async (name: string): Promise<number> =>
  items(await operate(kit, 'platforms list')).filter((one) => text(one['name']) === name).length

test('OPER-137 a form that is sent twice is done once, and what is shown once is not shown again', async () => {
  const form = await filledIn(CREATE, { ...CONTENT, name: 'Sent twice' })
  const first = await anna.post(CREATE, form)
  assert.match(first.text, /Client secret/)
  const again = await anna.post(CREATE, form)
  assert.equal(again.status, 200)
  assert.match(again.text, /This form was sent before, and it was done once/)
  assert.doesNotMatch(again.text, /Client secret/)
  assert.match(again.text, /Client id/)
  assert.equal(await named('Sent twice'), 1)
  await anna.post(CREATE, { ...form, name: 'Another' })
  assert.equal(await named('Another'), 1, 'typed otherwise it is another form')
})

test('OPER-137 of a form that comes several times at once one submit is done, and the others wait for it', async () => {
  const form = await filledIn(CREATE, { ...CONTENT, name: 'At once' })
  const answers = await Promise.all([1, 2, 3, 4].map(() => anna.post(CREATE, form)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(answers.filter((one) => one.text.includes('Client secret')).length, 1)
  assert.equal(await named('At once'), 1)
})

test('OPER-137 a second submit on the page of a thing makes no second token', async () => {
  const { platformId } = await kit.platform()
  const page = `/platforms/${encodeURIComponent(platformId)}`
  const form = await filledIn(page, { name: 'reader', permissions: 'VIEW' })
  for (let sent = 0; sent < 2; sent += 1) {
    assert.equal((await anna.post(`${page}/create-token`, form)).status, 200)
  }
  const { tokens } = await operate(kit, 'platforms show', platformId)
  assert.equal(items(tokens).filter(({ name }) => text(name) === 'reader').length, 1)
})

test('OPER-137 a refused form can be sent again once its cause is gone', async () => {
  await operate(kit, 'operators invite --name Taken --email t@example.com --roles VIEWER')
  await invited(kit, 'Busy', 'VIEWER')
  const path = '/operators/-/invite'
  const form = await filledIn(path, { name: 'Busy', email: 'b@example.com', roles: 'VIEWER' })
  assert.equal((await anna.post(path, form)).status, 409)
  await operate(kit, 'operators update Busy --name Free')
  assert.equal((await anna.post(path, form)).status, 200)
})

test('OPER-138 a form that comes after its session has ended is kept, and shown again after the sign-in', async () => {
  const leaving = await board.signIn('leaving')
  const page = await leaving.get(CREATE)
  const [formToken, formKey] = [formTokenOf(page.text), hiddenIn(page, 'formKey')]
  await leaving.post('/sign-out')
  const form = { ...CONTENT, name: 'Typed "long" ago', formToken, formKey }
  const asked = await leaving.post(CREATE, form)
  assert.equal(asked.status, 401)
  assert.match(asked.text, /Nothing was changed\. Your session has ended\./)
  assert.match(asked.text, /<input type="hidden" name="name" value="Typed &quot;long&quot; ago"/)
  assert.doesNotMatch(asked.text, new RegExp(formToken))
  assert.match(asked.headers.get('set-cookie') ?? '', /florin_landing=%2Fplatforms%2F-%2Fcreate/)
  const back = await board.signIn('leaving')
  const shown = await back.post(CREATE, form)
  assert.equal(shown.status, 409)
  assert.match(shown.text, /You have signed in again since you opened this form/)
  assert.match(shown.text, /name="name" value="Typed &quot;long&quot; ago"/)
  assert.equal(await named('Typed "long" ago'), 0)
  const sent = { ...form, formToken: formTokenOf(shown.text), formKey: hiddenIn(shown, 'formKey') }
  assert.equal((await back.post(CREATE, sent)).status, 200)
  assert.equal(await named('Typed "long" ago'), 1)
})

test('OPER-138 CORE-93 what another site sends is not kept, and a form of another session does nothing', async () => {
  const form = { ...CONTENT, name: 'Foreign' }
  const foreign = { headers: { origin: 'https://evil.example' }, body: new URLSearchParams(form) }
  const unsigned = await board.send(CREATE, { method: 'POST', ...foreign })
  assert.equal(unsigned.status, 401)
  assert.doesNotMatch(unsigned.text, /Foreign/)
  const signed = await anna.post(CREATE, form, { origin: 'https://evil.example' })
  assert.equal(signed.status, 403)
  assert.doesNotMatch(signed.text, /Foreign/)
  for (const path of ['/sign-out', '/check', '/transactions/-/save-filter']) {
    assert.equal((await anna.post(path, { formToken: 'of another' })).status, 403, path)
  }
  assert.equal((await anna.post(CREATE, { ...form, formToken: 'of another' })).status, 409)
  assert.equal(await named('Foreign'), 0)
})
