import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { registerDocsPage } from './docs-page.ts'

const app = fastify()
registerDocsPage(app)

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'self'"

const ASSETS: [string, RegExp][] = [
  ['/docs', /^text\/html; charset=utf-8$/],
  ['/docs/docs.js', /^text\/javascript; charset=utf-8$/],
  ['/docs/styles/theme.css', /^text\/css; charset=utf-8$/],
  ['/docs/icon.svg', /^image\/svg\+xml/],
  ['/docs/inter.woff2', /^font\/woff2$/],
]

test('CORE-93 every file of the reference carries the policy and its own type', async () => {
  for (const [url, type] of ASSETS) {
    const { statusCode, headers, rawPayload } = await app.inject(url)
    assert.equal(statusCode, 200, url)
    assert.match(String(headers['content-type']), type)
    assert.equal(headers['content-security-policy'], POLICY)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cache-control'], 'no-cache')
    assert.ok(rawPayload.length > 0)
  }
})

test('CORE-86 a file that the browser has is not sent again', async () => {
  const { headers } = await app.inject('/docs')
  const etag = String(headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await app.inject({ url: '/docs', headers: { 'if-none-match': known } })
    assert.equal(again.statusCode, 304, known)
    assert.equal(again.body, '')
    assert.equal(again.headers.etag, etag)
  }
  const stale = await app.inject({ url: '/docs', headers: { 'if-none-match': '"other"' } })
  assert.equal(stale.statusCode, 200)
})

test('CORE-86 what the page names is kept by the browser, and a release that is not ours is not', async () => {
  const { body } = await app.inject('/docs')
  const named = /"(docs\/~[^"]+\/docs\.js)"/.exec(body)?.[1] ?? ''
  const script = await app.inject(`/${named}`)
  assert.equal(script.headers['cache-control'], 'max-age=31536000, immutable')
  assert.equal(script.body, (await app.inject('/docs/docs.js')).body)
  const other = await app.inject('/docs/~another-release/docs.js')
  assert.deepEqual([other.body, other.headers['cache-control']], [script.body, 'no-cache'])
  for (const path of ['/docs/~another-release', '/docs/~another-release/', '/docs/~x/~y/docs.js'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
})

test('CORE-86 a trailing slash leads to the page, also below the prefix of a proxy', async () => {
  const { statusCode, headers } = await app.inject('/docs/')
  assert.equal(statusCode, 308)
  assert.equal(new URL(String(headers.location), 'https://host/pay/docs/').pathname, '/pay/docs')
})

test('CORE-86 the bare address leads to the page, also below the prefix of a proxy', async () => {
  const { statusCode, headers } = await app.inject('/')
  assert.equal(statusCode, 302)
  assert.equal(new URL(String(headers.location), 'https://host/pay/').pathname, '/pay/docs')
})

test('CORE-93 only what the page needs is served', async () => {
  for (const name of [
    'docs-page.ts',
    'docs-page.test.ts',
    'index.html',
    '..%2f..%2fpackage.json',
  ]) {
    assert.equal((await app.inject(`/docs/${name}`)).statusCode, 404, name)
  }
})

test('CORE-93 the page holds no inline script or style and names no other host', async () => {
  const { body } = await app.inject('/docs')
  assert.doesNotMatch(body, /<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=/)
  assert.doesNotMatch(body, /(?:src|href)="(?:https?:)?\/\//)
  const names = [...body.matchAll(/(?:src|href)="docs\/([^"]+)"/g)].map(([, name]) => name)
  assert.ok(names.length > 3)
  for (const name of names) {
    // Made of the description, and served with it.
    if (name === 'collection.json') continue
    assert.equal((await app.inject(`/docs/${name}`)).statusCode, 200, name)
  }
})

test('CORE-86 every script is asked for at once, not when another one has named it', async () => {
  const { body } = await app.inject('/docs')
  const scripts = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.js'))
  assert.ok(scripts.length > 1)
  for (const name of scripts) assert.match(body, new RegExp(`"docs/~[^/]+/${name}"`))
})
