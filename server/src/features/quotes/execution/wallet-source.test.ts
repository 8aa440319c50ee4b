import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../../infra/db/statement/sql.ts'
import { expectError, expectFields, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { byteChangesOf, characterChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  eventTypesOf,
  execute,
  fund,
  payee,
  payer,
  quote,
  quoteBody,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { watchRoundTrips } from '../../../../test/kit/database/round-trips.ts'
import { newDeviceKey, stamp } from '../../../../test/kit/wallets/client.ts'
import {
  executeSigned,
  payingWallet,
  payloadOf,
  stampOf,
  walletQuote,
} from '../../../../test/kit/wallets/payments.ts'
import { advance, logIn, newWallet, signBoth } from '../../../../test/kit/wallets/wallets.ts'

const kit = await startOwnKit()
const watch = watchRoundTrips()
after(() => watch.stop())

const reasonOf = (details: Readonly<Record<string, unknown>>): unknown => details['reason']

describe('SIGN-18 QUOTE-20 what is signed', () => {
  test('SIGN-18 a quote from a wallet says what is signed, the same on every read', async () => {
    const paying = await payingWallet(kit)
    const { platform, accountId } = paying.wallet
    const quoted = await walletQuote(paying)
    const instructions = items(quoted.paymentInstructions)
    assert.equal(instructions.length, 1)
    assert.equal(instructions[0]?.accountOrWalletInfo.accountType, 'EMBEDDED_WALLET')
    const content = JSON.parse(payloadOf(quoted)) as Record<string, unknown>
    const wallet = await kit.florin.deps.db.read.one<{ organizationId: string; walletId: string }>(
      sql`select organization_id, wallet_id from wallets
          where account_id = ${accountId.split(':')[1] ?? ''}`,
    )
    assert.deepEqual(content, {
      organizationId: wallet.organizationId,
      parameters: {
        destination: quoted.destination,
        feesIncluded: String(quoted.feesIncluded),
        quoteId: quoted.id,
        receivingCurrency: 'USD',
        sendingCurrency: 'USDB',
        signWith: wallet.walletId,
        totalReceivingAmount: String(quoted.totalReceivingAmount),
        totalSendingAmount: String(quoted.totalSendingAmount),
      },
      timestampMs: String(Date.parse(quoted.createdAt)),
      type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    })
    await advance(platform.api, 60)
    const read = await readQuote(platform, quoted)
    assert.deepEqual(read.paymentInstructions, quoted.paymentInstructions)
    const value = await stampOf(paying.device, quoted)
    const executed = expectStatus(await executeSigned(paying.wallet, quoted, { stamp: value }), 200)
    assert.deepEqual(executed.paymentInstructions, quoted.paymentInstructions)
    const transaction = await readTransaction(platform, quoted.transactionId)
    assert.deepEqual(transaction.paymentInstructions, quoted.paymentInstructions)
  })

  test('SIGN-18 QUOTE-16 a quote from a wallet is not executed as it is made', async () => {
    const { wallet, to } = await payingWallet(kit)
    const { platform, accountId: from } = wallet
    const fields = { from, to, amount: 1_000_000, immediatelyExecute: true }
    expectFields(await quote(platform, fields), ['immediatelyExecute'])
  })
})

describe('SIGN-19 SIGN-20 executing with a signature', () => {
  test('scenario 14: asked, signed, executed once; a bad stamp leaves the quote as it was', async () => {
    const paying = await payingWallet(kit)
    const { wallet, device } = paying
    const { platform, accountId } = wallet
    const quoted = await walletQuote(paying)
    const asked = expectStatus(await executeSigned(wallet, quoted), 202)
    assert.equal(asked.payloadToSign, payloadOf(quoted))
    assert.match(asked.requestId, /^Request:/)
    assert.equal(asked.expiresAt, quoted.expiresAt, 'not longer than the quote')
    assert.equal((await readQuote(platform, quoted)).status, 'PENDING')
    const value = await stampOf(device, quoted)
    const executed = expectStatus(await executeSigned(wallet, quoted, { stamp: value }), 200)
    assert.equal(executed.status, 'PROCESSING')
    assert.equal(await balanceOf(platform, accountId), 90_000_000)
    for (const given of [{ stamp: value }, {}, { stamp: 'abc' }]) {
      expectError(await executeSigned(wallet, quoted, given), 409, 'CONFLICT')
    }
    const second = await walletQuote(paying)
    const refused = await executeSigned(wallet, second, { stamp: value })
    const details = expectError(refused, 401, 'WALLET_SIGNATURE_INVALID')
    assert.equal(reasonOf(details), 'Signature does not verify', 'the stamp of another quote')
    assert.equal((await readQuote(platform, second)).status, 'PENDING')
    assert.equal(await balanceOf(platform, accountId), 90_000_000)
  })

  test('SIGN-19 with a Request it has to be this quote’s, pending, and with the same body', async () => {
    const paying = await payingWallet(kit)
    const { wallet, device } = paying
    const [quoted, other] = [await walletQuote(paying), await walletQuote(paying)]
    const value = await stampOf(device, quoted)
    const requestId = expectStatus(await executeSigned(wallet, quoted), 202).requestId
    const foreign = expectStatus(await executeSigned(wallet, other), 202).requestId
    const call = (given: object) => executeSigned(wallet, quoted, given)
    expectError(await call({ requestId }), 401, 'WALLET_SIGNATURE_MISSING')
    expectError(await call({ stamp: '', requestId }), 401, 'WALLET_SIGNATURE_MISSING')
    for (const unknown of [foreign, 'Request:x', 'x']) {
      const answer = await call({ stamp: value, requestId: unknown })
      assert.match(String(reasonOf(expectError(answer, 401, 'UNAUTHORIZED'))), /unknown, expired/)
    }
    const changed = { stamp: value, requestId, body: { scaFactor: 'SMS_OTP' } }
    expectError(await call(changed), 401, 'WALLET_SIGNATURE_BODY_MISMATCH')
    expectStatus(await call({ stamp: value, requestId, body: {} }), 200)
    expectError(await call({ stamp: value, requestId }), 409, 'CONFLICT')
  })

  test('SIGN-8 the tenth refusal voids the Request, not the quote', async () => {
    const paying = await payingWallet(kit)
    const { wallet, device } = paying
    const quoted = await walletQuote(paying)
    const requestId = expectStatus(await executeSigned(wallet, quoted), 202).requestId
    const bad = await stamp(device, `${payloadOf(quoted)} `)
    for (let n = 0; n < 10; n += 1) {
      const answer = await executeSigned(wallet, quoted, { stamp: bad, requestId })
      expectError(answer, 401, 'WALLET_SIGNATURE_INVALID')
    }
    const good = await stampOf(device, quoted)
    expectError(
      await executeSigned(wallet, quoted, { stamp: good, requestId }),
      401,
      'UNAUTHORIZED',
    )
    expectStatus(await executeSigned(wallet, quoted, { stamp: good }), 200)
  })

  test('SIGN-12 one Idempotency-Key serves the first call and the retry, and replays the last answer', async () => {
    const paying = await payingWallet(kit)
    const { wallet, device } = paying
    const quoted = await walletQuote(paying)
    const key = 'one-key'
    const asked = expectStatus(await executeSigned(wallet, quoted, { key }), 202)
    const again = expectStatus(await executeSigned(wallet, quoted, { key }), 202)
    assert.notEqual(again.requestId, asked.requestId)
    expectError(
      await executeSigned(wallet, quoted, { key, stamp: 'abc' }),
      401,
      'WALLET_SIGNATURE_MALFORMED',
    )
    const signed = {
      key,
      stamp: await stampOf(device, quoted),
      requestId: asked.requestId,
    }
    const executed = expectStatus(await executeSigned(wallet, quoted, signed), 200)
    const replay = await executeSigned(wallet, quoted, { key })
    assert.deepEqual(expectStatus(replay, 200), executed)
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  })

  test('a signature that was good is not used up by what is refused after it', async () => {
    const paying = await payingWallet(kit, { funded: 1_000_000 })
    const { wallet, device } = paying
    const quoted = await walletQuote(paying)
    const asked = expectStatus(await executeSigned(wallet, quoted), 202)
    const signed = { stamp: await stampOf(device, quoted), requestId: asked.requestId }
    expectError(await executeSigned(wallet, quoted, signed), 400, 'INSUFFICIENT_BALANCE')
    await fund(wallet.platform, wallet.accountId, 9_000_000)
    expectStatus(await executeSigned(wallet, quoted, signed), 200)
  })

  test('SIGN-20 an expired quote is refused before its signature is looked at', async () => {
    const paying = await payingWallet(kit)
    const { wallet } = paying
    const quoted = await walletQuote(paying)
    await advance(wallet.api, 300)
    expectError(await executeSigned(wallet, quoted, { stamp: 'abc' }), 409, 'QUOTE_EXPIRED')
  })

  test('SIGN-13 from another account both headers are ignored', async () => {
    const { wallet, to } = await payingWallet(kit)
    const { platform } = wallet
    const { account: from } = await payer(platform)
    const quoted = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
    const given = { stamp: 'abc', requestId: 'x' }
    expectStatus(await executeSigned(wallet, quoted, given), 200)
  })

  test('chapter 20, section 7: a wallet whose operations take their time pays at once all the same', async () => {
    const customer = { email: 'payout+processing@example.com' }
    const wallet = await newWallet(kit, { customer })
    await fund(wallet.platform, wallet.accountId, 10_000_000)
    const quoted = await walletQuote({ wallet, to: await payee(wallet.platform, 'USD_ACCOUNT') })
    const { requestId } = expectStatus(await executeSigned(wallet, quoted), 202)
    const given = { stamp: 'sandbox-valid-signature', requestId: requestId }
    const executed = expectStatus(await executeSigned(wallet, quoted, given), 200)
    assert.equal(executed.id, quoted.id)
  })

  test('the sandbox’s literal passes for a stamp, without a session', async () => {
    const wallet = await newWallet(kit)
    await fund(wallet.platform, wallet.accountId, 10_000_000)
    const { account: to } = await payer(wallet.platform, { funded: 0 })
    const quoted = await walletQuote({ wallet, to })
    expectStatus(await executeSigned(wallet, quoted, { stamp: 'sandbox-valid-signature' }), 200)
  })
})

describe('SIGN-6 SIGN-23 who may sign', () => {
  test('a session of this wallet, while it lasts', async () => {
    const paying = await payingWallet(kit)
    const { wallet, device } = paying
    const other = await payingWallet(kit, { platform: wallet.platform })
    const foreign = await payingWallet(kit)
    const quoted = await walletQuote(paying)
    for (const key of [other.device, foreign.device, newDeviceKey()]) {
      const answer = await executeSigned(wallet, quoted, { stamp: await stampOf(key, quoted) })
      const details = expectError(answer, 401, 'WALLET_SIGNATURE_INVALID')
      assert.equal(reasonOf(details), 'Public key has no active session on this account')
    }
    const { device: second, session } = await logIn(wallet)
    const value = await stampOf(second, quoted)
    const end = (headers = {}) => wallet.api.delete(`/auth/sessions/${session.id}`, { headers })
    expectStatus(await signBoth(end, device), 204)
    const ended = await executeSigned(wallet, quoted, { stamp: value })
    expectError(ended, 401, 'WALLET_SIGNATURE_INVALID')
    await advance(wallet.api, 880)
    const late = await walletQuote(paying)
    const good = await stampOf(device, late)
    await advance(wallet.api, 20)
    expectError(await executeSigned(wallet, late, { stamp: good }), 401, 'WALLET_SIGNATURE_INVALID')
    const { device: fresh } = await logIn(wallet)
    const again = await executeSigned(wallet, late, { stamp: await stampOf(fresh, late) })
    expectStatus(again, 200)
  })

  test('SIGN-23 another platform does not find the quote', async () => {
    const paying = await payingWallet(kit)
    const stranger = await payingWallet(kit)
    const quoted = await walletQuote(paying)
    const value = await stampOf(paying.device, quoted)
    expectError(
      await executeSigned(stranger.wallet, quoted, { stamp: value }),
      404,
      'QUOTE_NOT_FOUND',
    )
  })
})

test('SIGN-7 of payload, key and signature no byte may differ', async () => {
  const paying = await payingWallet(kit)
  const { wallet, device } = paying
  const quoted = await walletQuote(paying)
  const payload = payloadOf(quoted)
  const good = JSON.parse(
    Buffer.from(await stamp(device, payload), 'base64url').toString(),
  ) as Record<string, string>
  const refused = async (value: string): Promise<void> => {
    const answer = await executeSigned(wallet, quoted, { stamp: value })
    assert.equal(answer.status, 401)
    assert.match(text(answer.body.code), /^WALLET_SIGNATURE_(INVALID|MALFORMED)$/)
  }
  const restamped = (change: object): string =>
    Buffer.from(JSON.stringify({ ...good, ...change })).toString('base64url')
  const inHex = (field: string) =>
    fc.asyncProperty(byteChangesOf(Buffer.from(good[field] ?? '', 'hex')), (bytes) =>
      refused(restamped({ [field]: bytes.toString('hex') })),
    )
  const options = { numRuns: 60 }
  await fc.assert(inHex('signature'), options)
  await fc.assert(inHex('publicKey'), options)
  const overAnother = fc.asyncProperty(characterChangesOf(payload), async (changed) =>
    refused(await stamp(device, changed)),
  )
  await fc.assert(overAnother, options)
  assert.equal((await readQuote(wallet.platform, quoted)).status, 'PENDING')
  expectStatus(await executeSigned(wallet, quoted, { stamp: restamped({}) }), 200)
})

test('SIGN-11 SIGN-20 of racing calls, identical or not, one moves the money', async () => {
  const paying = await payingWallet(kit)
  const { wallet, device } = paying
  const { platform, accountId } = wallet
  const quoted = await walletQuote(paying)
  const asked = expectStatus(await executeSigned(wallet, quoted), 202)
  const other = expectStatus(await executeSigned(wallet, quoted), 202)
  const value = await stampOf(device, quoted)
  const signed = { stamp: value, requestId: asked.requestId }
  const answers = await Promise.all(
    [
      ...Array.from({ length: 6 }, () => signed),
      { ...signed, requestId: other.requestId },
      { stamp: value },
    ].map((given) => executeSigned(wallet, quoted, given)),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409, 409, 409])
  assert.equal(await balanceOf(platform, accountId), 90_000_000)
  assert.deepEqual(
    await eventTypesOf(platform, quoted.transactionId),
    ['PENDING', 'PROCESSING', 'COMPLETED'].map((name) => `OUTGOING_PAYMENT.${name}`),
  )
})

test('SIGN-21 XFER-6 nothing but a signed quote debits a wallet', async () => {
  const { wallet } = await payingWallet(kit)
  const { platform, accountId, api } = wallet
  const { account: to } = await payer(platform, { funded: 0 })
  const outside = await payee(platform, 'SPARK_WALLET')
  const body = { source: { accountId }, destination: { accountId: outside }, amount: 1000 }
  expectFields(await api.post('/transfer-out', body), ['source.accountId'])
  const quoted = quoteBody({ from: accountId, to, amount: 1_000_000 })
  expectStatus(await execute(platform, expectStatus(await api.post('/quotes', quoted), 201)), 202)
  assert.equal(await balanceOf(platform, accountId), 100_000_000)
})

test('a signed execution waits for the database no more often than an unsigned one', async () => {
  const paying = await payingWallet(kit)
  const { wallet, device, to } = paying
  const { platform } = wallet
  const { account: from } = await payer(platform)
  const plain = expectStatus(await quote(platform, { from, to, amount: 1000 }), 201)
  expectStatus(await execute(platform, plain), 200)
  const unsigned = watch.transactionWith(/from quotes/)
  const quoted = await walletQuote(paying)
  const asked = expectStatus(await executeSigned(wallet, quoted), 202)
  const given = { stamp: await stampOf(device, quoted), requestId: asked.requestId }
  expectStatus(await executeSigned(wallet, quoted, given), 200)
  const signed = watch.transactionWith(/update wallet_requests/)
  assert.ok(unsigned.length > 0)
  assert.equal(signed.length, unsigned.length, JSON.stringify({ unsigned, signed }, null, 1))
})
