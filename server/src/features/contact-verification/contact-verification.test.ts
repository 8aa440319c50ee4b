import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectFields, expectStatus, type HasId } from '../../../test/kit/api.ts'
import { advance } from '../../../test/kit/outside/connect-receiver.ts'
import { createCustomer, listEvents, readCustomer } from '../../../test/kit/customers.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { sql } from '../../infra/db/statement/sql.ts'

const kit = await startKit()
const { db } = kit.florin.deps
const p = await kit.platform({ kind: 'UNREGULATED' })

const GERMAN = { region: 'DE', email: 'eva@example.com', phoneNumber: '+4930123456' }

type Channel = 'email' | 'phone'

const send = ({ api }: TestPlatform, { id }: HasId, channel: Channel = 'email') =>
  api.post(`/customers/${id}/verify-${channel}`)

const confirm = (
  { api }: TestPlatform,
  { id }: HasId,
  code: unknown = '123456',
  channel: Channel = 'email',
) => api.post(`/customers/${id}/verify-${channel}/confirm`, { code })

const reasonOf = (answer: Awaited<ReturnType<typeof confirm>>) =>
  expectError(answer, 400, 'INVALID_INPUT')

describe('sending and confirming a code', () => {
  test('CONT-2 CONT-5 scenario 11: each channel is sent a code and confirmed with it', async () => {
    const customer = await createCustomer(p, GERMAN)
    const sent = await send(p, customer)
    assert.equal(sent.status, 204, sent.text)
    assert.equal(sent.text, '')
    const wrong = reasonOf(await confirm(p, customer, '999999'))
    assert.deepEqual(wrong, { reason: 'INVALID_CODE', attemptsLeft: 4 })
    const half = expectStatus(await confirm(p, customer), 200)
    assert.deepEqual(half.contactVerification, { email: 'VERIFIED', phone: 'PENDING' })
    assert.ok(half.updatedAt > customer.updatedAt)
    assert.deepEqual(await readCustomer(p, customer), half)
    expectStatus(await send(p, customer, 'phone'), 204)
    const whole = expectStatus(await confirm(p, customer, '123456', 'phone'), 200)
    assert.deepEqual(whole.contactVerification, { email: 'VERIFIED', phone: 'VERIFIED' })
    assert.deepEqual(await listEvents(p), [], 'contact verification emits nothing')
  })

  test('CONT-2 a body is ignored', async () => {
    const customer = await createCustomer(p, GERMAN)
    expectStatus(await p.api.post(`/customers/${customer.id}/verify-email`, { code: 5 }), 204)
  })

  test('CONT-1 channels of one customer move independently, and exactly those of the region', async () => {
    const norwegian = await createCustomer(p, { ...GERMAN, region: 'NO' })
    expectStatus(await send(p, norwegian), 204)
    const done = expectStatus(await confirm(p, norwegian), 200)
    assert.deepEqual(done.contactVerification, { email: 'VERIFIED' })
  })

  test('CONT-3 a channel that is not required or is verified already conflicts, for both calls', async () => {
    const norwegian = await createCustomer(p, { ...GERMAN, region: 'NO' })
    const elsewhere = await createCustomer(p, { ...GERMAN, region: 'US' })
    const regulated = await kit.platform({ kind: 'REGULATED' })
    for (const [platform, customer, channel] of [
      [p, norwegian, 'phone'],
      [p, elsewhere, 'email'],
      [regulated, await createCustomer(regulated, GERMAN), 'email'],
    ] as const) {
      for (const answer of [
        await send(platform, customer, channel),
        await confirm(platform, customer, '123456', channel),
      ]) {
        assert.deepEqual(expectError(answer, 409, 'CONFLICT'), { reason: 'NOT_REQUIRED' })
      }
    }
    const verified = await createCustomer(p, GERMAN)
    await send(p, verified)
    expectStatus(await confirm(p, verified), 200)
    for (const answer of [await send(p, verified), await confirm(p, verified)]) {
      assert.deepEqual(expectError(answer, 409, 'CONFLICT'), { reason: 'ALREADY_VERIFIED' })
    }
  })

  test('CONT-4 the sixth send in ten minutes has to wait', async () => {
    const own = await kit.platform({ kind: 'UNREGULATED' })
    const customer = await createCustomer(own, GERMAN)
    expectStatus(await send(own, customer), 204)
    await advance(own, 100)
    for (let n = 0; n < 4; n += 1) expectStatus(await send(own, customer), 204)
    const refused = await send(own, customer)
    expectError(refused, 429, 'RATE_LIMITED')
    const retryAfter = Number(refused.headers.get('retry-after'))
    assert.ok(retryAfter > 490 && retryAfter <= 500, `${retryAfter}`)
    expectStatus(await send(own, customer, 'phone'), 204)
    await advance(own, retryAfter)
    expectStatus(await send(own, customer), 204)
    expectError(await send(own, customer), 429, 'RATE_LIMITED')
  })

  test('CONT-6 the fifth wrong code voids it until a new one is sent', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      const details = reasonOf(await confirm(p, customer, '000000'))
      assert.deepEqual(details, { reason: 'INVALID_CODE', attemptsLeft })
    }
    for (const code of ['000000', '123456']) {
      assert.deepEqual(reasonOf(await confirm(p, customer, code)), { reason: 'TOO_MANY_ATTEMPTS' })
    }
    await send(p, customer)
    assert.equal(reasonOf(await confirm(p, customer, '0'))['attemptsLeft'], 4)
    expectStatus(await confirm(p, customer), 200)
  })

  test('CONT-6 a wrong code is counted even though the request is refused, also under a key', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    const headers = { 'idempotency-key': 'wrong-code' }
    const path = `/customers/${customer.id}/verify-email/confirm` as const
    for (let n = 0; n < 3; n += 1) {
      const details = reasonOf(await p.api.post(path, { code: '0' }, { headers }))
      assert.equal(details['attemptsLeft'], 4, 'the stored answer, not another attempt')
    }
    assert.equal(reasonOf(await confirm(p, customer, '0'))['attemptsLeft'], 3)
  })

  test('CONT-7 scenario 12: a code lives for ten minutes of the platform’s clock', async () => {
    const own = await kit.platform({ kind: 'UNREGULATED' })
    const customer = await createCustomer(own, GERMAN)
    assert.deepEqual(reasonOf(await confirm(own, customer)), { reason: 'NO_CODE_SENT' })
    await send(own, customer)
    await advance(own, 601)
    assert.deepEqual(reasonOf(await confirm(own, customer)), { reason: 'EXPIRED_CODE' })
    await send(own, customer)
    await advance(own, 590)
    expectStatus(await confirm(own, customer), 200)
  })

  test('CONT-8 a malformed code is a field, not an attempt', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    const path = `/customers/${customer.id}/verify-email/confirm` as const
    expectFields(await p.api.post(path, {}), ['code'])
    for (const code of [123456, '', '1'.repeat(17), null, ['123456']]) {
      expectFields(await confirm(p, customer, code), ['code'])
    }
    assert.equal(reasonOf(await confirm(p, customer, '0'))['attemptsLeft'], 4)
  })
})

describe('CONT-9 a new value has to be verified again', () => {
  const change = (customer: HasId, body: object) =>
    p.api.patch(`/customers/${customer.id}`, { customerType: 'INDIVIDUAL', ...body })

  test('a changed value is pending again and its code void; an unchanged one is not', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    await send(p, customer, 'phone')
    expectStatus(await confirm(p, customer), 200)
    const same = expectStatus(await change(customer, { email: GERMAN.email.toUpperCase() }), 200)
    assert.equal(same.contactVerification?.email, 'VERIFIED')
    const moved = expectStatus(await change(customer, { email: 'eva@other.example' }), 200)
    assert.deepEqual(moved.contactVerification, { email: 'PENDING', phone: 'PENDING' })
    assert.equal(reasonOf(await confirm(p, customer))['reason'], 'NO_CODE_SENT')
    expectStatus(await confirm(p, customer, '123456', 'phone'), 200)
  })

  test('a code sent to the former value is void, also when the value returns', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer, 'phone')
    expectStatus(await change(customer, { phoneNumber: '+4930999999' }), 200)
    expectStatus(await change(customer, { phoneNumber: GERMAN.phoneNumber }), 200)
    const details = reasonOf(await confirm(p, customer, '123456', 'phone'))
    assert.deepEqual(details, { reason: 'NO_CODE_SENT' })
  })

  test('other changes leave a code alone', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    expectStatus(await change(customer, { fullName: 'Eva Kern', email: GERMAN.email }), 200)
    expectStatus(await confirm(p, customer), 200)
  })
})

test('CONT-2 CORE-90 only a digest of the code is stored', async () => {
  const customer = await createCustomer(p, GERMAN)
  await send(p, customer)
  const { row } = await db.read.one<{ row: string }>(
    sql`select c::text as row from contact_channels c
        where customer_id = ${customer.id.replace('Customer:', '')}`,
  )
  assert.ok(!row.includes('123456'))
  assert.ok(!row.includes(Buffer.from('123456').toString('hex')))
})

describe('CONT-10 races', () => {
  const RACERS = 20

  test('racing right codes: one 200, the others 409', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    const answers = await Promise.all(Array.from({ length: RACERS }, () => confirm(p, customer)))
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [200, ...Array<number>(RACERS - 1).fill(409)])
  })

  test('racing wrong codes never exceed five checks', async () => {
    const customer = await createCustomer(p, GERMAN)
    await send(p, customer)
    const answers = await Promise.all(
      Array.from({ length: RACERS }, () => confirm(p, customer, '0')),
    )
    const reasons = Map.groupBy(answers, (answer) => String(reasonOf(answer)['reason']))
    const left = reasons
      .get('INVALID_CODE')
      ?.map((answer) => Number(reasonOf(answer)['attemptsLeft']))
    assert.deepEqual(left?.toSorted(), [0, 1, 2, 3, 4])
    assert.equal(reasons.get('TOO_MANY_ATTEMPTS')?.length, RACERS - 5)
  })

  test('CONT-4 racing sends: five go out', async () => {
    const customer = await createCustomer(p, GERMAN)
    const answers = await Promise.all(Array.from({ length: RACERS }, () => send(p, customer)))
    assert.equal(answers.filter(({ status }) => status === 204).length, 5)
  })
})
