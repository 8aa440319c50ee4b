import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UmaInvitation } from '../../../../sdk/src/index.ts'
import { expectError, expectFields, expectStatus, text, type Shown } from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, listEvents } from '../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import {
  createInvitation,
  inSeconds,
  readInvitation,
} from '../../../test/kit/onboarding/invitations.ts'
import { operate } from '../../../test/kit/operator.ts'

const kit = await startKit()

const umaOf = async (platform: TestPlatform, body: object = {}): Promise<string> =>
  (await createCustomer(platform, body)).umaAddress

const claim = ({ api }: TestPlatform, { code }: Shown<UmaInvitation>, inviteeUma: string) =>
  api.post(`/invitations/${code}/claim`, { inviteeUma })

const cancel = ({ api }: TestPlatform, { code }: Shown<UmaInvitation>) =>
  api.post(`/invitations/${code}/cancel`)

test('INV-1 INV-2 INV-4 an invitation has the requested fields, the amount in the inviter’s first currency', async () => {
  const p = await kit.platform()
  const inviterUma = await umaOf(p, { currencies: ['EUR', 'USD'] })
  const expiresAt = inSeconds(3600)
  const made = await createInvitation(p, {
    inviterUma: inviterUma.toUpperCase(),
    firstName: ' Ana ',
    amountToSend: 5000,
    expiresAt,
  })
  const { code, createdAt, url, ...rest } = made
  assert.match(code, /^[a-z0-9]{16,}$/)
  assert.ok(url.endsWith(`/i/${code}`))
  assert.match(createdAt, /Z$/)
  assert.deepEqual(rest, {
    inviterUma,
    firstName: 'Ana',
    expiresAt,
    status: 'PENDING',
    amountToSend: {
      amount: 5000,
      currency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
    },
  })
  assert.deepEqual(await readInvitation(p, made), made)
})

test('INV-1 a malformed inviter has its own error code, an unknown one is a field error', async () => {
  const p = await kit.platform()
  const other = await kit.platform()
  const gone = await createCustomer(p)
  expectStatus(await p.api.delete(`/customers/${gone.id}`), 200)
  const moved = await createCustomer(p)
  const former = moved.umaAddress
  const domain = former.split('@')[1]
  const change = { customerType: 'INDIVIDUAL', umaAddress: `$moved@${domain}` }
  expectStatus(await p.api.patch(`/customers/${moved.id}`, change), 200)
  const post = (inviterUma: string) => p.api.post('/invitations', { inviterUma })
  const endless = `$${'a'.repeat(400)}@example.com`
  for (const inviterUma of ['ana', 'ana@example.com', '$@example.com', '', endless]) {
    expectError(await post(inviterUma), 400, 'INVALID_UMA_ADDRESS')
  }
  const unknown = ['$nobody@example.com', await umaOf(other), gone.umaAddress, former]
  for (const inviterUma of unknown) expectFields(await post(inviterUma), ['inviterUma'])
  expectStatus(await post(`$moved@${domain}`), 201)
})

test('INV-2 INV-3 CORE-30 every invalid field is named at once', async () => {
  const p = await kit.platform()
  const inviterUma = await umaOf(p)
  const post = (body: object) => p.api.post('/invitations', { inviterUma, ...body })
  for (const amountToSend of [0, -1, 1.5, '5', 9_000_000_000_000_001]) {
    expectFields(await post({ amountToSend }), ['amountToSend'])
  }
  for (const expiresAt of [inSeconds(-1), '2020-01-01T00:00:00Z', 'tomorrow']) {
    expectFields(await post({ expiresAt }), ['expiresAt'])
  }
  for (const firstName of ['', '  ', 'x'.repeat(256), 'a\u0007b']) {
    expectFields(await post({ firstName }), ['firstName'])
  }
  const wrong = { inviterUma: 'ana', amountToSend: 0, firstName: '', expiresAt: inSeconds(-1) }
  expectFields(await post(wrong), ['inviterUma', 'amountToSend', 'firstName', 'expiresAt'])
  expectStatus(await post({ firstName: 'x'.repeat(255), amountToSend: 1 }), 201)
})

test('INV-3 expiresAt must be in the future of the platform’s clock', async () => {
  const p = await kit.platform()
  const inviterUma = await umaOf(p)
  await advance(p, 7200)
  const post = (expiresAt: string) => p.api.post('/invitations', { inviterUma, expiresAt })
  expectFields(await post(inSeconds(3600)), ['expiresAt'])
  expectStatus(await post(inSeconds(7300)), 201)
})

test('INV-5 INV-6 INV-11 another platform reads and claims; only the inviting platform gets the event', async () => {
  const [inviting, claiming] = [await kit.platform(), await kit.platform()]
  const made = await createInvitation(inviting)
  assert.deepEqual(await readInvitation(claiming, made), made)
  const inviteeUma = await umaOf(claiming)
  const claimed = expectStatus(await claim(claiming, made, inviteeUma.toUpperCase()), 200)
  assert.equal(claimed.status, 'CLAIMED')
  assert.equal(claimed.inviteeUma, inviteeUma)
  assert.match(text(claimed.claimedAt), /Z$/)
  const events = await listEvents(inviting, 'INVITATION.CLAIMED')
  assert.deepEqual(
    events.map(({ data }) => data),
    [claimed],
  )
  assert.deepEqual(await listEvents(claiming, 'INVITATION.CLAIMED'), [])
})

test('INV-6 the invitee is an active customer of the claiming platform, and not the inviter', async () => {
  const [inviting, claiming] = [await kit.platform(), await kit.platform()]
  const made = await createInvitation(inviting)
  const inviterUma = made.inviterUma
  for (const malformed of ['bob', `$${'b'.repeat(400)}@example.com`]) {
    expectError(await claim(claiming, made, malformed), 400, 'INVALID_UMA_ADDRESS')
  }
  expectFields(await claim(claiming, made, '$bob@example.com'), ['inviteeUma'])
  expectFields(await claim(claiming, made, inviterUma), ['inviteeUma'])
  expectFields(await claim(inviting, made, inviterUma), ['inviteeUma'])
  expectStatus(await claim(inviting, made, await umaOf(inviting)), 200)
  assert.equal((await listEvents(inviting, 'INVITATION.CLAIMED')).length, 1)
})

test('INV-5 CORE-22 an unknown code and a code of the other environment are not found', async () => {
  const [sandbox, production] = [
    await kit.platform(),
    await kit.platform({ environment: 'PRODUCTION' }),
  ]
  const made = await createInvitation(sandbox)
  const uma = await umaOf(production)
  expectError(await production.api.get(`/invitations/${made.code}`), 404, 'INVITATION_NOT_FOUND')
  expectError(await claim(production, made, uma), 404, 'INVITATION_NOT_FOUND')
  expectError(await cancel(production, made), 404, 'INVITATION_NOT_FOUND')
  for (const code of ['aaaaaaaaaaaaaaaaaaaa', 'x', '%00', 'Invitation:1']) {
    expectError(await sandbox.api.get(`/invitations/${code}`), 404, 'INVITATION_NOT_FOUND')
  }
})

test('INV-7 INV-8 an ended invitation keeps its status, and only the inviting platform cancels', async () => {
  const [inviting, other] = [await kit.platform(), await kit.platform()]
  const uma = await umaOf(other)
  const claimed = await createInvitation(inviting)
  expectError(await cancel(other, claimed), 403, 'FORBIDDEN')
  expectStatus(await claim(other, claimed, uma), 200)
  expectError(await claim(other, claimed, uma), 400, 'INVITATION_ALREADY_CLAIMED')
  expectError(await cancel(inviting, claimed), 400, 'INVITATION_ALREADY_CLAIMED')
  expectError(await cancel(other, claimed), 403, 'FORBIDDEN')
  const cancelled = await createInvitation(inviting)
  assert.equal(expectStatus(await cancel(inviting, cancelled), 200).status, 'CANCELLED')
  expectError(await cancel(inviting, cancelled), 400, 'INVITATION_CANCELLED')
  expectError(await claim(other, cancelled, uma), 400, 'INVITATION_CANCELLED')
  expectError(await cancel(other, cancelled), 403, 'FORBIDDEN')
})

test('INV-9 an invitation expires at expiresAt of the inviting platform’s clock, for every platform', async () => {
  const [inviting, other] = [await kit.platform(), await kit.platform()]
  const uma = await umaOf(other)
  const expiresAt = inSeconds(3600)
  const made = await createInvitation(inviting, { expiresAt })
  await advance(other, 7200)
  assert.equal((await readInvitation(other, made)).status, 'PENDING')
  await advance(inviting, 3600)
  assert.equal((await readInvitation(inviting, made)).status, 'EXPIRED')
  assert.equal((await readInvitation(other, made)).status, 'EXPIRED')
  for (const answer of [await claim(other, made, uma), await cancel(inviting, made)]) {
    const details = expectError(answer, 400, 'INVALID_INPUT')
    assert.deepEqual(details, { reason: 'INVITATION_EXPIRED', expiresAt })
  }
  const taken = await createInvitation(inviting, { expiresAt: inSeconds(3600 + 60) })
  expectStatus(await claim(other, taken, uma), 200)
  await advance(inviting, 3600)
  assert.equal((await readInvitation(inviting, taken)).status, 'CLAIMED')
})

test('INV-10 of racing claims and cancellations exactly one takes effect', async () => {
  const [inviting, other] = [await kit.platform(), await kit.platform()]
  const umas = await Promise.all(Array.from({ length: 9 }, () => umaOf(other)))
  for (let round = 0; round < 5; round += 1) {
    const made = await createInvitation(inviting)
    const answers = await Promise.all([
      ...umas.map((uma) => claim(other, made, uma)),
      ...Array.from({ length: 3 }, () => cancel(inviting, made)),
    ])
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const { status } = await readInvitation(inviting, made)
    const refusal = status === 'CLAIMED' ? 'INVITATION_ALREADY_CLAIMED' : 'INVITATION_CANCELLED'
    for (const answer of answers.filter((one) => one.status !== 200)) {
      expectError(answer, 400, refusal)
    }
  }
  const claims = (await listEvents(inviting, 'INVITATION.CLAIMED')).length
  assert.ok(claims <= 5)
})

test('INV-13 a third platform does not see the invitee', async () => {
  const [inviting, claiming, third] = [
    await kit.platform(),
    await kit.platform(),
    await kit.platform(),
  ]
  const made = await createInvitation(inviting)
  const inviteeUma = await umaOf(claiming)
  const claimed = expectStatus(await claim(claiming, made, inviteeUma), 200)
  assert.deepEqual(await readInvitation(inviting, made), claimed)
  assert.deepEqual(await readInvitation(claiming, made), claimed)
  const { inviteeUma: _hidden, ...seen } = claimed
  assert.deepEqual(await readInvitation(third, made), seen)
})

test('CUST-63 a deleted customer’s pending invitations are cancelled, ended ones stay', async () => {
  const p = await kit.platform()
  const inviter = await createCustomer(p)
  const inviterUma = inviter.umaAddress
  const [pending, claimed] = [
    await createInvitation(p, { inviterUma }),
    await createInvitation(p, { inviterUma }),
  ]
  const others = await createInvitation(p)
  expectStatus(await claim(p, claimed, await umaOf(p)), 200)
  expectStatus(await p.api.delete(`/customers/${inviter.id}`), 200)
  assert.equal((await readInvitation(p, pending)).status, 'CANCELLED')
  assert.equal((await readInvitation(p, claimed)).status, 'CLAIMED')
  assert.equal((await readInvitation(p, others)).status, 'PENDING')
})

test('CUST-63 CORE-44 no invitation outlives a deletion that races with it', async () => {
  const p = await kit.platform()
  for (let round = 0; round < 10; round += 1) {
    const inviter = await createCustomer(p)
    const inviterUma = inviter.umaAddress
    const [made] = await Promise.all([
      p.api.post('/invitations', { inviterUma }),
      p.api.delete(`/customers/${inviter.id}`),
    ])
    if (made.status === 400) expectFields(made, ['inviterUma'])
    else assert.equal((await readInvitation(p, expectStatus(made, 201))).status, 'CANCELLED')
  }
})

test('CORE-40 CORE-41 a claim is replayed under its key, also after the invitation has ended', async () => {
  const p = await kit.platform()
  const made = await createInvitation(p)
  const options = { headers: { 'idempotency-key': 'claim once' } }
  const body = { inviteeUma: await umaOf(p) }
  const first = await p.api.post(`/invitations/${made.code}/claim`, body, options)
  const again = await p.api.post(`/invitations/${made.code}/claim`, body, options)
  assert.deepEqual(expectStatus(again, 200), expectStatus(first, 200))
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await listEvents(p, 'INVITATION.CLAIMED')).length, 1)
})

test('INV-3 CORE-41 a creation is replayed under its key, also after expiresAt', async () => {
  const p = await kit.platform()
  const body = { inviterUma: await umaOf(p), expiresAt: inSeconds(60) }
  const options = { headers: { 'idempotency-key': 'invite once' } }
  const first = await p.api.post('/invitations', body, options)
  await advance(p, 120)
  const again = await p.api.post('/invitations', body, options)
  assert.deepEqual(expectStatus(again, 201), expectStatus(first, 201))
})

test('INV-12 in production an invitation needs an onboarding page that the operator has set', async () => {
  const p = await kit.platform({ environment: 'PRODUCTION' })
  const inviterUma = await umaOf(p)
  const post = () => p.api.post('/invitations', { inviterUma })
  expectError(await post(), 400, 'INVITATIONS_NOT_CONFIGURED')
  const url = 'https://join.example.com/start'
  await operate(kit, `platforms update ${p.platformId} --onboarding-url ${url}`)
  const made = expectStatus(await post(), 201)
  const page = await fetch(new URL(`/i/${made.code}`, kit.baseUrl))
  assert.ok((await page.text()).includes(`href="${url}"`))
})
