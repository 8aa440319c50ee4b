/** The page that shows a card's number, in a frame of a real browser. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { expectStatus, text } from '../kit/api.ts'
import { openBrowser } from '../kit/pages/browser.ts'
import { advance, newCard } from '../kit/cards.ts'
import { startKit } from '../kit/florin.ts'
import { contrastProblems, overflow } from './page-checks.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const p = await kit.platform({ currencies: ['USD'] })
const browser = await openBrowser()

/** A platform's own page, which holds the card in a frame. */
async function startShop(): Promise<string> {
  const shop = createServer((request, response) => {
    const link = new URL(request.url ?? '', 'http://shop').searchParams.get('link') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><h1>Your card</h1>
      <iframe title="Card" width="380" height="260" src="${link}"></iframe>`)
  })
  shop.listen(0, '0.0.0.0')
  await once(shop, 'listening')
  after(() => {
    shop.closeAllConnections()
    shop.close()
  })
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
}

const shop = await startShop()
const elsewhere = (await startShop()).replace('127.0.0.1', 'localhost')

async function linkOf(id: string, body: object): Promise<string> {
  const answer = expectStatus(await p.api.post(`/cards/${id}/reveal`, body), 200)
  return `${origin}${new URL(answer.panEmbedUrl).pathname}`
}

async function visit(url: string) {
  const page = await browser.newPage({ viewport: { width: 420, height: 640 } })
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(url)
  return { page, complaints, requests }
}

test('CARD-36 CARD-37 the frame of the named page shows the card, and asks nobody for anything', async () => {
  const { id, card } = await newCard(p)
  const link = await linkOf(id, { parentOrigin: shop })
  const { page, complaints, requests } = await visit(`${shop}/?link=${encodeURIComponent(link)}`)
  const frame = page.frameLocator('iframe')
  const number = await frame.locator('#pan').innerText()
  assert.match(number, /^4000 00\d\d \d{4} \d{4}$/)
  assert.ok(number.endsWith(text(card.last4)))
  assert.match(await frame.locator('#exp').innerText(), /^\d\d\/\d\d$/)
  assert.match(await frame.locator('#cvv').innerText(), /^\d{3}$/)
  const corner = await frame.locator('main').evaluate((main) => getComputedStyle(main).borderRadius)
  assert.notEqual(corner, '0px', 'the style is applied')
  assert.deepEqual(
    requests.filter((url) => !url.endsWith('/favicon.ico')).slice(1),
    [link],
    'nothing but the page itself',
  )
  assert.deepEqual(
    complaints.filter((text) => !text.includes('favicon')),
    [],
  )
  await page.close()
})

test('CARD-37 another page gets an empty frame', async () => {
  const { id } = await newCard(p)
  const link = await linkOf(id, { parentOrigin: shop })
  const { page, complaints } = await visit(`${elsewhere}/?link=${encodeURIComponent(link)}`)
  assert.equal(await page.frameLocator('iframe').locator('#pan').count(), 0)
  assert.ok(
    complaints.some((text) => text.includes('frame-ancestors')),
    complaints.join('\n'),
  )
  await page.close()
})

test('CARD-37 in sandbox a developer’s own page may frame it, another address may not', async () => {
  const { id } = await newCard(p)
  const link = await linkOf(id, {})
  for (const page of [shop, elsewhere]) {
    const visited = await visit(`${page}/?link=${encodeURIComponent(link)}`)
    const frame = visited.page.frameLocator('iframe')
    assert.match(await frame.locator('#pan').innerText(), /^4000 00/, page)
    await visited.page.close()
  }
  const other = shop.replace('127.0.0.1', '127.0.0.2')
  const refused = await visit(`${other}/?link=${encodeURIComponent(link)}`)
  assert.equal(await refused.page.frameLocator('iframe').locator('#pan').count(), 0)
  assert.ok(refused.complaints.some((text) => text.includes('frame-ancestors')))
  await refused.page.close()
  const alone = await visit(link)
  assert.match(await alone.page.locator('#pan').innerText(), /^4000 00/)
  await alone.page.close()
})

test('CARD-35 the page fits a phone, can be read, and tells when it is over', async () => {
  const own = await kit.platform({ currencies: ['USD'] })
  const { id } = await newCard(own)
  const answer = expectStatus(await own.api.post(`/cards/${id}/reveal`), 200)
  const link = `${origin}${new URL(answer.panEmbedUrl).pathname}`
  for (const width of [300, 390, 900]) {
    const { page } = await visit(link)
    await page.setViewportSize({ width, height: 240 })
    assert.deepEqual(await overflow(page), [])
    await page.close()
  }
  await advance(own, 301)
  const { page } = await visit(link)
  assert.equal(await page.locator('h1').innerText(), 'This link has expired')
  assert.deepEqual(await contrastProblems(page), [])
  assert.doesNotMatch(await page.content(), /id="pan"/)
  await page.close()
})

test('OPER-199 CARD-36 a page that is asked for copying copies, and says so; others have no script', async () => {
  const { id } = await newCard(p)
  const link = await linkOf(id, {})
  const plain = await fetch(link)
  assert.doesNotMatch(await plain.text(), /<script|<button|role="status"/)
  assert.doesNotMatch(plain.headers.get('content-security-policy') ?? '', /script-src/)
  const context = await browser.newContext({ viewport: { width: 380, height: 320 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${link}?copy=on&lang=en`)
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  const number = (await page.locator('#pan').innerText()).replaceAll(' ', '')
  for (const [label, value] of [
    ['Card number', number],
    ['Expires', await page.locator('#exp').innerText()],
    ['Security code', await page.locator('#cvv').innerText()],
  ] as const) {
    await page.getByRole('button', { name: `Copy: ${label}` }).click()
    await page.getByRole('status').getByText(`${label}: Copied`).waitFor()
    assert.equal(await clipboard(), value)
  }
  assert.ok(!(await page.content()).includes(number), 'the number stands there in groups only')
  await context.clearPermissions()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
  })
  await page.getByRole('button', { name: 'Copy: Card number' }).click()
  await page.getByRole('status').getByText('Not copied').waitFor()
  assert.deepEqual(await overflow(page), [])
  assert.deepEqual(complaints, [])
  assert.deepEqual([...new Set(requests)].filter((path) => path !== '/favicon.ico').length, 1)
  await context.close()
})
