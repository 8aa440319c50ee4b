import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBrowser } from '../kit/pages/browser.ts'
import { startOwnKit } from '../kit/florin.ts'
import { createInvitation, inSeconds } from '../kit/onboarding/invitations.ts'
import { operate } from '../kit/operator.ts'
import { contrastProblems, overflow } from './page-checks.ts'

const kit = await startOwnKit({ LEGAL_NAME: 'Crédit Exemple S.A.' })
const browser = await openBrowser()

const platform = await kit.platform({ name: 'Ana’s bank' })
await operate(
  kit,
  `platforms update ${platform.platformId} --onboarding-url https://join.example.com/`,
)
const made = await createInvitation(platform, {
  firstName: 'Ana',
  amountToSend: 5000,
  expiresAt: inSeconds(86_400),
})
const ADDRESS = new URL(new URL(made.url).pathname, kit.baseUrl).href

const VIEWS = [
  { name: 'on a desk', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'on a phone at night', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
] as const

describe('INV-14 CORE-93 the page of an invitation', () => {
  for (const { name, viewport, colorScheme } of VIEWS) {
    test(`is readable ${name}, and nothing is blocked or fetched from elsewhere`, async () => {
      const page = await browser.newPage({ viewport, colorScheme })
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => asked.push(request.url()))
      const answer = await page.goto(ADDRESS)
      assert.equal(answer?.status(), 200)
      assert.equal(await page.locator('h1').innerText(), 'Ana invites you')
      assert.deepEqual(await overflow(page), [])
      assert.deepEqual(await contrastProblems(page), [])
      assert.deepEqual(complaints, [])
      assert.deepEqual(asked, [ADDRESS])
      await page.close()
    })
  }
})
