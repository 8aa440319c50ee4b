import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBrowser } from '../kit/pages/browser.ts'
import { startOwnKit } from '../kit/florin.ts'
import { contrastProblems, overflow } from './page-checks.ts'

const kit = await startOwnKit({ LEGAL_NAME: 'Crédit Exemple S.A.' })
const browser = await openBrowser()

const ADDRESS = new URL('/legal/end-user-terms/V1', kit.baseUrl).href

const VIEWS = [
  { name: 'on a desk', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'on a phone at night', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
] as const

describe('CUST-30 CORE-93 the end-user terms', () => {
  for (const { name, viewport, colorScheme } of VIEWS) {
    test(`are readable ${name}, and nothing is blocked or fetched from elsewhere`, async () => {
      const page = await browser.newPage({ viewport, colorScheme })
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => asked.push(request.url()))
      const answer = await page.goto(ADDRESS)
      assert.equal(answer?.status(), 200)
      assert.deepEqual(await overflow(page), [])
      assert.deepEqual(await contrastProblems(page), [])
      assert.deepEqual(complaints, [])
      assert.deepEqual(asked, [ADDRESS])
      await page.close()
    })
  }

  test('say whose they are, which version, and have an outline', async () => {
    const page = await browser.newPage()
    await page.goto(ADDRESS)
    assert.equal(await page.title(), 'End-user terms')
    assert.equal(await page.locator('h1').innerText(), 'End-user terms')
    assert.ok((await page.locator('h2').count()) > 5)
    const text = await page.locator('main').innerText()
    assert.match(text, /Crédit Exemple S\.A\. · Version V1 · Published on 13 October 2025/)
    await page.close()
  })
})
