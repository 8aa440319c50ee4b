import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, items, text, type Body, type HasId } from '../../../../test/kit/api.ts'
import { readCustomer } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { createOwner } from '../../../../test/kit/onboarding/beneficial-owners.ts'
import { pdf } from '../../../../test/kit/onboarding/document-files.ts'
import { PASSPORT, sendForm } from '../../../../test/kit/onboarding/documents.ts'
import {
  completeBusiness,
  completePerson,
  currentVerification,
  errorsOf,
  ownerStatuses,
  PERSON_DATA,
  submitted,
} from '../../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  scriptedProvider,
  type ScriptedProvider,
} from '../../../../test/kit/outside/scripted-provider.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

type Setup = Readonly<{
  platform: TestPlatform
  provider: ScriptedProvider
  /** The newest order about a verification, once as many as `count` have come. */
  orderOf(verification: HasId, count?: number): Promise<Body>
  status(customer: HasId): Promise<string>
  advance(seconds: number): Promise<void>
}>

async function setup(options = ''): Promise<Setup> {
  const platform = await kit.platform({ kind: 'UNREGULATED' })
  const line = `--environment SANDBOX --platform ${platform.platformId} --ports identity ${options}`
  const provider = await scriptedProvider(kit, line.trim())
  return {
    platform,
    provider,
    orderOf: ({ id }, count = 1) =>
      eventually(() => {
        const orders = provider.orders().filter((order) => String(order['verificationId']) === id)
        assert.equal(orders.length, count)
        return orders.at(-1) as Body
      }),
    status: async (customer) => (await currentVerification(platform, customer)).verificationStatus,
    advance: async (advanceSeconds) =>
      void expectStatus(await platform.api.post('/sandbox/clock', { advanceSeconds }), 200),
  }
}

const decide = (provider: ScriptedProvider, order: Body, decision: object, sequence = 1) =>
  provider.report(order, sequence, { state: 'DECIDED', ...decision })

const openExceptions = async ({ platformId }: TestPlatform): Promise<string[]> => {
  const id = platformId.split(':')[1]
  const rows = await db.read.many<{ type: string }>(
    sql`select type from exceptions where platform_id = ${id} and status = 'OPEN' order by opened_at, id`,
  )
  return rows.map(({ type }) => type)
}

test('PROV-90 a submission is sent with what was submitted, and nothing is decided at once', async () => {
  const { platform, provider, orderOf, status } = await setup()
  const customer = await completePerson(platform, { fullName: 'Maria 002' })
  const verification = await submitted(platform, customer)
  assert.equal(verification.verificationStatus, 'IN_PROGRESS')
  expectStatus(await platform.api.post('/verifications', { customerId: customer.id }), 200)
  const order = await orderOf(verification)
  assert.equal(order['type'], 'IDENTITY_CHECK')
  assert.equal(order['customerType'], 'INDIVIDUAL')
  assert.equal(order['mode'], 'FULL')
  assert.equal(order['customer']?.['id'], customer.id)
  assert.equal(order['customer']?.['fullName'], 'Maria 002')
  assert.equal(order['customer']?.['identifier'], PERSON_DATA.identifier)
  assert.deepEqual(order['owners'], [])
  assert.equal(items(order['documents']).length, 1)
  assert.equal(await status(customer), 'IN_PROGRESS')
  assert.equal(provider.orders().length, 1)
})

test('PROV-92 an answer that decides at once approves, by the name of the provider', async () => {
  const { platform, provider, status } = await setup()
  provider.answer(() => ({ json: { state: 'DECIDED', decision: 'APPROVED' } }))
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  await eventually(async () => assert.equal(await status(customer), 'APPROVED'))
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'APPROVED')
  const entry = await db.read.one<{ actor: string }>(
    sql`select actor from audit_entries where resource = ${verification.id} and action = 'review approve'`,
  )
  assert.match(entry.actor, /^provider:p-/)
})

test('PROV-92 REJECTED without errors rejects as APPLICANT_REJECTED', async () => {
  const { platform, provider, orderOf } = await setup()
  const customer = await completePerson(platform)
  const order = await orderOf(await submitted(platform, customer))
  assert.equal((await decide(provider, order, { decision: 'REJECTED' }))['result'], 'APPLIED')
  assert.deepEqual(errorsOf(await currentVerification(platform, customer)), ['APPLICANT_REJECTED'])
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'REJECTED')
})

test('PROV-90 PROV-92 MORE_NEEDED asks the platform, and the resubmission names the former order', async () => {
  const { platform, provider, orderOf, status } = await setup()
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  const order = await orderOf(verification)
  const [document] = items(order['documents'])
  const error = {
    resourceId: document?.['id'],
    type: 'POOR_QUALITY_DOCUMENT',
    reason: 'The photo is blurred.',
  }
  await decide(provider, order, { decision: 'MORE_NEEDED', errors: [error] })
  const returned = await currentVerification(platform, customer)
  assert.equal(returned.verificationStatus, 'RESOLVE_ERRORS')
  assert.equal(returned.errors[0]?.reason, 'The photo is blurred.')
  const path = `/documents/${text(document?.['id'])}` as const
  const replacing = { method: 'PUT', path, fields: PASSPORT, file: pdf() }
  expectStatus(await sendForm(platform.api, replacing), 200)
  assert.equal((await submitted(platform, customer)).verificationStatus, 'IN_PROGRESS')
  const next = await orderOf(verification, 2)
  assert.equal(next['previousOrderId'], order['id'])
  await decide(provider, next, { decision: 'APPROVED' })
  assert.equal(await status(customer), 'APPROVED')
})

test('PROV-90 a resubmission ends an order that is still open, and its late decision has no effect', async () => {
  const { platform, provider, orderOf, status } = await setup()
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  const former = await orderOf(verification)
  const entry = JSON.stringify({ type: 'INVALID_FIELD', field: 'address.postalCode' })
  await operate(kit, `review return ${verification.id}`, '--error', entry)
  const address = { ...PERSON_DATA.address, postalCode: '10001' }
  expectStatus(
    await platform.api.patch(`/customers/${customer.id}`, {
      customerType: 'INDIVIDUAL',
      address,
    }),
    200,
  )
  await submitted(platform, customer)
  await orderOf(verification, 2)
  await decide(provider, former, { decision: 'REJECTED' })
  assert.equal(await status(customer), 'IN_PROGRESS')
  const row = await db.read.one<{ state: string; failureReason: string }>(
    sql`select state, failure_reason from provider_orders where id = ${text(former['id']).split(':')[1]}`,
  )
  assert.deepEqual(row, { state: 'FAILED', failureReason: 'SUPERSEDED' })
})

const BREACHES: readonly (readonly [string, object])[] = [
  ['nothing is needed', { decision: 'MORE_NEEDED' }],
  ['an unknown decision', { decision: 'PERHAPS' }],
  [
    'a final error that can be mended',
    { decision: 'MORE_NEEDED', errors: [{ type: 'APPLICANT_FRAUD', reason: 'No.' }] },
  ],
  ['an unknown type', { decision: 'REJECTED', errors: [{ type: 'BAD_MOOD', reason: 'No.' }] }],
  [
    'an owner of nobody',
    {
      decision: 'APPROVED',
      owners: [
        { id: 'BeneficialOwner:0199b0c4-5d11-7c3e-9a40-3f6c2a7d1e55', decision: 'APPROVED' },
      ],
    },
  ],
  ['too much evidence', { decision: 'APPROVED', evidence: { image: 'x'.repeat(65_537) } }],
]

test('PROV-92 a decision that breaks the rules is an exception, and a person decides', async () => {
  const { platform, provider, orderOf, status } = await setup()
  for (const [what, { errors, ...decision }] of BREACHES as [string, { errors?: object[] }][]) {
    const customer = await completePerson(platform)
    const order = await orderOf(await submitted(platform, customer))
    const about = errors?.map((error) => ({ resourceId: customer.id, ...error }))
    const result = await decide(provider, order, { ...decision, ...(about && { errors: about }) })
    assert.equal(result['result'], 'EXCEPTION', what)
    assert.equal(await status(customer), 'PENDING_MANUAL_REVIEW', what)
  }
  const types = await openExceptions(platform)
  assert.deepEqual(
    types,
    BREACHES.map(() => 'DECISION_INVALID'),
  )
})

test('PROV-92 evidence is sealed, shown to reviewers and to nobody else', async () => {
  const { platform, provider, orderOf } = await setup()
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  const order = await orderOf(verification)
  const evidence = { faceMatch: 0.98, remark: 'evidence-4711' }
  await decide(provider, order, { decision: 'APPROVED', evidence })
  const shown = await operate(kit, `review show ${verification.id}`)
  const [decision] = items(shown['decisions'])
  assert.equal(decision?.['decision'], 'APPROVED')
  assert.equal(decision['orderId'], order['id'])
  assert.deepEqual(decision['evidence'], evidence)
  const stored = await db.read.one<{ evidence: Buffer }>(
    sql`select evidence from identity_decisions where order_id = ${text(order['id']).split(':')[1]}`,
  )
  assert.ok(!stored.evidence.includes('evidence-4711'))
  const seen = JSON.stringify(await currentVerification(platform, customer))
  assert.ok(!seen.includes('evidence-4711'))
})

test('PROV-93 owners are decided by name, the others follow the business', async () => {
  const { platform, provider, orderOf } = await setup()
  const business = await completeBusiness(platform)
  const second = await createOwner(platform, business.id, { ownershipPercentage: 10 })
  const order = await orderOf(await submitted(platform, business))
  assert.equal(items(order['owners']).length, 2)
  const owners = [{ id: second.id, decision: 'REJECTED' }]
  await decide(provider, order, { decision: 'APPROVED', owners })
  assert.deepEqual(await ownerStatuses(platform, business), ['APPROVED', 'REJECTED'])
  assert.equal((await readCustomer(platform, business)).kybStatus, 'APPROVED')
})

test('PROV-94 after REVIEW the operator decides: an equal decision is known, another is an exception', async () => {
  const { platform, provider, orderOf, status } = await setup()
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  const order = await orderOf(verification)
  await decide(provider, order, { decision: 'REVIEW' })
  assert.equal(await status(customer), 'PENDING_MANUAL_REVIEW')
  await operate(kit, `review approve ${verification.id}`)
  const equal = await decide(provider, order, { decision: 'APPROVED' }, 2)
  assert.equal(equal['result'], 'DUPLICATE')
  const other = await decide(provider, order, { decision: 'REJECTED' }, 3)
  assert.equal(other['result'], 'EXCEPTION')
  assert.deepEqual(await openExceptions(platform), ['DECIDED_OTHERWISE'])
  assert.equal(await status(customer), 'APPROVED')
})

test('PROV-94 an operator who decides before the provider is right', async () => {
  const { platform, provider, orderOf, status } = await setup()
  const customer = await completePerson(platform)
  const verification = await submitted(platform, customer)
  const order = await orderOf(verification)
  await operate(kit, `review reject ${verification.id}`)
  const late = await decide(provider, order, { decision: 'APPROVED' })
  assert.equal(late['result'], 'EXCEPTION')
  assert.equal(await status(customer), 'REJECTED')
})

test('PROV-94 a hold is not lifted by an approval', async () => {
  const { platform, provider, orderOf } = await setup()
  const customer = await completePerson(platform)
  const order = await orderOf(await submitted(platform, customer))
  await operate(kit, `review hold ${customer.id}`)
  const late = await decide(provider, order, { decision: 'APPROVED' })
  assert.equal(late['result'], 'EXCEPTION')
  assert.equal((await readCustomer(platform, customer)).kycStatus, 'HOLD')
})

test('PROV-97 without a decision in the window a person decides at once, and the provider still may', async () => {
  const { platform, provider, orderOf, status, advance } = await setup('--window 300')
  const customer = await completePerson(platform)
  const order = await orderOf(await submitted(platform, customer))
  await advance(280)
  assert.equal(await status(customer), 'IN_PROGRESS')
  await advance(20)
  assert.equal(await status(customer), 'PENDING_MANUAL_REVIEW')
  assert.deepEqual(await openExceptions(platform), ['OUTCOME_UNKNOWN'])
  await advance(86_400)
  assert.deepEqual(await openExceptions(platform), ['OUTCOME_UNKNOWN', 'OVERDUE'])
  await decide(provider, order, { decision: 'APPROVED' })
  assert.equal(await status(customer), 'APPROVED')
  assert.deepEqual(await openExceptions(platform), [])
})

test('PROV-55 a check that the provider refuses goes to a person', async () => {
  const { platform, provider, status } = await setup()
  provider.answer(() => ({ json: { state: 'REFUSED', reason: 'UNSUPPORTED' } }))
  const customer = await completePerson(platform)
  await submitted(platform, customer)
  await eventually(async () => assert.equal(await status(customer), 'PENDING_MANUAL_REVIEW'))
})

/** The address that a document was given, at the address of this service. */
const fetchLink = (url: unknown): Promise<Response> =>
  fetch(new URL(new URL(text(url)).pathname, kit.baseUrl))

test('PROV-91 a link gives the bytes as an attachment until the order is final, and each fetch leaves an entry', async () => {
  const { platform, provider, orderOf } = await setup()
  const customer = await completePerson(platform)
  const order = await orderOf(await submitted(platform, customer))
  const [document] = items(order['documents'])
  assert.ok(document)
  assert.match(text(document['url']), /\/provider-files\/[A-Za-z0-9_-]{43}$/)
  assert.equal(document['holder'], customer.id)
  assert.equal(document['documentType'], 'PASSPORT')
  const fetched = await fetchLink(document['url'])
  assert.equal(fetched.status, 200)
  assert.equal(fetched.headers.get('content-disposition'), 'attachment')
  assert.equal(fetched.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(fetched.headers.get('content-type'), document['mimeType'])
  const bytes = Buffer.from(await fetched.arrayBuffer())
  assert.equal(createHash('sha256').update(bytes).digest('hex'), document['sha256'])
  assert.equal(bytes.length, document['size'])
  const entries = await db.read.many<{ actor: string; note: string }>(
    sql`select actor, n.note from audit_entries join audit_notes n on n.entry_id = id where action = 'provider-files fetch'
        and resource = ${text(document['id'])}`,
  )
  assert.equal(entries.length, 1)
  assert.match(entries[0]?.actor ?? '', /^provider:/)
  assert.equal(entries[0]?.note, order['id'])
  const unknown = await fetchLink('http://x/provider-files/nothing')
  assert.equal(unknown.status, 404)
  await decide(provider, order, { decision: 'APPROVED' })
  assert.equal((await fetchLink(document['url'])).status, 410)
})

test('PROV-91 links end after a day, and new ones can be asked for while the order is open', async () => {
  const { platform, provider, orderOf, advance } = await setup()
  const customer = await completePerson(platform)
  const order = await orderOf(await submitted(platform, customer))
  const [document] = items(order['documents'])
  await advance(86_400)
  assert.equal((await fetchLink(document?.['url'])).status, 410)
  const renewed = await provider.post('document-links', { orderId: order['id'] })
  const [link] = items(renewed['documents'])
  assert.equal(link?.['id'], document?.['id'])
  assert.equal((await fetchLink(link?.['url'])).status, 200)
  const other = await setup()
  const foreign = await other.provider.post('document-links', { orderId: order['id'] })
  assert.equal(foreign['code'], 'REFERENCE_NOT_FOUND')
  await decide(provider, order, { decision: 'APPROVED' })
  const late = await provider.post('document-links', { orderId: order['id'] })
  assert.equal(late['code'], 'REFERENCE_NOT_FOUND')
})
