import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type HasId } from '../../../../test/kit/api.ts'
import {
  createOwner,
  type OwnerOverrides,
} from '../../../../test/kit/onboarding/beneficial-owners.ts'
import { BUSINESS, createCustomer, readCustomer } from '../../../../test/kit/customers.ts'
import { openDashboard, type Shown } from '../../../../test/kit/pages/dashboard.ts'
import { goodPhoto, pdf } from '../../../../test/kit/onboarding/document-files.ts'
import { uploadDocument } from '../../../../test/kit/onboarding/documents.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { meetAtRow } from '../../../../test/kit/database/meet-at-row.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  completeBusiness,
  completePerson,
  ownerStatuses,
  PERSON_DATA,
  submitted,
  eventTypes,
  uploadPaper,
} from '../../../../test/kit/onboarding/verification.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { mustParseId } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ kind: 'UNREGULATED', name: 'Acme Pay' })
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

/** A person under review; the sandbox leaves those with this ending to people. */
async function underReview(name = 'Maria', on = platform) {
  const customer = await completePerson(on, { fullName: `${name} 001` })
  await submitted(on, customer)
  return customer
}

const pathOf = ({ id }: HasId): string => `/reviews/${encodeURIComponent(id)}`

const statusOf = async (customer: HasId): Promise<unknown> => {
  const { kycStatus, kybStatus } = await readCustomer(platform, customer)
  return kycStatus ?? kybStatus
}

const actionsOn = async (...resources: readonly HasId[]) =>
  items(
    await operate(kit, 'audit list', ...resources.flatMap(({ id }) => ['--resource', id])),
  ).filter(({ actor }) => text(actor).startsWith('operator:'))

/** The notice that a page shows once about the action before it. */
const noticeIn = ({ text: page }: Shown): string | undefined =>
  /<p class="notice"[^>]*>([^<]*)</.exec(page)?.[1]?.trim()

const problemsIn = ({ text: page }: Shown): string =>
  /<div class="problem"[^]*?<\/div>/.exec(page)?.[0].replaceAll(/<[^>]+>|\s+/g, ' ') ?? ''

test('VER-20 VER-25 VER-26 the list shows who waits, by platform and status', async () => {
  const on = await kit.platform({ kind: 'UNREGULATED', name: 'Other Pay' })
  await underReview('Only Otto', on)
  const held = await completePerson(on, { fullName: 'Held Hanna' })
  await submitted(on, held)
  await operate(kit, `review hold ${held.id}`)
  const list = async (query: string): Promise<string> => (await anna.get(`/reviews${query}`)).text
  const platformQuery = `?platform=${encodeURIComponent(on.platformId)}`
  const all = await list(platformQuery)
  assert.ok(all.includes('Only Otto 001') && all.includes('Held Hanna'))
  assert.ok(all.indexOf('Only Otto') < all.indexOf('Held Hanna'), 'oldest first')
  const onHold = await list(`${platformQuery}&status=HOLD`)
  assert.ok(onHold.includes('Held Hanna') && !onHold.includes('Only Otto'))
  const elsewhere = `?platform=${encodeURIComponent(platform.platformId)}`
  assert.ok(!(await list(elsewhere)).includes('Only Otto'))
  assert.match(await list(''), /Reviews <span class="count"\s*>\d+/)
})

test('VER-20 VER-25 a review is approved under the name of who signed in, and the page says so once', async () => {
  const customer = await underReview()
  const before = await actionsOn(customer)
  const answer = await anna.post(`${pathOf(customer)}/approve`, {
    note: 'Passport & address match',
  })
  assert.equal(answer.status, 303)
  assert.equal(await statusOf(customer), 'APPROVED')
  const page = await anna.get(answer.headers.get('location') ?? '')
  assert.equal(noticeIn(page), 'Approved.')
  assert.match(page.text, /Passport &amp; address match/)
  assert.equal(noticeIn(await anna.get(pathOf(customer))), undefined)
  const verification = items((await platform.api.get('/verifications')).body.data)[0]
  assert.ok(verification)
  const [entry] = await actionsOn(verification)
  assert.equal(entry?.['actor'], 'operator:anna')
  assert.equal(entry['action'], 'review approve')
  assert.match(text(entry['note']), /^snapshot [0-9a-f-]{36}: Passport & address match$/)
  assert.deepEqual(before, [])
})

test('VER-20 of two decisions the second is refused, reads what happened and changes nothing', async () => {
  const customer = await underReview('Racing')
  const bert = await board.signIn('bert')
  const page = await bert.get(pathOf(customer))
  const seen = /name="seen" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  assert.notEqual(seen, '')
  await anna.post(`${pathOf(customer)}/approve`)
  const emitted = await eventTypes(platform)
  for (const fields of [{ seen, note: 'Mine' }, { note: 'Mine' }]) {
    const answer = await bert.post(`${pathOf(customer)}/reject`, fields)
    assert.equal(answer.status, 409)
    assert.match(problemsIn(answer), /Nothing was changed/)
    assert.match(problemsIn(answer), /anna, approve/)
    assert.match(answer.text, /Mine<\/textarea/, 'what was typed is still there')
    assert.ok(answer.text.includes(`class="platforms" method="get" action="${pathOf(customer)}"`))
  }
  assert.equal(await statusOf(customer), 'APPROVED')
  assert.deepEqual(await eventTypes(platform), emitted)
})

for (const [one, other] of [
  ['hold', 'approve'],
  ['reject', 'hold'],
  ['approve', 'approve'],
] as const) {
  test(`VER-20 CORE-44 of ${one} and ${other} at once the first is done, and the other is refused`, async () => {
    const customer = await underReview('Both')
    const bert = await board.signIn('bert')
    const page = await bert.get(pathOf(customer))
    const seen = /name="seen" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const row = sql`select 1 from customers where id = ${mustParseId('customer', customer.id)} for update`
    const answers = await meetAtRow(kit, row, () => [
      anna.post(`${pathOf(customer)}/${one}`, { seen }),
      bert.post(`${pathOf(customer)}/${other}`, { seen }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
    const refused = answers.find(({ status }) => status === 409)
    assert.ok(refused)
    assert.match(problemsIn(refused), /Nothing was changed.*Last was: (anna|bert), /)
    const done = answers[0].status === 303 ? one : other
    const outcome = { hold: 'HOLD', approve: 'APPROVED', reject: 'REJECTED' }[done]
    assert.equal(await statusOf(customer), outcome)
  })
}

test('VER-20 a decision from a page that shows an older state is refused', async () => {
  const customer = await underReview('Stale')
  const page = await anna.get(pathOf(customer))
  const seen = /name="seen" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const entry = JSON.stringify({ type: 'INVALID_FIELD', field: 'fullName' })
  await operate(kit, `review return ${customer.id}`, '--error', entry)
  const change = { customerType: 'INDIVIDUAL', fullName: 'Somebody Else 001' }
  expectStatus(await platform.api.patch(`/customers/${customer.id}`, change), 200)
  await submitted(platform, customer)
  const answer = await anna.post(`${pathOf(customer)}/approve`, { seen })
  assert.equal(answer.status, 409)
  assert.match(problemsIn(answer), /has changed since you opened this page/)
  assert.equal(await statusOf(customer), 'PENDING')
})

test('VER-21 a return takes entries from selects; without one or with a terminal one it is refused in words', async () => {
  const customer = await underReview('Returned')
  const passport = items(
    (await platform.api.get('/documents', { query: { documentHolder: customer.id } })).body.data,
  )[0]
  assert.ok(passport)
  const path = `${pathOf(customer)}/return`
  const none = await anna.post(path)
  assert.equal(none.status, 400)
  assert.match(problemsIn(none), /has to be filled in: error/)
  const terminal = await anna.post(path, { errorType: 'APPLICANT_FRAUD' })
  assert.equal(terminal.status, 400)
  assert.match(problemsIn(terminal), /Error 1: type APPLICANT_FRAUD goes with a rejection only/)
  const nameless = await anna.post(path, { errorType: '', errorReason: 'Blurred' })
  assert.match(problemsIn(nameless), /must be a type of verification error/)
  assert.equal(await statusOf(customer), 'PENDING')
  assert.doesNotMatch(
    /<details[^>]*>\s*<summary>Return[^]*?<\/details>/.exec(none.text)?.[0] ?? '',
    /APPLICANT_FRAUD/,
  )

  const fields = new URLSearchParams([
    ['errorType', 'INVALID_FIELD'],
    ['errorResource', ''],
    ['errorField', 'address.postalCode'],
    ['errorReason', ''],
    ['errorType', 'EXPIRED_DOCUMENT'],
    ['errorResource', passport.id],
    ['errorField', ''],
    ['errorReason', 'Ran out in May'],
    ['errorType', ''],
    ['errorResource', ''],
    ['errorField', ''],
    ['errorReason', ''],
  ])
  assert.equal((await anna.post(path, fields)).status, 303)
  const page = await anna.get(pathOf(customer))
  assert.equal(noticeIn(page), 'Returned to the platform.')
  assert.ok(page.text.includes('Ran out in May') && page.text.includes('address.postalCode'))
  assert.equal(await statusOf(customer), 'UNVERIFIED')
})

test('VER-22 VER-23 VER-24 hold and release, and what each state offers', async () => {
  const customer = await underReview('Holding')
  const offered = async (): Promise<string[]> =>
    [...(await anna.get(pathOf(customer))).text.matchAll(/<summary>([^<]+)</g)].map(
      ([, label = '']) => label,
    )
  assert.deepEqual(await offered(), ['Approve', 'Return to the platform', 'Put on hold', 'Reject'])
  await anna.post(`${pathOf(customer)}/hold`, { note: 'Asked for a letter' })
  assert.equal(await statusOf(customer), 'HOLD')
  assert.deepEqual(await offered(), ['Approve', 'Release', 'Reject'])
  const early = await anna.post(`${pathOf(customer)}/hold`)
  assert.equal(early.status, 409)
  await anna.post(`${pathOf(customer)}/release`)
  assert.equal(await statusOf(customer), 'PENDING')
  await anna.post(`${pathOf(customer)}/reject`)
  assert.equal(await statusOf(customer), 'REJECTED')
  assert.deepEqual(await offered(), [])
})

test('VER-20 a business in progress can be escalated, and its owners are shown', async () => {
  const customer = await completeBusiness(platform, '5523001')
  await submitted(platform, customer)
  const page = await anna.get(pathOf(customer))
  assert.match(page.text, /<summary>Escalate/)
  assert.ok(page.text.includes('Ana Martins') && page.text.includes('***-**-6789'))
  assert.ok(!page.text.includes('123-45-6789'))
  assert.equal((await anna.post(`${pathOf(customer)}/escalate`)).status, 303)
  assert.doesNotMatch((await anna.get(pathOf(customer))).text, /<summary>Escalate/)
})

test('VER-9 what was submitted is shown beside what it is now, numbers only when asked for', async () => {
  const customer = await underReview('Moving')
  const change = { customerType: 'INDIVIDUAL', nationality: 'MX' }
  expectStatus(await platform.api.patch(`/customers/${customer.id}`, change), 200)
  const page = await anna.get(pathOf(customer))
  assert.match(page.text, /<span class="changed">now MX<\/span>/)
  assert.ok(!page.text.includes('111-22-3333'))
  const revealed = await anna.post(`${pathOf(customer)}/reveal`)
  assert.ok(revealed.text.includes('111-22-3333'))
  const [entry] = await actionsOn(customer)
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:anna', 'review reveal'])
})

test('CORE-90 CORE-92 the tax number of a business is shown only when asked for, owners or not', async () => {
  const customer = await createCustomer(platform, BUSINESS)
  const page = await anna.get(pathOf(customer))
  assert.ok(page.text.includes('**-***6789') && !page.text.includes('12-3456789'))
  assert.match(page.text, /Show government numbers/)
  const revealed = await anna.post(`${pathOf(customer)}/reveal`)
  assert.ok(revealed.text.includes('12-3456789'))
  const [entry] = await actionsOn(customer)
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:anna', 'review reveal'])
})

test('CORE-90 CORE-92 the number of a paper is shown only when asked for, though there is no other', async () => {
  const customer = await createCustomer(platform)
  assert.doesNotMatch((await anna.get(pathOf(customer))).text, /Show government numbers/)
  await uploadPaper(platform, customer)
  const page = await anna.get(pathOf(customer))
  assert.ok(page.text.includes('****4567') && !page.text.includes('X1234567'))
  assert.match(page.text, /Show government numbers/)
  const revealed = await anna.post(`${pathOf(customer)}/reveal`)
  assert.ok(revealed.text.includes('X1234567'))
  const [entry] = await actionsOn(customer)
  assert.deepEqual([entry?.['actor'], entry?.['action']], ['operator:anna', 'review reveal'])
})

test('VER-26 CORE-93 OPER-56 a paper is shown or handed over, never run, and opening it is audited', async () => {
  const customer = await createCustomer(platform, PERSON_DATA)
  const photo = await goodPhoto()
  const image = await uploadDocument(platform, { documentHolder: customer.id }, photo)
  const paper = await uploadPaper(platform, customer, { documentType: 'UTILITY_BILL' })
  const fileOf = ({ id }: HasId): string => `/reviews/documents/${encodeURIComponent(id)}`
  for (const [document, type, kind, bytes] of [
    [image, 'image/jpeg', 'inline', photo.bytes],
    [paper, 'application/pdf', 'attachment', pdf().bytes],
  ] as const) {
    const response = await fetch(new URL(fileOf(document), board.origin), {
      headers: { cookie: anna.cookie },
    })
    assert.equal(response.headers.get('content-type'), type)
    assert.match(
      response.headers.get('content-disposition') ?? '',
      new RegExp(`^${kind}; filename`),
    )
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'; sandbox/,
    )
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))
    assert.equal((await actionsOn(document))[0]?.['actor'], 'operator:anna')
  }
  const plain = await anna.get(pathOf(customer))
  assert.doesNotMatch(plain.text, /class="paper"/, 'no picture is opened unasked')
  const asked = await anna.get(`${pathOf(customer)}?document=${encodeURIComponent(image.id)}`)
  assert.ok(asked.text.includes(`<img class="paper" src="${fileOf(image)}"`))
  assert.equal((await board.send(fileOf(image))).status, 401)
})

test('VER-26 any customer is found by its id, and what is not there is said in words', async () => {
  const customer = await createCustomer(platform, { fullName: '<script>Eve</script>' })
  const found = await anna.get(`/reviews?id=${encodeURIComponent(customer.id)}`)
  assert.equal(found.status, 303)
  const page = await anna.get(found.headers.get('location') ?? '')
  assert.match(page.text, /<h1>&lt;script&gt;Eve/)
  for (const id of ['Customer:x', 'x', '%00', 'Customer:00000000-0000-7000-8000-000000000000']) {
    const missing = await anna.get(`/reviews/${id}`)
    assert.equal(missing.status, 404, id)
  }
})

/** An approved business with an owner who came afterwards. */
async function withLateOwner(overrides: OwnerOverrides = {}) {
  const business = await completeBusiness(platform)
  await submitted(platform, business)
  const personalInfo = { firstName: 'Late', lastName: 'Larsson', ...overrides.personalInfo }
  await createOwner(platform, business.id, {
    ownershipPercentage: 30,
    ...overrides,
    personalInfo,
  })
  return business
}

test('KYB-11 KYB-13 the list and the page name owners outside coverage, who are approved by themselves', async () => {
  const business = await withLateOwner()
  const query = `?platform=${encodeURIComponent(platform.platformId)}`
  assert.match((await anna.get(`/reviews${query}`)).text, /Late Larsson/)
  const page = await anna.get(pathOf(business))
  assert.match(
    page.text,
    /Late Larsson\.\s+This review is about them; the business itself is approved/,
  )
  assert.match(page.text, /Added after the submission, not covered by it/)
  assert.match(page.text, /Approve the owners/)
  assert.doesNotMatch(page.text, /action="[^"]*\/approve"/)
  const answer = await anna.post(`${pathOf(business)}/approve-owners`, { note: 'Known' })
  assert.equal(answer.status, 303)
  const next = await anna.get(answer.headers.get('location') ?? '')
  assert.equal(noticeIn(next), 'The owners are approved.')
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'APPROVED'])
  assert.doesNotMatch(next.text, /not covered by it/)
})

test('KYB-13 owners who lack something can be rejected, which puts the business on hold', async () => {
  const business = await withLateOwner({ personalInfo: { birthDate: '2020-01-01' } })
  const page = await anna.get(pathOf(business))
  assert.match(page.text, /The person has to be 18 years old/)
  assert.doesNotMatch(page.text, /Approve the owners/)
  assert.equal((await anna.post(`${pathOf(business)}/reject-owners`)).status, 303)
  assert.equal(await statusOf(business), 'HOLD')
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'REJECTED'])
})

test('KYB-12 the page of a packet says who is not decided with it', async () => {
  const business = await completeBusiness(platform, '5523003')
  await submitted(platform, business)
  const [owner] = items((await readCustomer(platform, business)).beneficialOwners)
  const renamed = { personalInfo: { lastName: 'Changed' } }
  expectStatus(await platform.api.patch(`/beneficial-owners/${owner?.id}`, renamed), 200)
  const page = await anna.get(pathOf(business))
  assert.match(page.text, /Ana Changed\.\s+They are not decided with it/)
  assert.match(page.text, /Changed after the submission, not covered by it/)
  assert.match(page.text, /Martins\s+<span class="changed">now Changed/)
  await anna.post(`${pathOf(business)}/approve`)
  assert.deepEqual(await ownerStatuses(platform, business), ['UNVERIFIED'])
  assert.match((await anna.get(pathOf(business))).text, /Approve the owners/)
})

test('VER-20 KYB-11 a decision about owners from a page that shows others is refused', async () => {
  const business = await withLateOwner()
  const page = await anna.get(pathOf(business))
  const seen = /name="seen" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  await createOwner(platform, business.id, { ownershipPercentage: 5 })
  const answer = await anna.post(`${pathOf(business)}/approve-owners`, { seen })
  assert.equal(answer.status, 409)
  assert.match(problemsIn(answer), /has changed since you opened this page/)
})
