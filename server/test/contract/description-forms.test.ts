import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { parse } from 'yaml'
import { operations } from '../../src/app/operations.ts'
import { addPublicRoutes } from '../../src/app/public-routes.ts'
import { startKit } from '../kit/florin.ts'

const { florin } = await startKit()
const http = fastify()
addPublicRoutes(http, florin.deps)
const origin = await http.listen({ host: '127.0.0.1', port: 0 })
after(() => http.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers })

type Described = Readonly<{ servers: readonly Readonly<{ url: string }>[] }>
const description = (await (await get('/openapi.json')).json()) as Described

test('CORE-88 the description is served as YAML, too', async () => {
  const answer = await get('/openapi.yaml')
  assert.equal(answer.headers.get('content-type'), 'application/yaml; charset=utf-8')
  assert.deepEqual(parse(await answer.text()), description)
})

test('CORE-88 the page for language models names every operation and leads to the guides', async () => {
  const answer = await get('/llms.txt')
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await answer.text()
  assert.match(text, /^# Florin\n\n> \S/)
  const root = new URL('..', `${description.servers[0]?.url}/`).href
  for (const { id, path, method } of operations) {
    assert.ok(text.includes(`](${root}docs#${id}): \`${method} ${path}\`.`), id)
  }
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link)
  assert.ok(links.length > 20)
  for (const link of links) {
    assert.ok(link.startsWith(root), link)
    assert.equal((await get(`/${link.slice(root.length)}`)).status, 200, link)
  }
  for (const line of text.split('\n').filter((one) => one.startsWith('- ['))) {
    assert.match(line, /\)(: .+\.)?$/)
  }
})

test('CORE-88 the description is compressed for who takes gzip, and not sent to who has it', async () => {
  for (const path of ['/openapi.json', '/openapi.yaml', '/llms.txt']) {
    const zipped = await get(path, { 'accept-encoding': 'br, gzip' })
    const plain = await get(path, { 'accept-encoding': 'gzip;q=0' })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(await zipped.text(), await plain.text())
    const etag = plain.headers.get('etag') ?? ''
    assert.equal(zipped.headers.get('etag'), etag)
    assert.equal((await get(path, { 'if-none-match': `"other", ${etag}` })).status, 304)
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})
