import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, text } from '../kit/api.ts'
import { MANY_CONNECTIONS, startOwnKit } from '../kit/florin.ts'
import { meetAtRow, queueAtRow } from '../kit/database/meet-at-row.ts'
import {
  customerAccount,
  eventTypesOf,
  execute,
  fund,
  payee,
  quote,
  readTransaction,
} from '../kit/payments.ts'
import {
  END_USER,
  factorNamesOf,
  newLoggedInCustomer,
  newScaCustomer,
  RIGHT,
  type Sca,
} from '../kit/sca/sca.ts'
import { sql } from '../../src/infra/db/statement/sql.ts'

const kit = await startOwnKit(MANY_CONNECTIONS)

const rowOf = ({ customerId }: Sca) =>
  sql`select 1 from customers where id = ${customerId.replace('Customer:', '')} for update`

for (const isAuthorizedFirst of [true, false]) {
  const first = isAuthorizedFirst ? 'the proof' : 'the phone change'
  test(`SCA-58 SCA-51 CORE-44 of a proof and a phone change that race, ${first} comes first: one outcome, no deadlock`, async () => {
    const platform = await kit.platform()
    const { api } = platform
    const sca = await newLoggedInCustomer(platform)
    const from = await customerAccount(platform, sca.customerId, 'USD')
    const to = await payee(platform, 'EUR_ACCOUNT', { customerId: sca.customerId })
    await fund(platform, from, 100_000)
    const created = expectStatus(await quote(platform, { from, to, amount: 1_000 }), 201)
    expectStatus(await execute(platform, created), 200)
    const authorize = () =>
      api.post(`/quotes/${created.id}/authorize`, { code: RIGHT, endUserIpAddress: END_USER })
    const body = { customerType: 'INDIVIDUAL', phoneNumber: '+4915187654321' }
    const change = () => api.patch(`/customers/${sca.customerId}`, body)
    const senders = isAuthorizedFirst ? [authorize, change] : [change, authorize]
    const { db } = kit.florin.deps
    const retriesBefore = db.retries()
    const answers = await queueAtRow(kit, rowOf(sca), senders)
    assert.equal(db.retries(), retriesBefore)
    const [authorized, changed] = isAuthorizedFirst ? answers : answers.toReversed()
    assert.ok(authorized && changed)
    expectStatus(changed, 200)
    assert.deepEqual(await factorNamesOf(sca), [], 'the number is unproven either way')
    const { status, failureReason } = await readTransaction(platform, created.transactionId)
    const events = await eventTypesOf(platform, created.transactionId)
    const query = { customerId: sca.customerId, currency: 'USD' }
    const accounts = await api.get('/customers/internal-accounts', { query })
    const [account] = expectStatus(accounts, 200).data
    const amounts = [account?.balance.amount, account?.totalBalance.amount]
    if (isAuthorizedFirst) {
      expectStatus(authorized, 200)
      assert.notEqual(status, 'FAILED')
      assert.ok(!events.includes('OUTGOING_PAYMENT.FAILED'))
      assert.deepEqual(amounts, [99_000, 99_000])
    } else {
      expectError(authorized, 409, 'CONFLICT')
      assert.deepEqual([status, text(failureReason)], ['FAILED', 'SCA_NOT_COMPLETED'])
      assert.ok(!events.includes('OUTGOING_PAYMENT.PROCESSING'))
      assert.deepEqual(amounts, [100_000, 100_000])
    }
  })
}

test('SCA-57 SCA-13 CORE-44 two enrolments on one fresh login leave one secret, and it enrols one app', async () => {
  const sca = await newLoggedInCustomer(await kit.platform())
  const start = () => sca.post('/factors', { type: 'TOTP' })
  const starts = await meetAtRow(kit, rowOf(sca), () => [start(), start()])
  const secrets = starts.map((answer) => text(expectStatus(answer, 200).secret))
  assert.equal(new Set(secrets).size, 2)
  const confirms = await meetAtRow(kit, rowOf(sca), () =>
    secrets.map((secret) => sca.post('/factors/confirm', { type: 'TOTP', secret, code: RIGHT })),
  )
  assert.deepEqual(confirms.map(({ status }) => status).toSorted(), [200, 400])
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP', 'TOTP'])
})

test('SCA-57 SCA-58 an enrolment that races a phone change comes before it, or is void', async () => {
  const platform = await kit.platform()
  const sca = await newLoggedInCustomer(platform)
  const { secret } = expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  const change = { customerType: 'INDIVIDUAL', phoneNumber: '+4915187654321' }
  const [confirmed, changed] = await meetAtRow(kit, rowOf(sca), () => [
    sca.post('/factors/confirm', { type: 'TOTP', secret, code: RIGHT }),
    platform.api.patch(`/customers/${sca.customerId}`, change),
  ])
  assert.ok(confirmed && changed)
  expectStatus(changed, 200)
  // After the change the customer has no factor, so no login is asked for, but the enrolment is void.
  if (confirmed.status !== 200) expectError(confirmed, 400, 'INVALID_INPUT')
  assert.deepEqual(await factorNamesOf(sca), confirmed.status === 200 ? ['TOTP'] : [])
})

test('SCA-28 CORE-44 racing new passwords clear a count once, and use up one clearing', async () => {
  const sca = await newScaCustomer(await kit.platform())
  const record = (eventType: string) => sca.post('/record-event', { eventType })
  const fail = async () => expectStatus(await record('FAILED_LOGIN_ATTEMPT'), 200)
  const clear = () => record('RESET_PASSWORD_COMPLETED')
  const count = async () => Number(expectStatus(await clear(), 200).failedAttempts)
  await fail()
  const racing = await meetAtRow(kit, rowOf(sca), () => Array.from({ length: 6 }, clear))
  for (const answer of racing) assert.equal(Number(expectStatus(answer, 200).failedAttempts), 0)
  for (const expected of [0, 0, 1]) {
    await fail()
    assert.equal(await count(), expected)
  }
  const late = await meetAtRow(kit, rowOf(sca), () => Array.from({ length: 6 }, clear))
  for (const answer of late) assert.equal(Number(expectStatus(answer, 200).failedAttempts), 1)
})
