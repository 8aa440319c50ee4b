import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expectError,
  expectFields,
  expectStatus,
  text,
  type Answer,
} from '../../../../test/kit/api.ts'
import { readCustomer } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { newOidcToken } from '../../../../test/kit/outside/oidc-tokens.ts'
import { factorNamesOf, logIn as logInSca, scaOf } from '../../../../test/kit/sca/sca.ts'
import {
  advance,
  listCredentials,
  listSessions,
  logIn,
  newWallet,
  signBoth,
  signedBy,
  signedHeaders,
  type TestWallet,
  type Call,
  challengeOf,
} from '../../../../test/kit/wallets/wallets.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()
let count = 0
const newEmail = (): string => `new${(count += 1)}@example.com`

const patching =
  ({ api, customer }: TestWallet, body: object) =>
  (headers: Record<string, string> = {}) =>
    api.patch(`/customers/${customer.id}`, { customerType: 'INDIVIDUAL', ...body }, { headers })

const adding =
  ({ api, accountId }: TestWallet, body: object) =>
  (headers: Record<string, string> = {}) =>
    api.post('/auth/credentials', { accountId, ...body }, { headers })

const literal = (requestId: unknown) =>
  signedHeaders({ stamp: 'sandbox-valid-signature', requestId: String(requestId) })

test('CUST-54 SIGN-14 SIGN-17 scenario 13: a new address is signed; customer and credential change at once', async () => {
  const wallet = await newWallet(kit)
  const { device } = await logIn(wallet)
  const email = newEmail()
  const call = patching(wallet, { email, fullName: 'Ann New' })
  const challenge = expectStatus(await call(), 202)
  const payload = JSON.parse(challenge.payloadToSign) as Record<string, unknown>
  assert.equal(payload['type'], 'ACTIVITY_TYPE_UPDATE_USER_EMAIL')
  const before = await readCustomer(wallet.platform, wallet.customer)
  assert.equal(before.email, wallet.customer.email)
  assert.equal(before.fullName, undefined)
  const after = expectStatus(await call(await signedBy(device, challenge)), 200)
  assert.deepEqual([after.email, after.fullName], [email, 'Ann New'])
  const [credential] = await listCredentials(wallet.api, wallet.accountId)
  assert.equal(credential?.nickname, email)
  assert.equal((await listSessions(wallet.api, wallet.accountId)).length, 1)
})

test('CUST-54 SIGN-13 SIGN-14 an equal address, another field and a contact without a credential need no signature', async () => {
  const wallet = await newWallet(kit)
  const email = text(wallet.customer.email).toUpperCase()
  const ignored = signedHeaders({ stamp: 'x', requestId: 'y' })
  expectStatus(await patching(wallet, { email })(ignored), 200)
  expectStatus(await patching(wallet, { fullName: 'Ann' })(ignored), 200)
  expectStatus(await patching(wallet, { phoneNumber: '+4915112345678' })(), 200)
})

test('CUST-54 SIGN-14 a number with an SMS_OTP credential is signed too', async () => {
  const wallet = await newWallet(kit, { customer: { phoneNumber: '+4915112345678' } })
  const { device } = await logIn(wallet)
  const add = adding(wallet, { type: 'SMS_OTP' })
  expectStatus(await signBoth(add, device), 201)
  const call = patching(wallet, { phoneNumber: '+4915187654321' })
  expectStatus(await signBoth(call, device), 200)
  const [, sms] = await listCredentials(wallet.api, wallet.accountId)
  assert.equal(sms?.nickname, '+4915187654321')
})

test('SIGN-14 SCA-35 a signed number becomes the credential’s, also when a reset gave it to the customer meanwhile', async () => {
  const own = { region: 'DE', phoneNumber: '+4915112345678' }
  const wallet = await newWallet(kit, { customer: own })
  const { api, accountId } = wallet
  const { device } = await logIn(wallet)
  const add = adding(wallet, { type: 'SMS_OTP' })
  expectStatus(await signBoth(add, device), 201)
  const call = patching(wallet, { phoneNumber: '+491709999999' })
  const sca = scaOf(api, wallet.customer.id)
  await logInSca(sca)
  const challenge = expectStatus(await call(), 202)
  const { resetId } = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  await advance(api, 10)
  const mobile = { countryCode: '+49', number: '1709999999' }
  expectStatus(await sca.post(`/factors/reset/${resetId}/complete`, { mobile }), 204)
  const numberOf = async () => (await listCredentials(api, accountId))[1]?.nickname
  assert.equal(await numberOf(), '+4915112345678')
  expectStatus(await call(await signedBy(device, challenge)), 200)
  assert.equal(await numberOf(), '+491709999999')
})

test('CUST-68 CUST-54 SIGN-14 a number under SCA is changed after a fresh login only, on the first call and on the retry', async () => {
  const own = { region: 'DE', phoneNumber: '+4915112345678' }
  const wallet = await newWallet(kit, { customer: own })
  const { api } = wallet
  const { device } = await logIn(wallet)
  expectStatus(await signBoth(adding(wallet, { type: 'SMS_OTP' }), device), 201)
  const call = patching(wallet, { phoneNumber: '+4915187654321', fullName: 'Ann New' })
  const unfresh = (answer: Answer) => {
    const details = expectError(answer, 409, 'SCA_SESSION_REQUIRED')
    assert.deepEqual(details, { reason: 'FRESH_LOGIN_REQUIRED' })
  }
  unfresh(await call())
  const sca = scaOf(api, wallet.customer.id)
  await logInSca(sca)
  const challenge = expectStatus(await call(), 202)
  expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
  await advance(api, 290)
  await logIn(wallet)
  const held = await readCustomer(wallet.platform, wallet.customer)
  assert.equal(held.phoneNumber, own.phoneNumber, 'the first call changed nothing')
  expectStatus(await sca.post('/record-event', { eventType: 'RESET_PASSWORD_COMPLETED' }), 200)
  const signed = await signedBy(device, challenge)
  unfresh(await call(signed))
  const refused = await readCustomer(wallet.platform, wallet.customer)
  assert.equal(refused.phoneNumber, own.phoneNumber)
  assert.equal(refused.fullName, undefined)
  await logInSca(sca)
  const after = expectStatus(await call(signed), 200)
  assert.equal(after.phoneNumber, '+4915187654321', 'the same signature, after a login')
  const [, sms] = await listCredentials(api, wallet.accountId)
  assert.equal(sms?.nickname, '+4915187654321')
  assert.deepEqual(await factorNamesOf(sca), [])
})

test('SIGN-1 CRED-7 a credential is added only for the number that was signed', async () => {
  const wallet = await newWallet(kit, { customer: { phoneNumber: '+4915112345678' } })
  const { api, accountId } = wallet
  const { device } = await logIn(wallet)
  const add = adding(wallet, { type: 'SMS_OTP' })
  const challenge = expectStatus(await add(), 202)
  expectStatus(await patching(wallet, { phoneNumber: '+4915187654321' })(), 200)
  const retry = await add(await signedBy(device, challenge))
  assert.equal(expectError(retry, 409, 'CONFLICT')['reason'], 'CONTACT_CHANGED')
  assert.equal((await listCredentials(api, accountId)).length, 1)
  expectStatus(await signBoth(add, device), 201)
})

test('CRED-7 CRED-10 a retry is refused when the customer’s number was cleared since', async () => {
  const wallet = await newWallet(kit, { customer: { phoneNumber: '+4915112345678' } })
  const { device } = await logIn(wallet)
  const add = adding(wallet, { type: 'SMS_OTP' })
  const challenge = expectStatus(await add(), 202)
  expectStatus(await patching(wallet, { phoneNumber: null })(), 200)
  const retry = await add(await signedBy(device, challenge))
  expectError(retry, 400, 'MISSING_MANDATORY_USER_INFO')
})

test('CRED-7 SIGN-14 a credential is added for the signed address, whatever its case', async () => {
  const wallet = await newWallet(kit)
  const revoke = (headers = {}) =>
    wallet.api.delete(`/auth/credentials/${wallet.emailCredentialId}`, { headers })
  const oauth = adding(wallet, { type: 'OAUTH', oidcToken: newOidcToken() })
  const add = adding(wallet, { type: 'EMAIL_OTP' })
  const sign = async (call: Call) => literal((await challengeOf(call)).requestId)
  expectStatus(await oauth(await sign(oauth)), 201)
  expectStatus(await revoke(await sign(revoke)), 204)
  const signed = await sign(add)
  const email = text(wallet.customer.email).toUpperCase()
  expectStatus(await patching(wallet, { email })(), 200)
  expectStatus(await add(signed), 201)
})

test('SIGN-15 changing both contacts at once and clearing a tied contact are refused', async () => {
  const wallet = await newWallet(kit)
  const both = patching(wallet, { email: newEmail(), phoneNumber: '+4915112345678' })
  expectFields(await both(), ['email', 'phoneNumber'])
  expectFields(await patching(wallet, { email: null })(), ['email'])
})

test('SIGN-14 a change that would fail is refused on the first call', async () => {
  const wallet = await newWallet(kit)
  const call = patching(wallet, { email: newEmail(), umaAddress: 'nonsense' })
  assert.equal((await call()).status, 400)
})

test('CUST-54 SIGN-16 an address of another customer’s credential is refused on the first call and on the retry', async () => {
  const wallet = await newWallet(kit)
  const other = await newWallet(kit, { platform: wallet.platform })
  const taken = patching(wallet, { email: text(other.customer.email).toUpperCase() })
  expectError(await taken(), 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS')
  const email = newEmail()
  const { device } = await logIn(wallet)
  const call = patching(wallet, { email })
  const challenge = expectStatus(await call(), 202)
  await newWallet(kit, { platform: wallet.platform, customer: { email } })
  const refused = await call(await signedBy(device, challenge))
  expectError(refused, 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS')
})

test('CUST-54 SIGN-16 of two customers who sign for one new address at once, one gets it', async () => {
  const one = await newWallet(kit)
  const other = await newWallet(kit, { platform: one.platform })
  const email = newEmail()
  const retries = await Promise.all(
    [one, other].map(async (wallet, n) => {
      const { device } = await logIn(wallet)
      const call = patching(wallet, { email: n === 0 ? email : email.toUpperCase() })
      const headers = await signedBy(device, expectStatus(await call(), 202))
      return () => call(headers)
    }),
  )
  const { db } = kit.florin.deps
  const answers = await db.transaction(async (tx) => {
    await tx.run(sql`lock table wallet_credentials in share mode`)
    const asked = retries.map((retry) => retry())
    // Both have begun, and neither can write before this transaction ends.
    await eventually(async () => {
      const waits = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      assert.equal(await db.read.run(waits), 2)
    })
    return asked
  })
  const [first, second] = (await Promise.all(answers)).toSorted((a, b) => a.status - b.status)
  assert.ok(first && second)
  expectStatus(first, 200)
  expectError(second, 409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS')
})

test('CUST-54 SIGN-16 a retry after a change of the tied credentials is refused and voids the signature request', async () => {
  const wallet = await newWallet(kit)
  const { device } = await logIn(wallet)
  const oauth = adding(wallet, { type: 'OAUTH', oidcToken: newOidcToken() })
  expectStatus(await signBoth(oauth, device), 201)
  const call = patching(wallet, { email: newEmail() })
  const challenge = expectStatus(await call(), 202)
  const revoke = (headers = {}) =>
    wallet.api.delete(`/auth/credentials/${wallet.emailCredentialId}`, { headers })
  const { requestId } = expectStatus(await revoke(), 202)
  expectStatus(await revoke(literal(requestId)), 204)
  const retry = () => call(literal(challenge.requestId))
  expectError(await retry(), 409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED')
  expectStatus(await call(), 200)
})
