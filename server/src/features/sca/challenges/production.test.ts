import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { serveHttp } from '../../../../test/kit/outside/loopback-server.ts'
import { meetAtRow } from '../../../../test/kit/database/meet-at-row.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  completion,
  END_USER,
  newScaCustomer,
  PHONE,
  RIGHT,
  scaOf,
} from '../../../../test/kit/sca/sca.ts'
import { listCredentials, newWallet } from '../../../../test/kit/wallets/wallets.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

type Sms = Readonly<{ to: string; text: string }>

const received: Sms[] = []
const gateway = await serveHttp((request, response) => {
  void Array.fromAsync(request).then((parts) => {
    received.push(JSON.parse(Buffer.concat(parts).toString()) as Sms)
    response.writeHead(200).end()
  })
})
const kit = await startOwnKit({ SMS_GATEWAY_URL: gateway.url })

test('SCA-18 in production a code is sent, and no other is accepted', async () => {
  const sca = await newScaCustomer(
    await kit.platform({ environment: 'PRODUCTION', name: 'Acme Pay' }),
  )
  const { challengeId } = expectStatus(await sca.post('/login/start', { factor: 'SMS_OTP' }), 200)
  await eventually(() => assert.equal(received.length, 1))
  const [sms] = received
  assert.equal(sms?.to, PHONE)
  assert.match(sms.text ?? '', /^\d{6} is your Acme Pay code to log in\. /)
  const code = sms.text.slice(0, 6) ?? ''
  if (code !== RIGHT) {
    const wrong = await sca.post('/login/complete', completion(challengeId, RIGHT))
    expectError(wrong, 400, 'INVALID_INPUT')
  }
  expectStatus(await sca.post('/login/complete', completion(challengeId, code)), 200)
})

test('SCA-14 SCA-21 in production an app’s code is accepted once, also the one it was enrolled with', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION' })
  const sca = await newScaCustomer(platform, { phoneNumber: undefined })
  const { secret, secretBase32Encoded } = expectStatus(
    await sca.post('/factors', { type: 'TOTP' }),
    200,
  )
  const totp = new TOTP({ secret: Secret.fromBase32(text(secretBase32Encoded)) })
  const code = totp.generate()
  expectStatus(await sca.post('/factors/confirm', { type: 'TOTP', secret, code }), 200)
  const logIn = async (given: string) => {
    expectStatus(await sca.post('/login/start', { factor: 'TOTP' }), 200)
    const body = { factor: 'TOTP', code: given, endUserIpAddress: END_USER }
    return sca.post('/login/complete', body)
  }
  expectError(await logIn(code), 400, 'INVALID_INPUT')
  const next = totp.generate({ timestamp: Date.now() + 30_000 })
  expectStatus(await logIn(next), 200)
  expectError(await logIn(next), 400, 'INVALID_INPUT')
})

test('SCA-30 ERR-1 a liveness check that is submitted twice at once counts once, and both see the page', async () => {
  const sca = await newScaCustomer(await kit.platform({ environment: 'PRODUCTION' }))
  const reset = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  const { pathname, search } = new URL(reset.verificationLink)
  const page = new URL(`${pathname}/submit${search}`, kit.baseUrl)
  const customer = sca.customerId.replace('Customer:', '')
  const row = sql`select 1 from customers where id = ${customer} for update`
  const submit = () => fetch(page, { method: 'POST' })
  for (const answer of await meetAtRow(kit, row, () => [submit(), submit()])) {
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  }
  const { status } = await operate(kit, `sca-resets show ${reset.resetId}`)
  assert.equal(status, 'PENDING_REVIEW')
})

test('SCA-35 CHAL-9 a wallet’s credential keeps its number, and receives codes there, when a reset replaces the customer’s', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USDB'] })
  const own = { email: undefined, region: 'DE', phoneNumber: PHONE }
  const { api, customer, accountId } = await newWallet(kit, { platform, customer: own })
  const credential = { type: 'SMS_OTP', accountId }
  const { id } = expectStatus(await api.post('/auth/credentials', credential), 201)
  const sca = scaOf(api, customer.id)
  const reset = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  const { pathname, search } = new URL(reset.verificationLink)
  await fetch(new URL(`${pathname}/submit${search}`, kit.baseUrl), { method: 'POST' })
  await operate(kit, `sca-resets approve ${reset.resetId}`)
  const mobile = { countryCode: '+49', number: '1709999999' }
  const path = `/factors/reset/${reset.resetId}/complete` as const
  expectStatus(await sca.post(path, { mobile }), 204)
  const after = expectStatus(await api.get(`/customers/${customer.id}`), 200)
  assert.equal(after.phoneNumber, '+491709999999')
  const [kept] = await listCredentials(api, accountId)
  assert.equal(kept?.nickname, PHONE)
  // Notices of the reset may arrive at any moment; they hold no code (SCA-59).
  const codes = () => received.filter(({ text: message }) => /\b\d{6}\b/.test(message))
  const sent = codes().length
  expectStatus(await api.post(`/auth/credentials/${id}/challenge`), 200)
  assert.deepEqual(
    codes()
      .slice(sent)
      .map(({ to }) => to),
    [PHONE],
  )
})
