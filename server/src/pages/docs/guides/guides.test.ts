/** The guides as the page reads them: none is left out, and every link leads somewhere. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { registerDocsPage } from '../docs-page.ts'

type Section = { title: string; slug: string; text: string }
type Guide = { route: string; title: string; text: string; sections: Section[] }
type Links = {
  ofAddress(address: string): string | undefined
  ofCode(code: string): string | undefined
}

const load = (name: string) => import(new URL(name, import.meta.url).href)
const { readGuides } = await load('guide-text.js')
const { createGuideLinks } = await load('guide-links.js')
const { createModel } = await load('../model.js')

const DOCS = join(import.meta.dirname, '../../../../../docs')
const app = fastify()
registerDocsPage(app)

const groups: { title: string; guides: Guide[] }[] = readGuides(
  (await app.inject('/docs/guides.json')).json(),
)
const guides = groups.flatMap((group) => group.guides)
const model = createModel(JSON.parse(readFileSync(join(DOCS, 'reference/openapi.json'), 'utf8')))
const linksOf: (route: string) => Links = createGuideLinks(model, groups)
const withoutCode = (text: string) => text.replaceAll(/```.*?```|`[^`\n]*`/gs, '')
const addressesOf = ({ text }: Guide) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address)

test('OPER-171 every guide, concept and runbook is in the page, and served as it was written', async () => {
  const written = ['guides', 'concepts', 'runbooks'].flatMap((folder) =>
    readdirSync(join(DOCS, folder)).map((name) => `/${folder}/${name.replace('.md', '')}`),
  )
  const routes = guides.map(({ route }) => route)
  assert.deepEqual(
    written.filter((route) => !routes.includes(route)),
    [],
  )
  for (const { route, title } of guides) {
    const { headers, body, statusCode } = await app.inject(`/docs${route}.md`)
    assert.equal(statusCode, 200, route)
    assert.match(String(headers['content-type']), /^text\/markdown/)
    assert.ok(body.includes(`# ${title}\n`), route)
  }
})

test('OPER-171 every link of a guide leads to a guide, a heading, a view or a served file', async () => {
  const places = new Set(
    guides.flatMap(({ route, sections }) => [
      `#${route}`,
      ...sections.map(({ slug }) => `#${route}/${slug}`),
    ]),
  )
  const views = ['#', '#errors', '#webhooks', 'openapi.json']
  let count = 0
  for (const guide of guides) {
    const { ofAddress } = linksOf(guide.route)
    for (const address of addressesOf(guide)) {
      const href = ofAddress(address)
      const where = `${guide.route}: ${address} → ${href}`
      count += 1
      if (href === undefined)
        assert.ok(existsSync(join(DOCS, dirname(guide.route), address.replace(/#.*/, ''))), where)
      else if (href.startsWith('docs/'))
        assert.equal((await app.inject(`/${href}`)).statusCode, 200, where)
      else assert.ok(places.has(href) || views.includes(href) || /^https:/.test(href), where)
    }
  }
  assert.ok(count > 50)
})

test('OPER-171 a file that only the repository has is no link', () => {
  const { ofAddress } = linksOf('/concepts/ledger')
  assert.equal(ofAddress('../../server/src/ledger/README.md'), undefined)
  assert.equal(ofAddress('../decisions/0009-a-batch-may-rely-on-remembered-balances.md'), undefined)
  assert.equal(ofAddress('javascript:alert(1)'), undefined)
  assert.equal(ofAddress('../guides/sdk.md#webhooks'), '#/guides/sdk/webhooks')
})

test('OPER-171 an operation, an error code and an event that a guide names are links', () => {
  const { ofCode } = linksOf('/guides/first-payout')
  assert.equal(ofCode('POST /quotes'), '#createQuote')
  assert.equal(ofCode('POST /quotes/{id}/execute'), '#executeQuote')
  assert.equal(ofCode('GET /events?type=TEST'), '#listEvents')
  assert.equal(ofCode('INSUFFICIENT_BALANCE'), '#errors/INSUFFICIENT_BALANCE')
  assert.equal(ofCode('OUTGOING_PAYMENT.FAILED'), '#webhooks/OUTGOING_PAYMENT.FAILED')
  assert.equal(ofCode('expiresAt'), undefined)
  assert.equal(ofCode('EXPIRED'), undefined, 'the state of a quote, not the refusal of a document')
})

test('OPER-171 headings of a guide have addresses of their own, and tables whole rows', () => {
  for (const { route, text, sections } of guides) {
    const slugs = sections.map(({ slug }) => slug)
    assert.equal(new Set(slugs).size, slugs.length, `${route}: ${slugs}`)
    const tables = withoutCode(text).match(/(^\|.*\n)+/gm) ?? []
    for (const table of tables) {
      const widths = table
        .trim()
        .split('\n')
        .map((row) => row.split('|').length)
      assert.equal(new Set(widths).size, 1, `${route}:\n${table}`)
    }
  }
})

test('OPER-171 the container image holds what guides are read from', () => {
  const root = join(DOCS, '..')
  assert.match(readFileSync(join(root, 'deploy/Containerfile'), 'utf8'), /^COPY docs docs$/m)
  const admitted = readFileSync(join(root, '.dockerignore'), 'utf8')
  for (const folder of new Set(guides.map(({ route }) => dirname(route))))
    assert.match(admitted, new RegExp(`^!docs${folder}(/\\*\\.md)?$`, 'm'), folder)
  assert.match(admitted, /^!docs\/reference\/provider-protocol\.schema\.json$/m)
})
