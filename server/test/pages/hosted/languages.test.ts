/** Every hosted page in eight languages: nothing of it is left in English, and the choice stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, type Language } from '../../../src/pages/language/languages.ts'
import { expectStatus, items, text, type HasId } from '../../kit/api.ts'
import { newCustomer, newOwnWallet } from '../../kit/accounts/external-accounts.ts'
import { newCard } from '../../kit/cards.ts'
import { BUSINESS, createCustomer } from '../../kit/customers.ts'
import { startKit } from '../../kit/florin.ts'
import { createInvitation, inSeconds } from '../../kit/onboarding/invitations.ts'
import { createKycLink } from '../../kit/onboarding/kyc-links.ts'
import { completeBusiness, completePerson, PERSON_DATA } from '../../kit/onboarding/verification.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)
const NAME = 'Qqqq'
const p = await kit.platform({ kind: 'UNREGULATED', name: NAME })
const { api, ...light } = await kit.platform({ name: NAME, currencies: ['COP', 'USD'] })
const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en')

const here = (url: string): string => {
  const { pathname, search } = new URL(url)
  return `${origin}${pathname}${search}`
}

const verify = async (customer: HasId): Promise<string> =>
  (await createKycLink(kit, p, customer)).url

async function livenessLink(): Promise<string> {
  const customerId = await newCustomer(api, { region: 'DE' })
  const { path } = await newOwnWallet(api, customerId)
  const asked = await api.post(`${path}/challenge`, { method: 'LIVENESS' })
  return here(text(expectStatus(asked, 201)['verificationLink']))
}

async function payLink(): Promise<string> {
  const listed = await api.get('/platform/internal-accounts', { query: { currency: 'COP' } })
  const [account] = expectStatus(listed, 200).data
  const info = items(account?.fundingPaymentInstructions)[0]?.accountOrWalletInfo
  return here(text(info?.paymentUrl))
}

async function cardLink(): Promise<string> {
  const { id } = await newCard({ api, ...light })
  return here(expectStatus(await api.post(`/cards/${id}/reveal`), 200).panEmbedUrl)
}

const invitation = await createInvitation(
  { api, ...light },
  {
    firstName: NAME,
    amountToSend: 5000,
    expiresAt: inSeconds(86_400),
  },
)
const person = await verify(await createCustomer(p, { fullName: NAME }))
const business = await verify(await createCustomer(p, BUSINESS))
const papers = await verify(await createCustomer(p, PERSON_DATA))
const whole = await verify(await completePerson(p))
const company = await verify(await completeBusiness(p))

type Visit = Readonly<{ at: string; form?: Readonly<Record<string, string>> | undefined }>

const PAGES: Readonly<Record<string, Visit>> = {
  details: { at: person },
  'details, wrong': { at: `${person}/details`, form: { identifier: '1', birthDate: 'x' } },
  'incomplete review': { at: `${person}?step=review` },
  'details of a business': { at: business },
  'another country': {
    at: `${business}/details`,
    form: { more: 'businessInfo.countriesOfOperation' },
  },
  'a person behind it': { at: `${business}?step=owners` },
  'a person behind it, wrong': {
    at: `${business}/owners`,
    form: { person: 'new', ownershipPercentage: 'x' },
  },
  documents: { at: papers },
  'review of a person': { at: whole },
  'review of a business': { at: company },
  'people of a business': { at: `${company}?step=owners` },
  'documents of a business': { at: `${company}?step=documents` },
  'unknown link': { at: `${origin}/verify/x` },
  liveness: { at: await livenessLink() },
  'unknown check': { at: `${origin}/liveness?token=x` },
  'unknown reset': { at: `${origin}/sca-reset?token=x` },
  terms: { at: `${origin}/legal/end-user-terms/V1` },
  'unknown terms': { at: `${origin}/legal/end-user-terms/V0` },
  invitation: { at: here(invitation.url) },
  'unknown invitation': { at: `${origin}/i/x` },
  pay: { at: await payLink() },
  'pay, wrong': { at: await payLink(), form: { amount: 'x' } },
  'unknown payment': { at: `${origin}/pay/x` },
  card: { at: await cardLink() },
  'unknown card': { at: `${origin}/embed/cards/x` },
}

async function open({ at, form }: Visit, language: Language): Promise<Response> {
  const body = form && new URLSearchParams(form)
  const headers = { 'accept-language': `sv, ${language};q=0.8, en;q=0.5` }
  return fetch(at, { method: form ? 'POST' : 'GET', headers, ...(body && { body }) })
}

/** What a person reads or hears, without what is the same in every language: code, countries, the switch itself. */
function readIn(page: string): string[] {
  const shown = page
    .replaceAll(/<(style|script|footer|code)[^]*?<\/\1>/g, '')
    .replaceAll(/<div lang="">[^]*<\/div>/g, '')
    .replaceAll(/<option value="[A-Z]{2}"[^]*?<\/option>/g, '')
  const spoken = [...shown.matchAll(/ (?:aria-label|alt|data-(?!check|watch)[a-z-]+)="([^"]*)"/g)]
  return [...shown.split(/<[^<>]*>/), ...spoken.map(([, said = '']) => said)]
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => /\p{L}{2}/u.test(text))
}

/** What people, files and providers are called. */
const NAMES: readonly string[] = [
  ...[NAME, 'Sandbox', `Florin Sandbox FBO ${NAME}`, 'Maria Lopez', 'Acme Inc.', 'Ana Martins'],
  ...['1 Main St', 'paper.pdf', 'Sandbox Provider', 'Sandbox Latin Provider', 'COP'],
  invitation.inviterUma,
]
const isNamed = (text: string, language: Language): boolean =>
  NAMES.includes(text) || (language === 'fr' && text === 'Documents')

for (const [name, visit] of Object.entries(PAGES)) {
  test(`OPER-190 OPER-192 no English is left on the page "${name}" in another language`, async () => {
    const english = await open(visit, 'en')
    const known = new Set(readIn(await english.text()))
    for (const language of OTHERS) {
      const answer = await open(visit, language)
      const page = await answer.text()
      assert.equal(answer.status, english.status)
      assert.match(answer.headers.get('vary') ?? '', /accept-language/i)
      assert.match(page, new RegExp(`<html lang="${language}">`))
      const left = readIn(page).filter((text) => known.has(text) && !isNamed(text, language))
      assert.deepEqual(left, [], language)
    }
  })
}

const addressesIn = (page: string): string[] =>
  [...page.matchAll(/ (?:href|action|formaction)="([^"#][^"]*)"/g)].map(([, to = '']) => to)

test('OPER-191 the language that a link names goes before the browser, and stays', async () => {
  const headers = { 'accept-language': 'fr' }
  const ask = async (at: string, init: RequestInit = {}) =>
    fetch(at, { headers, redirect: 'manual', ...init })
  for (const at of [`${whole}?lang=de`, `${await livenessLink()}&lang=de`]) {
    const page = await (await ask(at)).text()
    assert.match(page, /<html lang="de">/)
    const [main = '', footer = ''] = page.split('<footer>')
    const addresses = addressesIn(main)
    assert.ok(addresses.length > 1)
    for (const to of addresses) assert.match(to, /[?;]lang=de$/)
    const other = addressesIn(footer).map((to) => new URL(to.replaceAll('&amp;', '&'), at))
    assert.deepEqual(
      other.map(({ searchParams }) => searchParams.getAll('lang')),
      Object.keys(LANGUAGES).map((language) => [language]),
    )
    assert.match(await (await ask(text(other.at(-1)?.href))).text(), /<html lang="pl">/)
  }
  const typed = { method: 'POST', body: new URLSearchParams({ fullName: 'Maria Lopez' }) }
  const wrong = await (await ask(`${person}/details?lang=de`, typed)).text()
  const back = addressesIn(wrong.split('<footer>')[1] ?? '')
    .at(-1)
    ?.replaceAll('&amp;', '&')
  const polish = new URL(text(back), `${person}/details`).href
  assert.match(await (await ask(polish)).text(), /<html lang="pl">/)
  const refused = await ask(`${person}/details?lang=de`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  assert.equal(refused.status, 403)
  const again = addressesIn((await refused.text()).split('<footer>')[1] ?? '').at(-1)
  const opened = new URL(text(again).replaceAll('&amp;', '&'), `${person}/details`)
  assert.match(await (await ask(opened.href)).text(), /<html lang="pl">/)
  const sent = await ask(
    `${await livenessLink()}&lang=de`.replace('/liveness?', '/liveness/pass?'),
    {
      method: 'POST',
    },
  )
  assert.match(sent.headers.get('location') ?? '', /&lang=de$/)
  assert.match(await (await ask(`${whole}?lang=xx`)).text(), /<html lang="fr">/)
})

test('OPER-192 the advice on a photo is in the language of the page, and in English for programs', async () => {
  const body = () => {
    const form = new FormData()
    form.append('file', new Blob(['GIF89a'], { type: 'image/gif' }), 'a.gif')
    return form
  }
  const advice = async (query: string): Promise<unknown> => {
    const answer = await fetch(`${papers}/check${query}`, { method: 'POST', body: body() })
    return ((await answer.json()) as { advice: string[] }).advice[0]
  }
  assert.equal(await advice(''), 'The file must be a PDF, a JPEG or a PNG.')
  assert.equal(await advice('?lang=de'), 'Die Datei muss eine PDF-, JPEG- oder PNG-Datei sein.')
})
