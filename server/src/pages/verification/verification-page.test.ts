import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { PERSON } from '../../../test/kit/beneficial-owners.ts'
import { BUSINESS, createCustomer, readCustomer } from '../../../test/kit/customers.ts'
import { pdf } from '../../../test/kit/document-files.ts'
import { PASSPORT, sendForm } from '../../../test/kit/documents.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { createKycLink } from '../../../test/kit/kyc-links.ts'
import { meetAtRow } from '../../../test/kit/meet-at-row.ts'
import { completePerson, toldTypes } from '../../../test/kit/verification.ts'
import { sql } from '../../infra/db/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startKit()
const platform = await kit.platform({ kind: 'UNREGULATED' })

/** The page of a customer, as a browser without script asks for it. */
async function visit(customer: Body) {
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
  const id = mustParseId('customer', text(business['id']))
  const row = sql`select 1 from customers where id = ${id} for update`
  const answers = await meetAtRow(kit, row, () => [post('owners', typed), post('owners', typed)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  )
  assert.equal((await post('owners', { ...typed, ownershipPercentage: '40' })).status, 303)
  const owners = items((await readCustomer(platform, business))['beneficialOwners'])
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
  assert.equal(items((await readCustomer(platform, business))['beneficialOwners']).length, 2)
})

test('CUST-12 a number that was typed is not sent back, and is asked for again', async () => {
  const someone = await visit(await createCustomer(platform, { fullName: 'Maria Lopez' }))
  const company = await visit(await createCustomer(platform, BUSINESS))
  const pages = [
    await someone.post('details', { identifier: '111-22-3333', nationality: 'US' }),
    await company.post('owners', { ...OWNER, person: 'new', ownershipPercentage: '' }),
  ]
  for (const page of pages) {
    assert.equal(page.status, 400)
    const shown = await page.text()
    assert.doesNotMatch(shown, /111-22-3333|123-45-6789/)
    assert.match(shown, /Enter it again: a number is not sent back/)
  }
})

test('KYC-28 VER-31 with a name that is asked again the page sends, asks for the document, and sends again', async () => {
  const own = await kit.platform({ kind: 'UNREGULATED' })
  const customer = await completePerson(own, { fullName: 'Cem Three 003' })
  const { url, api } = await createKycLink(kit, own, customer)
  const asked = async () => {
    const { requirements } = expectStatus(await api.get('/state'), 200)
    return items(requirements).map(({ type, resourceId }) => [type, resourceId])
  }
  const canSend = async () => /<button[^>]*>Send</.test(await (await fetch(url)).text())
  const query = { documentHolder: text(customer['id']) }
  const [passport] = items(expectStatus(await own.api.get('/documents', { query }), 200)['data'])
  for (let n = 0; n < 2; n += 1) {
    assert.deepEqual([await asked(), await canSend()], [[], true])
    const sent = expectStatus(await api.post('/submit'), 200)
    assert.equal(sent['verificationStatus'], 'RESOLVE_ERRORS')
    const poor = [['POOR_QUALITY_DOCUMENT', passport?.['id']]]
    assert.deepEqual([await asked(), await canSend()], [poor, false])
    const better = { method: 'PUT', path: `/documents/${passport?.['id']}` }
    expectStatus(await sendForm(own.api, { ...better, fields: PASSPORT, file: pdf() }), 200)
  }
  const resolve = 'VERIFICATION.RESOLVE_ERRORS'
  assert.deepEqual(await toldTypes(own), [resolve, resolve])
})
