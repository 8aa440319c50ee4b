import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, type HasId } from '../../../test/kit/api.ts'
import { PERSON } from '../../../test/kit/onboarding/beneficial-owners.ts'
import { BUSINESS, createCustomer, readCustomer } from '../../../test/kit/customers.ts'
import { pdf } from '../../../test/kit/onboarding/document-files.ts'
import { PASSPORT, sendForm } from '../../../test/kit/onboarding/documents.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { createKycLink } from '../../../test/kit/onboarding/kyc-links.ts'
import { meetAtRow } from '../../../test/kit/database/meet-at-row.ts'
import { operate } from '../../../test/kit/operator.ts'
import { completePerson, submitted, eventTypes } from '../../../test/kit/onboarding/verification.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ kind: 'UNREGULATED' })

/** The page of a customer, as a browser without script asks for it. */
async function visit(customer: HasId) {
  const { url } = await createKycLink(kit, platform, customer)
  return {
    url,
    get: async (query: string) => (await fetch(`${url}?${query}`)).text(),
    post: (step: string, typed: Readonly<Record<string, string>>) =>
      fetch(`${url}/${step}`, {
        method: 'POST',
        body: new URLSearchParams(typed),
        redirect: 'manual',
      }),
  }
}

const personIn = (page: string): string => /name="person" value="([^"]+)"/.exec(page)?.[1] ?? ''

const { address, ...person } = PERSON
const OWNER = {
  roles: 'DIRECTOR',
  ownershipPercentage: '30',
  ...Object.fromEntries(
    Object.entries(person).map(([name, value]) => [`personalInfo.${name}`, value]),
  ),
  ...Object.fromEntries(
    Object.entries(address).map(([name, value]) => [`personalInfo.address.${name}`, value]),
  ),
}

test('CORE-44 a person whose form is sent twice is one person, and the later form counts', async () => {
  const business = await createCustomer(platform, BUSINESS)
  const { get, post } = await visit(business)
  const typed = { ...OWNER, roles: 'CONTROL_PERSON', person: personIn(await get('step=owners')) }
  const id = mustParseId('customer', business.id)
  const row = sql`select 1 from customers where id = ${id} for update`
  const answers = await meetAtRow(kit, row, () => [post('owners', typed), post('owners', typed)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  )
  assert.equal((await post('owners', { ...typed, ownershipPercentage: '40' })).status, 303)
  const owners = items((await readCustomer(platform, business)).beneficialOwners)
  assert.deepEqual(
    owners.map(({ ownershipPercentage }) => ownershipPercentage),
    [40],
  )
})

test('CORE-44 another form is another person, also after a mistake in it', async () => {
  const business = await createCustomer(platform, BUSINESS)
  const { get, post } = await visit(business)
  const first = personIn(await get('step=owners'))
  const wrong = await post('owners', { ...OWNER, person: first, ownershipPercentage: '' })
  assert.equal(wrong.status, 400)
  assert.equal(personIn(await wrong.text()), first)
  assert.equal((await post('owners', { ...OWNER, person: first })).status, 303)
  const second = personIn(await get('step=owners&person=new'))
  assert.notEqual(second, first)
  assert.equal((await post('owners', { ...OWNER, person: second })).status, 303)
  assert.equal(items((await readCustomer(platform, business)).beneficialOwners).length, 2)
})

test('CUST-12 a number that was typed is not sent back, and is asked for again', async () => {
  const someone = await visit(await createCustomer(platform, { fullName: 'Maria Lopez' }))
  const company = await visit(await createCustomer(platform, BUSINESS))
  const pages = [
    await someone.post('details', {
      identifier: '111-22-3333',
      nationality: 'US',
      'address.country': 'US',
    }),
    await company.post('owners', { ...OWNER, person: 'new', ownershipPercentage: '' }),
  ]
  for (const page of pages) {
    assert.equal(page.status, 400)
    const shown = await page.text()
    assert.doesNotMatch(shown, /111-22-3333|123-45-6789/)
    assert.match(shown, /Enter it again: a number is not sent back/)
  }
})

const BERLIN = {
  fullName: 'Max Muster',
  birthDate: '1990-02-03',
  nationality: 'DE',
  'address.line1': 'Unter den Linden 1',
  'address.postalCode': '10117',
  'address.country': 'DE',
}

/** The page without the parts that a script shows. */
const shownIn = (page: string): string => page.replace(/<template[^]*?<\/template>/g, '')

test('KYC-5 KYC-28 a German in Berlin is never asked for a US number', async () => {
  const { get, post } = await visit(await createCustomer(platform, { fullName: 'Max Muster' }))
  assert.doesNotMatch(shownIn(await get('step=details')), /idType|taxpayer/)
  assert.doesNotMatch(await get('step=review'), /Type of number/)
  assert.equal((await post('details', BERLIN)).status, 303)
  assert.match(await get(''), /<h1[^>]*>Identity document/)
  assert.doesNotMatch(shownIn(await get('step=details')), /idType|taxpayer/)
})

for (const [path, where] of [
  ['nationality', 'a US citizen'],
  ['address.country', 'who lives in the US'],
] as const) {
  test(`KYC-28 ${where} is asked once that is known, and what was typed before is kept`, async () => {
    const { get, post } = await visit(await createCustomer(platform, { fullName: 'Max Muster' }))
    const typed = { ...BERLIN, [path]: 'US' }
    assert.equal((await post('details', typed)).status, 303)
    const page = await get('')
    assert.match(page, /As a US person you also need to enter/)
    assert.match(page, /For US persons only/)
    assert.match(page, /name="idType"/)
    assert.match(await get('step=review'), /Type of number/)
    const empty = await post('details', { ...typed, identifier: '' })
    assert.equal(empty.status, 400)
    assert.match(await empty.text(), /Choose which number you have[^]*Enter your number/)
    const moved = await post('details', { ...BERLIN, identifier: '' })
    assert.equal(moved.status, 303, 'no US person any more')
    assert.match(await get(''), /<h1[^>]*>Identity document/)
    const number = { idType: 'SSN', identifier: '111-22-3333' }
    assert.equal((await post('details', { ...typed, ...number })).status, 303)
    assert.match(await get(''), /<h1[^>]*>Identity document/)
  })
}

test('KYC-28 VER-11 a reviewer may ask any applicant for the number', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const address = { line1: 'Unter den Linden 1', postalCode: '10117', country: 'DE' }
  const customer = await completePerson(own, {
    fullName: 'Max 001',
    ...{ nationality: 'DE', address },
  })
  const verification = await submitted(own, customer)
  const entry = JSON.stringify({ type: 'INVALID_FIELD', field: 'identifier', reason: 'Not yours.' })
  await operate(kit, `review return ${verification.id}`, '--error', entry)
  const { url } = await createKycLink(kit, own, customer)
  const page = await (await fetch(url)).text()
  assert.match(shownIn(page), /Not yours\.[^]*name="identifier"/)
  assert.doesNotMatch(page, /As a US person/)
})

test('KYC-28 VER-31 for a name that asks again the page submits, requests the document, and submits again', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await completePerson(own, { fullName: 'Cem Three 003' })
  const { url, api } = await createKycLink(kit, own, customer)
  const asked = async () => {
    const { requirements } = expectStatus(await api.get('/state'), 200)
    return items(requirements).map(({ type, resourceId }) => [type, resourceId])
  }
  const canSend = async () => /<button[^>]*>\s*Send\s*</.test(await (await fetch(url)).text())
  const query = { documentHolder: customer.id }
  const [passport] = expectStatus(await own.api.get('/documents', { query }), 200).data
  for (let n = 0; n < 2; n += 1) {
    assert.deepEqual([await asked(), await canSend()], [[], true])
    const sent = expectStatus(await api.post('/submit'), 200)
    assert.equal(sent['verificationStatus'], 'RESOLVE_ERRORS')
    const poor = [['POOR_QUALITY_DOCUMENT', passport?.id]]
    assert.deepEqual([await asked(), await canSend()], [poor, false])
    const better = { method: 'PUT', path: `/documents/${passport?.id}` }
    expectStatus(await sendForm(own.api, { ...better, fields: PASSPORT, file: pdf() }), 200)
  }
  const resolve = 'VERIFICATION.RESOLVE_ERRORS'
  assert.deepEqual(await eventTypes(own), [resolve, resolve])
})

test('CORE-93 the address that a form was sent to leads back to its step when it is loaded again', async () => {
  const { url } = await visit(await createCustomer(platform, BUSINESS))
  const steps = { details: 'details', owners: 'owners', papers: 'documents', finish: 'review' }
  for (const [form, step] of Object.entries(steps)) {
    const loaded = await fetch(`${url}/${form}?lang=de`)
    assert.equal(loaded.status, 200, form)
    assert.equal(loaded.url, `${url}?step=${step}&lang=de`)
    assert.match(await loaded.text(), /<html lang="de"/)
  }
  assert.equal((await fetch(`${url}x/details`)).status, 404)
})
