/** Names without a blank on the hosted pages, on the narrowest screen, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../kit/api.ts'
import { newCustomer, newOwnWallet } from '../../kit/accounts/external-accounts.ts'
import { createCustomer } from '../../kit/customers.ts'
import { startKit } from '../../kit/florin.ts'
import { createInvitation, inSeconds } from '../../kit/onboarding/invitations.ts'
import { createKycLink } from '../../kit/onboarding/kyc-links.ts'
import { PERSON_DATA } from '../../kit/onboarding/verification.ts'
import { operate } from '../../kit/operator.ts'
import { openBrowser } from '../../kit/pages/browser.ts'
import { newScaCustomer } from '../../kit/sca/sca.ts'
import { contrastProblems, overflow } from '../page-checks.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const browser = await openBrowser()
const NAME = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

const here = (link: string): string => {
  const { pathname, search } = new URL(link)
  return `${origin}${pathname}${search}`
}

async function pages(): Promise<Readonly<Record<string, string>>> {
  const platform = await kit.platform({ name: NAME, currencies: ['COP', 'USD', 'USDC'] })
  const applying = await kit.platform({ kind: 'UNREGULATED', name: NAME })
  const customer = await createCustomer(applying, { ...PERSON_DATA, fullName: `${NAME} Maxi` })
  const listed = await platform.api.get('/platform/internal-accounts', {
    query: { currency: 'COP' },
  })
  const [account] = expectStatus(listed, 200).data
  const info = items(account?.fundingPaymentInstructions)[0]?.accountOrWalletInfo
  await operate(kit, `platforms update ${platform.platformId} --onboarding-url https://a.example/`)
  const invitation = await createInvitation(platform, {
    firstName: NAME.slice(0, 60),
    amountToSend: 5_000,
    expiresAt: inSeconds(86_400),
  })
  const { path } = await newOwnWallet(
    platform.api,
    await newCustomer(platform.api, { region: 'DE' }),
  )
  const asked = await platform.api.post(`${path}/challenge`, { method: 'LIVENESS' })
  const sca = await newScaCustomer(platform)
  const reset = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  return {
    verification: (await createKycLink(kit, applying, customer)).url,
    payment: here(text(info?.paymentUrl)),
    invitation: here(invitation.url),
    wallet: here(text(expectStatus(asked, 201)['verificationLink'])),
    reset: here(reset.verificationLink),
  }
}

test('CORE-93 names without a blank are broken on hosted pages of 320 pixels, not cut off', async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } })
  for (const [what, url] of Object.entries(await pages())) {
    const answer = await page.goto(url)
    assert.equal(answer?.status(), 200, what)
    assert.deepEqual(await overflow(page), [], what)
    assert.deepEqual(await contrastProblems(page), [], what)
  }
  await page.close()
})
