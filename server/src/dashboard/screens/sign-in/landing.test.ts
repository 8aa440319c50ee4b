import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKit } from '../../../../test/kit/florin.ts'
import { openDashboard } from '../../../../test/kit/pages/dashboard.ts'
import { ownPath } from './landing.ts'

const kit = await startKit()
const board = await openDashboard(kit)

const PATHS: readonly (readonly [string, string | undefined, string])[] = [
  ['/transactions?status=FAILED', '/transactions?status=FAILED', 'a page with its query'],
  ['/customers/Customer%3A1', '/customers/Customer%3A1', 'a page of one thing'],
  ['/a/../b', '/b', 'as a browser reads it'],
  ['https://evil.example.com/', undefined, 'another site'],
  ['//evil.example.com/', undefined, 'another site without a scheme'],
  ['/\\evil.example.com/', undefined, 'a browser takes a backslash for a slash'],
  ['/.//evil.example.com', undefined, 'dots that leave two slashes'],
  ['/\t/evil.example.com', undefined, 'a browser drops tabs'],
  ['javascript:alert(1)', undefined, 'no path at all'],
  ['/sign-in/secret', undefined, 'a step of signing in'],
  ['/sign-out', undefined, 'signing out'],
  [`/${'x'.repeat(2_000)}`, undefined, 'too long'],
]
for (const [text, path, why] of PATHS) {
  test(`OPER-135 ${JSON.stringify(text.slice(0, 40))} leads ${path ?? 'to the overview'}: ${why}`, () =>
    assert.equal(ownPath(text), path))
}

/** Signs in by a link in the browser that has these cookies; where it lands. */
async function landingWith(cookie: string): Promise<string | null> {
  const secret = (await board.link()).split('/').at(-1) ?? ''
  const body = new URLSearchParams({ secret })
  const headers = { origin: board.origin, cookie }
  const answer = await board.send('/sign-in', { method: 'POST', body, headers })
  assert.equal(answer.status, 303, answer.text)
  return answer.headers.get('location')
}

const cookieOf = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await board.send(path, { headers })).headers.get('set-cookie')?.split(';')[0] ?? ''

test('OPER-135 after a link the browser lands on the page that it asked for', async () => {
  const cookie = await cookieOf('/transactions?status=FAILED')
  assert.equal(await landingWith(cookie), '/transactions?status=FAILED')
  assert.equal(await landingWith(''), '/')
})

test('OPER-135 what a page asks for beside it is not where one lands', async () => {
  assert.equal(await cookieOf('/favicon.ico', { 'sec-fetch-dest': 'image' }), '')
  assert.notEqual(await cookieOf('/customers', { 'sec-fetch-dest': 'document' }), '')
})

test('OPER-135 a cookie that others wrote leads nowhere else', async () => {
  for (const value of ['https%3A%2F%2Fevil.example.com', '%2F%2Fevil.example.com', '%E0%A4%A', ''])
    assert.equal(await landingWith(`florin_landing=${value}`), '/', value)
})
