/** Hosted pages with a platform's name, logo and color, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { expectStatus, text } from '../../kit/api.ts'
import { newCustomer, newOwnWallet } from '../../kit/accounts/external-accounts.ts'
import { createCustomer } from '../../kit/customers.ts'
import { startKit } from '../../kit/florin.ts'
import { createInvitation } from '../../kit/onboarding/invitations.ts'
import { createKycLink } from '../../kit/onboarding/kyc-links.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { contrastProblems, overflow } from '../page-checks.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const browser = await openBrowser()

const logo = await sharp({ create: { width: 240, height: 80, channels: 4, background: '#e11d48' } })
  .png()
  .toBuffer()

/** A platform with a brand, and the pages that show it. */
async function branded(color: string) {
  const platform = await kit.platform()
  const { api } = platform
  const branding = { name: 'Żółw & <Co>', color, logo: logo.toString('base64') }
  expectStatus(await api.patch('/config', { branding }), 200)
  const { path } = await newOwnWallet(api, await newCustomer(api, { region: 'DE' }))
  const asked = await api.post(`${path}/challenge`, { method: 'LIVENESS' })
  const here = (url: string): string => `${origin}${new URL(url).pathname}${new URL(url).search}`
  return [
    (await createKycLink(kit, platform, await createCustomer(platform))).url,
    here(text(expectStatus(asked, 201)['verificationLink'])),
    here((await createInvitation(platform)).url),
  ]
}

for (const [color, colorScheme, width] of [
  ['#ffd500', 'light', 390],
  ['#001a4d', 'dark', 1100],
] as const) {
  test(`OPER-194 OPER-196 CORE-93 a page wears ${color} readably on a ${colorScheme} page`, async () => {
    for (const url of await branded(color)) {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
      const complaints: string[] = []
      const asked: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('request', (request) => asked.push(new URL(request.url()).origin))
      await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=pl`)
      const image = page.getByRole('img', { name: 'Żółw & <Co>' })
      assert.equal(await image.evaluate((one: HTMLImageElement) => one.naturalWidth), 240)
      const icon = page.locator('link[rel=icon]')
      assert.equal(
        await icon.evaluate((one: HTMLLinkElement) => one.href),
        await image.evaluate((one: HTMLImageElement) => one.src),
      )
      assert.ok((await page.locator('body').innerText()).includes('Żółw & <Co>'))
      const accent = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--accent'),
      )
      assert.ok(!['#0b6266', '#63c7c4'].includes(accent), accent)
      assert.deepEqual(await contrastProblems(page), [])
      assert.deepEqual(await overflow(page), [])
      assert.deepEqual(complaints, [])
      assert.deepEqual([...new Set(asked)], [origin])
      await page.close()
    }
  })
}
