/** The longest pages in every language, on a small phone and on a desk at night. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '../../../src/pages/language/languages.ts'
import { BUSINESS, createCustomer } from '../../kit/customers.ts'
import { startKit } from '../../kit/florin.ts'
import { createKycLink } from '../../kit/onboarding/kyc-links.ts'
import { PERSON_DATA } from '../../kit/onboarding/verification.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { mustBeSound } from '../page-checks.ts'

const kit = await startKit()
const platform = await kit.platform({ kind: 'UNREGULATED' })
const browser = await openBrowser()

const linkFor = async (data: object): Promise<string> =>
  (await createKycLink(kit, platform, await createCustomer(platform, data))).url

const business = await linkFor(BUSINESS)
const papers = await linkFor(PERSON_DATA)

const VIEWS = [
  { viewport: { width: 320, height: 640 }, colorScheme: 'light' },
  { viewport: { width: 1100, height: 800 }, colorScheme: 'dark' },
] as const

const CURRENT = `document.querySelector('.languages [aria-current]').innerText`

for (const [language, name] of Object.entries(LANGUAGES)) {
  test(`OPER-192 CORE-93 ${name} fits, can be read and is named for screen readers`, async () => {
    const page = await browser.newPage({ locale: language })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    for (const url of [`${business}?step=owners`, papers]) {
      await page.goto(url)
      assert.equal(await page.evaluate('document.documentElement.lang'), language)
      assert.equal(await page.evaluate(CURRENT), name)
      for (const { viewport, colorScheme } of VIEWS) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await mustBeSound(page, `${url}, ${colorScheme}`)
      }
    }
    assert.deepEqual(complaints, [])
    await page.close()
  })
}

test('OPER-192 a script says in the language of the page what is wrong with a file', async () => {
  const page = await browser.newPage({ locale: 'de' })
  await page.goto(papers)
  const file = { name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText('Nehmen Sie besser ein anderes auf:').waitFor()
  await page.getByText('Die Datei muss eine PDF-, JPEG- oder PNG-Datei sein.').waitFor()
  await page.close()
})
