/** Chapters 20 and 21 up to the money: only the wallet's proven owner pays out of it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Quote } from '../../../sdk/src/index.ts'
import { client, expectError, expectStatus, text, type HasId, type Shown } from '../kit/api.ts'
import { CUSTOMERS, newAccount } from '../kit/accounts/external-accounts.ts'
import { startOwnKit } from '../kit/florin.ts'
import {
  balanceOf,
  eventTypesOf,
  fund,
  payee,
  readQuote,
  readTransaction,
} from '../kit/payments.ts'
import { END_USER, logIn as logInSca, PHONE, RIGHT, scaOf } from '../kit/sca/sca.ts'
import { newWallet as newAddress } from '../kit/wallets/signing-wallets.ts'
import { softwareAuthenticator } from '../kit/sca/software-authenticator.ts'
import { newDeviceKey, openSessionKey, stamp } from '../kit/wallets/client.ts'
import { executeSigned, payingWallet, stampOf, walletQuote } from '../kit/wallets/payments.ts'
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
} from '../kit/wallets/wallets.ts'

const kit = await startOwnKit()
const FUNDED = 50_000_000
const outgoing = (...names: string[]) => names.map((name) => `OUTGOING_PAYMENT.${name}`)

/** An address of somebody else, as a wallet's owner would pay it. */
async function somebody({ api, customer }: TestWallet): Promise<string> {
  const account = await newAccount(api, {
    customerId: customer.id,
    currency: 'USDC',
    ownershipType: 'THIRD_PARTY',
    accountInfo: { accountType: 'SOLANA_WALLET', address: newAddress().address },
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
  })
  return account.id
}

async function balancesOf({ api, customer, accountId }: TestWallet) {
  const query = { customerId: customer.id, limit: 100 }
  const answer = await api.get('/customers/internal-accounts', { query })
  const found = expectStatus(answer, 200).data.find(({ id }) => id === accountId)
  return [found?.balance.amount, found?.totalBalance.amount]
}

async function mustBePaid({ platform }: TestWallet, quoted: Shown<Quote>): Promise<void> {
  const transaction = await readTransaction(platform, quoted.transactionId)
  assert.equal(transaction.status, 'COMPLETED')
  assert.ok(transaction.destination?.onChainTransaction)
  const events = await eventTypesOf(platform, quoted.transactionId)
  assert.deepEqual(events, outgoing('PENDING', 'PROCESSING', 'COMPLETED'))
}

test('a code by e-mail, a session, a quote, a signature, a payout', async () => {
  const wallet = await newWallet(kit)
  await fund(wallet.platform, wallet.accountId, FUNDED)
  const to = await somebody(wallet)
  const quoted = await walletQuote({ wallet, to })
  expectStatus(await executeSigned(wallet, quoted), 202)
  const { device, session } = await logIn(wallet)
  assert.equal(session.type, 'EMAIL_OTP')
  const call = (headers = {}) =>
    wallet.api.post(`/quotes/${quoted.id}/execute`, undefined, { headers })
  const executed = expectStatus(await signBoth(call, device), 200)
  assert.equal(executed.status, 'PROCESSING')
  await mustBePaid(wallet, quoted)
  assert.equal(await balanceOf(wallet.platform, wallet.accountId), FUNDED - 10_000_000)
  expectError(await call(), 409, 'CONFLICT')
})

test('a passkey is enrolled, logs in by itself, and its sealed key signs a payout', async () => {
  const wallet = await newWallet(kit)
  const { api, accountId, platform } = wallet
  await fund(platform, accountId, FUNDED)
  const first = await logIn(wallet)
  const authenticator = softwareAuthenticator()
  const challenge = randomBytes(32)
  const body = {
    type: 'PASSKEY',
    accountId,
    nickname: 'Phone',
    challenge: challenge.toString('base64url'),
    attestation: authenticator.register({ challenge }),
  }
  const add = (headers = {}) => api.post('/auth/credentials', body, { headers })
  const credential = expectStatus(await signBoth(add, first.device), 201)
  const own = newDeviceKey()
  const path = `/auth/credentials/${credential.id}` as const
  const asked = expectStatus(
    await api.post(`${path}/challenge`, { clientPublicKey: own.publicKeyUncompressed }),
    200,
  )
  const assertion = authenticator.assert({ challenge: Buffer.from(text(asked.challenge)) })
  const headers = signedHeaders({ requestId: text(asked.requestId) })
  const session = expectStatus(
    await api.post(`${path}/verify`, { type: 'PASSKEY', assertion }, { headers }),
    200,
  )
  const encryptedSessionSigningKey = text(session.encryptedSessionSigningKey)
  const key = openSessionKey({ encryptedSessionSigningKey, device: own })

  const forget = (given = {}) =>
    api.delete(`/auth/credentials/${wallet.emailCredentialId}`, { headers: given })
  expectStatus(await signBoth(forget, key), 204)
  assert.equal((await listCredentials(api, accountId)).length, 1)
  assert.equal((await listSessions(api, accountId)).length, 1)

  const quoted = await walletQuote({ wallet, to: await somebody(wallet) })
  const byCode = await executeSigned(wallet, quoted, { stamp: await stampOf(first.device, quoted) })
  expectError(byCode, 401, 'WALLET_SIGNATURE_INVALID')
  const executed = await executeSigned(wallet, quoted, { stamp: await stampOf(key, quoted) })
  assert.equal(expectStatus(executed, 200).status, 'PROCESSING')
  await mustBePaid(wallet, quoted)

  const next = await walletQuote({ wallet, to: await payee(platform, 'USD_ACCOUNT') })
  await advance(api, 900)
  const late = await walletQuote({ wallet, to: await payee(platform, 'USD_ACCOUNT') })
  expectError(await executeSigned(wallet, next), 409, 'QUOTE_EXPIRED')
  const expired = await executeSigned(wallet, late, { stamp: await stampOf(key, late) })
  expectError(expired, 401, 'WALLET_SIGNATURE_INVALID')
})

/** A wallet of a customer who proves payments as well. */
const scaWallet = () => payingWallet(kit, { customer: { region: 'DE', phoneNumber: PHONE } })

const authorize = ({ api }: TestWallet, { id }: HasId) =>
  api.post(`/quotes/${id}/authorize`, { endUserIpAddress: END_USER, code: RIGHT })

test('SCA-41 SCA-50 from a wallet the stamp is checked first, then the customer is asked', async () => {
  const paying = await scaWallet()
  const { wallet, device } = paying
  const { platform } = wallet
  const quoted = await walletQuote(paying)
  const all = [100_000_000, 100_000_000]
  const asked = expectStatus(await executeSigned(wallet, quoted), 202)
  const bad = await stamp(device, `${asked.payloadToSign} `)
  expectError(await executeSigned(wallet, quoted, { stamp: bad }), 401, 'WALLET_SIGNATURE_INVALID')
  assert.deepEqual(await balancesOf(wallet), all, 'nothing is held without a signature')
  assert.equal((await readQuote(platform, quoted)).status, 'PENDING')

  const signed = { stamp: await stampOf(device, quoted), requestId: asked.requestId }
  const answers = await Promise.all([1, 2, 3].map(() => executeSigned(wallet, quoted, signed)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
  const held = answers.find(({ status }) => status === 200)?.body
  assert.equal(held?.status, 'PENDING_AUTHORIZATION')
  assert.ok(held.scaChallenge)
  assert.deepEqual(held.paymentInstructions, quoted.paymentInstructions)
  assert.deepEqual(await balancesOf(wallet), [90_000_000, 100_000_000])
  expectError(await executeSigned(wallet, quoted, signed), 409, 'CONFLICT')

  expectError(await authorize(wallet, quoted), 409, 'SCA_SESSION_REQUIRED')
  await logInSca(scaOf(wallet.api, wallet.customer.id))
  assert.equal(expectStatus(await authorize(wallet, quoted), 200).status, 'PROCESSING')
  assert.deepEqual(await balancesOf(wallet), [90_000_000, 90_000_000])
  const events = await eventTypesOf(platform, quoted.transactionId)
  const expected = outgoing('PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED')
  assert.deepEqual(events, expected)
})

test('SCA-43 SCA-51 the factor is part of what was asked for; unproven money is free again', async () => {
  const paying = await scaWallet()
  const { wallet, device } = paying
  const quoted = await walletQuote(paying)
  const body = { scaFactor: 'SMS_OTP' }
  const asked = expectStatus(await executeSigned(wallet, quoted, { body }), 202)
  const signed = { stamp: await stampOf(device, quoted), requestId: asked.requestId }
  const changed = await executeSigned(wallet, quoted, signed)
  expectError(changed, 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
  expectStatus(await executeSigned(wallet, quoted, { ...signed, body }), 200)
  await advance(wallet.api, 300)
  const failed = await readTransaction(wallet.platform, quoted.transactionId)
  assert.equal(failed.failureReason, 'SCA_NOT_COMPLETED')
  assert.deepEqual(await balancesOf(wallet), [100_000_000, 100_000_000])
  expectError(await executeSigned(wallet, quoted, { ...signed, body }), 409, 'CONFLICT')
})

test('SCA-54 a trusted payee spares the proof, not the signature', async () => {
  const { wallet, device } = await scaWallet()
  const { api, customer } = wallet
  const to = await somebody(wallet)
  const { scaChallenge } = expectStatus(await api.post(`${CUSTOMERS}/${to}/trust`), 200)
  const confirmation = { challengeId: scaChallenge?.id, code: RIGHT }
  expectStatus(await api.post(`${CUSTOMERS}/${to}/trust/confirm`, confirmation), 200)
  const quoted = await walletQuote({ wallet, to })
  const value = await stampOf(device, quoted)
  expectError(await executeSigned(wallet, quoted, { stamp: value }), 409, 'SCA_SESSION_REQUIRED')
  await logInSca(scaOf(api, customer.id))
  expectStatus(await executeSigned(wallet, quoted), 202)
  const executed = expectStatus(await executeSigned(wallet, quoted, { stamp: value }), 200)
  assert.equal(executed.status, 'PROCESSING')
})

test('any process serves the first call and the retry, and of retries that race on two processes one pays', async () => {
  const paying = await payingWallet(kit)
  const { wallet, device } = paying
  const { platform } = wallet
  const api = client(await kit.neighbour(), platform)
  const elsewhere = { platform: { ...platform, api } }
  const quoted = await walletQuote(paying)
  const asked = expectStatus(await executeSigned(wallet, quoted), 202)
  const headers = await signedBy(device, asked)
  const call = (on: typeof api) => on.post(`/quotes/${quoted.id}/execute`, undefined, { headers })
  const answers = await Promise.all([api, wallet.api, api, wallet.api].map(call))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
  assert.equal(await balanceOf(platform, wallet.accountId), 90_000_000)
  const second = await walletQuote(paying)
  const value = await stampOf(device, second)
  expectStatus(await executeSigned(elsewhere, second, { stamp: value }), 200)
})
