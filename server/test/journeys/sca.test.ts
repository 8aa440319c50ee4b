import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quote } from '../../../sdk/src/index.ts'
import {
  expectError,
  expectFields,
  expectStatus,
  items,
  text,
  type HasId,
  type Shown,
} from '../kit/api.ts'
import { advance } from '../kit/outside/connect-receiver.ts'
import { CUSTOMERS, newAccount } from '../kit/accounts/external-accounts.ts'
import { startKit, type TestPlatform } from '../kit/florin.ts'
import {
  customerAccount,
  eventTypesOf,
  execute,
  fund,
  payee,
  quote,
  readQuote,
  readTransaction,
} from '../kit/payments.ts'
import {
  END_USER,
  enrolPasskey,
  enrolTotp,
  factorNamesOf,
  factorsOf,
  logIn,
  newScaCustomer,
  passkeyProof,
  RIGHT,
  WRONG,
  type Sca,
} from '../kit/sca/sca.ts'
import { newWallet } from '../kit/wallets/signing-wallets.ts'
import { quoteUma } from '../kit/uma.ts'

const kit = await startKit()

const authorize = ({ api }: TestPlatform, { id }: HasId, proof: object = { code: RIGHT }) =>
  api.post(`/quotes/${id}/authorize`, { endUserIpAddress: END_USER, ...proof })

const resend = ({ api }: TestPlatform, { id }: HasId) => api.post(`/quotes/${id}/authorize/resend`)

async function balances(platform: TestPlatform, sca: Sca, account: string) {
  const query = { customerId: sca.customerId, limit: 100 }
  const answer = await platform.api.get('/customers/internal-accounts', { query })
  const found = expectStatus(answer, 200).data.find(({ id }) => id === account)
  return [found?.balance.amount, found?.totalBalance.amount]
}

/** A customer with 1,000.00 USD and somebody in Germany to pay. */
async function payer(fields: object = {}) {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform, fields)
  const from = await customerAccount(platform, sca.customerId, 'USD')
  await fund(platform, from, 100_000)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId: sca.customerId })
  const newQuote = async (more: object = {}) =>
    expectStatus(await quote(platform, { from, to, amount: 10_000, ...more }), 201)
  return { platform, sca, from, to, newQuote }
}

test('scenario 7, SCA-41 SCA-46 SCA-47 SCA-48 a payment is held, proven once and then moves', async () => {
  const { platform, sca, from, newQuote } = await payer()
  const created = await newQuote()
  assert.equal(created.status, 'PENDING')
  const executed = expectStatus(await execute(platform, created), 200)
  assert.equal(executed.status, 'PENDING_AUTHORIZATION')
  const challenge = executed.scaChallenge
  assert.equal(challenge?.factor, 'SMS_OTP')
  assert.equal(challenge.purpose, 'PAYOUT')
  assert.deepEqual(challenge.availableFactors, ['SMS_OTP'])
  assert.deepEqual(await balances(platform, sca, from), [90_000, 100_000])
  assert.deepEqual((await readQuote(platform, created)).scaChallenge, challenge)
  const waiting = await readTransaction(platform, created.transactionId)
  assert.equal(waiting.status, 'PENDING_AUTHORIZATION')
  assert.equal('scaChallenge' in waiting, false)
  expectError(await execute(platform, created), 409, 'CONFLICT')
  expectError(await authorize(platform, created), 409, 'SCA_SESSION_REQUIRED')
  await logIn(sca)
  const released = expectStatus(await authorize(platform, created), 200)
  assert.equal(released.status, 'PROCESSING')
  assert.equal(released.scaChallenge, undefined)
  expectError(await authorize(platform, created), 409, 'CONFLICT')
  await advance(platform, 400)
  assert.equal((await readQuote(platform, created)).status, 'COMPLETED')
  assert.deepEqual(await balances(platform, sca, from), [90_000, 90_000])
  assert.deepEqual(await eventTypesOf(platform, created.transactionId), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
  ])
})

test('scenario 8, SCA-51 SCA-52 a payment that is not proven in time fails, and its money is free again', async () => {
  const { platform, sca, from, newQuote } = await payer()
  const created = await newQuote()
  expectStatus(await execute(platform, created), 200)
  const second = await newQuote({ amount: 95_000 })
  expectError(await execute(platform, second), 400, 'INSUFFICIENT_BALANCE')
  await advance(platform, 300)
  assert.equal((await readQuote(platform, created)).status, 'FAILED')
  const failed = await readTransaction(platform, created.transactionId)
  assert.equal(failed.status, 'FAILED')
  assert.equal(failed.failureReason, 'SCA_NOT_COMPLETED')
  assert.equal(failed.refund, undefined)
  assert.deepEqual(await balances(platform, sca, from), [100_000, 100_000])
  await logIn(sca)
  expectError(await authorize(platform, created), 409, 'CONFLICT')
  expectError(await resend(platform, created), 409, 'CONFLICT')
})

test('scenario 9, SCA-53 a code is sent again three times, 30 seconds apart', async () => {
  const { platform, newQuote } = await payer()
  const created = await newQuote()
  const { scaChallenge } = expectStatus(await execute(platform, created), 200)
  const early = await resend(platform, created)
  expectError(early, 429, 'RATE_LIMITED')
  assert.ok(Number(early.headers.get('retry-after')) <= 30)
  for (let time = 0; time < 3; time += 1) {
    await advance(platform, 30)
    expectStatus(await resend(platform, created), 204)
  }
  await advance(platform, 30)
  expectError(await resend(platform, created), 429, 'RATE_LIMITED')
  assert.deepEqual((await readQuote(platform, created)).scaChallenge, scaChallenge)
})

test('scenario 10, SCA-42 SCA-45 funds across currencies are proven in two steps before they may come', async () => {
  const { platform, sca, to } = await payer()
  const { api } = platform
  await logIn(sca)
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: sca.customerId }
  const created = expectStatus(
    await api.post('/quotes', {
      source,
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    }),
    202,
  )
  assert.equal(created.status, 'PENDING_AUTHORIZATION')
  assert.equal(created.paymentInstructions, undefined)
  assert.equal(created.scaChallenge?.purpose, 'CURRENCY_CONVERSION')
  const transaction = await readTransaction(platform, created.transactionId)
  assert.equal(transaction.paymentInstructions, undefined)
  const send = () => api.post('/sandbox/send', { quoteId: created.id, currencyCode: 'USD' })
  expectError(await send(), 409, 'CONFLICT')
  const second = expectStatus(await authorize(platform, created), 200)
  assert.equal(second.status, 'PENDING_AUTHORIZATION')
  assert.equal(second.scaChallenge?.purpose, 'PAYOUT')
  assert.notEqual(second.scaChallenge.id, created.scaChallenge.id)
  const open = expectStatus(await authorize(platform, created), 200)
  assert.equal(open.status, 'PENDING')
  assert.ok(items(open.paymentInstructions).length > 0)
  assert.deepEqual(await eventTypesOf(platform, created.transactionId), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
  ])
  const events = expectStatus(await api.get('/events', { query: { limit: 100 } }), 200).data
  const emitted = events.filter(({ data }) => text(data?.['id']) === transaction.id)
  assert.deepEqual(
    emitted.map(({ data }) => data?.['paymentInstructions']),
    [undefined, undefined, undefined],
    'no event tells where to pay before it may be paid',
  )
  expectStatus(await send(), 200)
})

test('SCA-43 SCA-45 the factor that was asked for proves every step, while the customer has it', async () => {
  const { platform, sca, to } = await payer()
  const authenticator = await enrolPasskey(sca)
  await logIn(sca)
  const start = async () =>
    expectStatus(
      await platform.api.post('/quotes', {
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: sca.customerId },
        destination: { destinationType: 'ACCOUNT', accountId: to },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000,
        scaFactor: 'PASSKEY',
      }),
      202,
    )
  const prove = async (quoted: Shown<Quote>) => {
    const options = quoted.scaChallenge?.passkeyAssertionOptions
    return expectStatus(
      await authorize(platform, quoted, passkeyProof(authenticator, options)),
      200,
    )
  }
  const second = await prove(await start())
  assert.equal(second.scaChallenge?.purpose, 'PAYOUT')
  assert.equal(second.scaChallenge.factor, 'PASSKEY')
  assert.deepEqual(second.scaChallenge.availableFactors, ['PASSKEY'])
  assert.equal((await prove(second)).status, 'PENDING')
})

test('SCA-45 SCA-51 funds in one currency are one TRANSFER; unproven they never may come', async () => {
  const { platform, sca } = await payer()
  const to = await payee(platform, 'USD_ACCOUNT', { customerId: sca.customerId })
  const created = expectStatus(
    await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: sca.customerId },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    }),
    202,
  )
  assert.equal(created.scaChallenge?.purpose, 'TRANSFER')
  await advance(platform, 300)
  const failed = await readQuote(platform, created)
  assert.equal(failed.status, 'FAILED')
  assert.equal(failed.paymentInstructions, undefined)
})

test('QUOTE-21 while a quote is authorized its amount is held, and it is executed no second time', async () => {
  const { platform, sca, from, newQuote } = await payer()
  const created = await newQuote()
  assert.deepEqual(await balances(platform, sca, from), [100_000, 100_000])
  const asked = expectStatus(await execute(platform, created), 200)
  assert.equal(asked.status, 'PENDING_AUTHORIZATION')
  const amount = Number(created.totalSendingAmount)
  assert.deepEqual(await balances(platform, sca, from), [100_000 - amount, 100_000])
  const details = expectError(await execute(platform, created), 409, 'CONFLICT')
  assert.equal(details['quoteStatus'], 'PENDING_AUTHORIZATION')
  assert.deepEqual(await balances(platform, sca, from), [100_000 - amount, 100_000])
  await logIn(sca)
  let status = 'PENDING_AUTHORIZATION'
  while (status === 'PENDING_AUTHORIZATION') {
    status = expectStatus(await authorize(platform, created), 200).status
  }
  assert.deepEqual(await balances(platform, sca, from), [100_000 - amount, 100_000 - amount])
})

test('SCA-42 SCA-52 an immediate quote is answered with 202 and holds its money', async () => {
  const { platform, sca, from, to } = await payer()
  const immediate = (amount: number) =>
    quote(platform, { from, to, amount, immediatelyExecute: true })
  expectError(await immediate(200_000), 400, 'INSUFFICIENT_BALANCE')
  const created = expectStatus(await immediate(10_000), 202)
  assert.equal(created.status, 'PENDING_AUTHORIZATION')
  assert.deepEqual(await balances(platform, sca, from), [90_000, 100_000])
  await logIn(sca)
  assert.equal(expectStatus(await authorize(platform, created), 200).status, 'PROCESSING')
})

test('SCA-40 SCA-41 SCA-44 a payment to a UMA address is proven as any other', async () => {
  const { platform, sca, from } = await payer()
  const authenticator = await enrolPasskey(sca)
  await logIn(sca)
  const to = 'success.eur'
  const created = expectStatus(await quoteUma(platform, { from, to }), 201)
  const executed = expectStatus(await execute(platform, created), 200)
  assert.equal(executed.status, 'PENDING_AUTHORIZATION')
  assert.deepEqual(await balances(platform, sca, from), [90_000, 100_000])
  const options = executed.scaChallenge?.passkeyAssertionOptions
  const released = await authorize(platform, created, passkeyProof(authenticator, options))
  assert.equal(expectStatus(released, 200).status, 'PROCESSING')
  assert.equal((await readQuote(platform, created)).status, 'COMPLETED')
  assert.deepEqual(await balances(platform, sca, from), [90_000, 90_000])
  const immediate = await quoteUma(platform, { from, to, immediatelyExecute: true })
  assert.equal(expectStatus(immediate, 202).status, 'PENDING_AUTHORIZATION')
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: sca.customerId }
  const justInTime = await quoteUma(platform, { from, to, source })
  assert.equal(expectStatus(justInTime, 202).status, 'PENDING_AUTHORIZATION')
})

test('SCA-43 SCA-44 a factor is chosen among those that can be tied to an amount', async () => {
  const { platform, sca, from, to, newQuote } = await payer()
  const { api } = platform
  const created = await newQuote()
  const ask = (scaFactor: string) => api.post(`/quotes/${created.id}/execute`, { scaFactor })
  expectFields(await ask('TOTP'), ['scaFactor'])
  expectFields(await ask('PASSKEY'), ['scaFactor'])
  expectFields(await quote(platform, { from, to, amount: 1_000, scaFactor: 'TOTP' }), ['scaFactor'])
  const authenticator = await enrolPasskey(sca)
  const { scaChallenge } = expectStatus(await ask('PASSKEY'), 200)
  assert.deepEqual(scaChallenge?.availableFactors, ['PASSKEY'])
  expectError(await resend(platform, created), 409, 'CONFLICT')
  await logIn(sca)
  expectFields(await authorize(platform, created), ['code'])
  const proof = passkeyProof(authenticator, scaChallenge.passkeyAssertionOptions)
  assert.equal(expectStatus(await authorize(platform, created, proof), 200).status, 'PROCESSING')
  const other = await newQuote()
  const both = expectStatus(await execute(platform, other), 200).scaChallenge
  assert.deepEqual(both?.availableFactors, ['SMS_OTP', 'PASSKEY'])
  assert.ok(both.passkeyAssertionOptions)
})

test('SCA-44 SCA-46 SCA-60 a challenge stays as it was issued; a passkey that is gone, or came later, proves nothing', async () => {
  const { platform, sca, newQuote } = await payer()
  const authenticator = await enrolPasskey(sca)
  const created = await newQuote()
  const { scaChallenge } = expectStatus(await execute(platform, created), 200)
  const options = scaChallenge?.passkeyAssertionOptions
  assert.deepEqual(scaChallenge?.availableFactors, ['SMS_OTP', 'PASSKEY'])
  expectStatus(await sca.delete(`/factors/${authenticator.credentialId}`), 204)
  assert.deepEqual((await readQuote(platform, created)).scaChallenge, scaChallenge)
  const later = await enrolPasskey(sca)
  assert.deepEqual((await readQuote(platform, created)).scaChallenge, scaChallenge)
  for (const [index, one] of [authenticator, later].entries()) {
    const answer = await authorize(platform, created, passkeyProof(one, options))
    const details = expectError(answer, 400, 'INVALID_INPUT')
    assert.deepEqual(details, { reason: 'INVALID_PROOF', failedAttempts: index + 1 })
  }
  assert.equal(expectStatus(await authorize(platform, created), 200).status, 'PROCESSING')
})

test('SCA-43 a customer without a factor cannot be challenged', async () => {
  const { platform, newQuote } = await payer({ phoneNumber: undefined })
  const details = expectError(await execute(platform, await newQuote()), 409, 'CONFLICT')
  assert.equal(details['reason'], 'NO_SCA_FACTOR')
})

test('SCA-49 a wrong proof counts as a failed login, and a lock keeps payments', async () => {
  const { platform, sca, newQuote } = await payer()
  await logIn(sca)
  const created = await newQuote()
  expectStatus(await execute(platform, created), 200)
  for (const failedAttempts of [1, 2, 3, 4, 5]) {
    const answer = await authorize(platform, created, { code: WRONG })
    assert.equal(
      expectError(answer, 400, 'INVALID_INPUT')['failedAttempts'] as unknown,
      failedAttempts,
    )
  }
  expectError(await authorize(platform, created), 423, 'ACCOUNT_LOCKED')
  assert.equal((await readQuote(platform, created)).status, 'PENDING_AUTHORIZATION')
})

const changePhone = ({ api }: TestPlatform, { customerId }: Sca, phoneNumber: string) =>
  api.patch(`/customers/${customerId}`, { customerType: 'INDIVIDUAL', phoneNumber })

test('scenario 15, SCA-51 SCA-58 SCA-61 CUST-68 another number ends payments that await a proof, and is proven by a login', async () => {
  const { platform, sca, from, newQuote } = await payer()
  const created = await newQuote()
  expectStatus(await execute(platform, created), 200)
  const open = await newQuote()
  const NEW = '+4915187654321'
  const refused = expectError(await changePhone(platform, sca, NEW), 409, 'SCA_SESSION_REQUIRED')
  assert.equal(refused['reason'], 'FRESH_LOGIN_REQUIRED')
  assert.equal((await readQuote(platform, created)).status, 'PENDING_AUTHORIZATION')
  await logIn(sca)
  const authenticator = await enrolPasskey(sca)
  expectStatus(await changePhone(platform, sca, NEW), 200)
  expectError(await authorize(platform, created), 409, 'CONFLICT')
  expectError(await resend(platform, created), 409, 'CONFLICT')
  assert.equal((await readQuote(platform, created)).status, 'FAILED')
  const failed = await readTransaction(platform, created.transactionId)
  assert.equal(failed.failureReason, 'SCA_NOT_COMPLETED')
  assert.equal(failed.refund, undefined)
  assert.deepEqual(await balances(platform, sca, from), [100_000, 100_000])
  assert.deepEqual(await eventTypesOf(platform, created.transactionId), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
    'OUTGOING_PAYMENT.FAILED',
  ])
  const factors = await factorsOf(sca)
  assert.deepEqual(factors, [{ factor: 'PASSKEY', credentialId: authenticator.credentialId }])
  const { scaChallenge } = expectStatus(await execute(platform, open), 200)
  assert.deepEqual(scaChallenge?.availableFactors, ['PASSKEY'], 'no code to an unproven number')
  expectError(await authorize(platform, open), 409, 'SCA_SESSION_REQUIRED')
  await logIn(sca)
  assert.deepEqual(await factorNamesOf(sca), ['SMS_OTP', 'PASSKEY'])
  const proof = passkeyProof(authenticator, scaChallenge.passkeyAssertionOptions)
  assert.equal(expectStatus(await authorize(platform, open, proof), 200).status, 'PROCESSING')
})

test('SCA-36 SCA-51 a completed reset ends payments that await a proof', async () => {
  const { platform, sca, from, newQuote } = await payer()
  await enrolTotp(sca)
  const created = await newQuote()
  const { resetId } = expectStatus(await sca.post('/factors/reset', { factor: 'TOTP' }), 201)
  await advance(platform, 10)
  expectStatus(await execute(platform, created), 200)
  expectStatus(await sca.post(`/factors/reset/${resetId}/complete`), 204)
  const failed = await readTransaction(platform, created.transactionId)
  assert.equal(failed.status, 'FAILED')
  assert.equal(failed.failureReason, 'SCA_NOT_COMPLETED')
  assert.deepEqual(await balances(platform, sca, from), [100_000, 100_000])
  await logIn(sca)
  expectError(await authorize(platform, created), 409, 'CONFLICT')
})

test('SCA-50 CORE-44 racing executions ask once, racing proofs pay once', async () => {
  const { platform, sca, from, newQuote } = await payer()
  await logIn(sca)
  const created = await newQuote()
  const executions = await Promise.all(Array.from({ length: 8 }, () => execute(platform, created)))
  assert.equal(executions.filter(({ status }) => status === 200).length, 1)
  assert.equal(executions.filter(({ status }) => status === 409).length, 7)
  const proofs = await Promise.all(Array.from({ length: 8 }, () => authorize(platform, created)))
  assert.equal(proofs.filter(({ status }) => status === 200).length, 1)
  assert.equal(proofs.filter(({ status }) => status === 409).length, 7)
  await advance(platform, 400)
  assert.deepEqual(await balances(platform, sca, from), [90_000, 90_000])
})

test('SCA-40 what needs no proof: other regions, the platform’s money, the customer’s own accounts', async () => {
  const outside = await payer({ region: 'US' })
  const created = await outside.newQuote()
  assert.equal(expectStatus(await execute(outside.platform, created), 200).status, 'PROCESSING')
  const details = expectError(await authorize(outside.platform, created), 409, 'CONFLICT')
  assert.equal(details['reason'], 'SCA_NOT_REQUIRED')
  const { platform, sca, from } = await payer()
  const own = await customerAccount(platform, sca.customerId, 'EUR')
  const moved = expectStatus(await quote(platform, { from, to: own, amount: 1_000 }), 201)
  assert.notEqual(expectStatus(await execute(platform, moved), 200).status, 'PENDING_AUTHORIZATION')
})

async function newAddress({ api }: TestPlatform, { customerId }: Sca): Promise<string> {
  const account = await newAccount(api, {
    customerId,
    currency: 'USDC',
    ownershipType: 'THIRD_PARTY',
    accountInfo: { accountType: 'SOLANA_WALLET', address: newWallet().address },
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  })
  return account.id
}

async function changeTrust({ api }: TestPlatform, account: string, verb: string): Promise<void> {
  const path = `${CUSTOMERS}/${account}` as const
  const { scaChallenge } = expectStatus(await api.post(`${path}/${verb}`), 200)
  const body = { challengeId: scaChallenge?.['id'], code: RIGHT }
  expectStatus(await api.post(`${path}/${verb}/confirm`, body), 200)
}

async function trustedAddress(platform: TestPlatform, sca: Sca): Promise<string> {
  const account = await newAddress(platform, sca)
  await changeTrust(platform, account, 'trust')
  return account
}

test('scenario 11, SCA-54 TRUST-12 a trusted payee needs a session instead of a proof', async () => {
  const { platform, sca } = await payer()
  const { api } = platform
  const from = await customerAccount(platform, sca.customerId, 'USDC')
  await fund(platform, from, 100_000_000)
  const account = await trustedAddress(platform, sca)
  const path = `${CUSTOMERS}/${account}` as const
  const pay = async () =>
    expectStatus(await quote(platform, { from, to: account, amount: 10_000_000 }), 201)
  expectError(await api.delete(path), 409, 'BENEFICIARY_TRUSTED')
  const first = await pay()
  expectError(await execute(platform, first), 409, 'SCA_SESSION_REQUIRED')
  assert.equal((await readQuote(platform, first)).status, 'PENDING')
  await logIn(sca)
  assert.equal(expectStatus(await execute(platform, first), 200).status, 'PROCESSING')
  await changeTrust(platform, account, 'untrust')
  const second = await pay()
  const challenged = expectStatus(await execute(platform, second), 200)
  assert.equal(challenged.status, 'PENDING_AUTHORIZATION')
  expectStatus(await api.delete(path), 204)
})

test('SCA-55 a transfer waits for no proof, so it is refused unless its payee is trusted', async () => {
  const { platform, sca, from } = await payer()
  const { api } = platform
  const bank = await payee(platform, 'USD_ACCOUNT', { customerId: sca.customerId })
  const transfer = (source: string, destination: string, amount: number) =>
    api.post('/transfer-out', {
      source: { accountId: source },
      destination: { accountId: destination },
      amount,
    })
  const details = expectError(await transfer(from, bank, 1_000), 409, 'CONFLICT')
  assert.equal(details['reason'], 'SCA_REQUIRED')
  const coins = await customerAccount(platform, sca.customerId, 'USDC')
  await fund(platform, coins, 100_000_000)
  const trusted = await trustedAddress(platform, sca)
  expectError(await transfer(coins, trusted, 10_000_000), 409, 'CONFLICT')
  await logIn(sca)
  expectStatus(await transfer(coins, trusted, 10_000_000), 201)
})

test('SCA-54 SCA-55 TRUST-10 what one customer trusts spares another no proof', async () => {
  const { platform, sca } = await payer()
  const other = await newScaCustomer(platform, { phoneNumber: '+4915112345679' })
  const theirs = await trustedAddress(platform, other)
  const from = await customerAccount(platform, sca.customerId, 'USDC')
  await fund(platform, from, 100_000_000)
  await logIn(sca)
  const created = expectStatus(await quote(platform, { from, to: theirs, amount: 10_000_000 }), 201)
  const executed = expectStatus(await execute(platform, created), 200)
  assert.equal(executed.status, 'PENDING_AUTHORIZATION')
  const answer = await platform.api.post('/transfer-out', {
    source: { accountId: from },
    destination: { accountId: theirs },
    amount: 10_000_000,
  })
  assert.equal(expectError(answer, 409, 'CONFLICT')['reason'], 'SCA_REQUIRED')
})

test('scenario 14 a session ends after 180 days', async () => {
  const { platform, sca, newQuote } = await payer()
  await logIn(sca)
  await advance(platform, 15_552_000)
  const created = await newQuote()
  expectStatus(await execute(platform, created), 200)
  expectError(await authorize(platform, created), 409, 'SCA_SESSION_REQUIRED')
})

test('SCA-51 CUST-63 a deleted customer’s quote that waits for a proof fails', async () => {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const to = await payee(platform, 'USD_ACCOUNT', { customerId: sca.customerId })
  const created = expectStatus(
    await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: sca.customerId },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    }),
    202,
  )
  expectStatus(await platform.api.delete(`/customers/${sca.customerId}`), 200)
  assert.equal((await readQuote(platform, created)).status, 'FAILED')
  expectError(await authorize(platform, created), 409, 'CONFLICT')
})
