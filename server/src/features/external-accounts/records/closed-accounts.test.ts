/** Accounts of a deleted customer can be read and used for nothing else (CUST-69). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { advance, connect, openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { CUSTOMERS, newOwnWallet } from '../../../../test/kit/accounts/external-accounts.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import {
  balanceOf,
  customerAccount,
  execute,
  fund,
  payee,
  payer,
  platformAccount,
  quote,
  quoteBody,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { newScaCustomer } from '../../../../test/kit/sca/sca.ts'
import {
  burnBody,
  burnsOf,
  mintBody,
  mintsOf,
  newBankAccount,
  newSparkWallet,
  newStablecoin,
  postKeyed,
} from '../../../../test/kit/stablecoins.ts'
import { decide, receiveUma } from '../../../../test/kit/uma.ts'

const kit = await startKit()

const remove = async ({ api }: TestPlatform, customerId: string): Promise<void> => {
  expectStatus(await api.delete(`/customers/${customerId}`), 200)
}

/** A deleted customer with its accounts. */
async function gone(platform: TestPlatform) {
  const { customerId, account } = await payer(platform, { funded: 0 })
  const bank = await payee(platform, 'USD_ACCOUNT', { customerId })
  const wallet = await payee(platform, 'SPARK_WALLET', { customerId })
  return { customerId, account, bank, wallet, remove: () => remove(platform, customerId) }
}

describe('CUST-69 new payments', () => {
  test('CUST-69 QUOTE-2 IACC-8 CUST-64 nothing, by anyone, pays or pulls from an account of a deleted customer', async () => {
    const { platform, account: others } = await payer(await kit.platform())
    const { api } = platform
    const own = await platformAccount(platform, 'USD')
    await fund(platform, own, 10_000)
    const closed = await gone(platform)
    await closed.remove()
    const { account, bank, wallet } = closed
    for (const [from, to] of [
      [own, bank],
      [own, wallet],
      [others, bank],
      [bank, own],
      [bank, others],
      [own, account],
      [account, own],
      [bank, account],
    ] as const) {
      for (const immediatelyExecute of [false, true]) {
        const refused = await quote(platform, { from, to, amount: 100, immediatelyExecute })
        expectError(refused, 404, 'USER_NOT_FOUND')
      }
    }
    const transfer = (path: string, source: string, destination: string) =>
      api.post(path, {
        source: { accountId: source },
        destination: { accountId: destination },
        amount: 100,
      })
    for (const from of [own, others, account]) {
      expectError(await transfer('/transfer-out', from, bank), 404, 'USER_NOT_FOUND')
    }
    for (const to of [own, others, account]) {
      expectError(await transfer('/transfer-in', bank, to), 404, 'USER_NOT_FOUND')
    }
    const realtime = {
      ...quoteBody({ from: own, to: bank, amount: 100 }),
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
    }
    expectError(await api.post('/quotes', realtime), 404, 'USER_NOT_FOUND')
    const funding = await api.post(`/sandbox/internal-accounts/${account}/fund`, { amount: 1 })
    expectError(funding, 404, 'USER_NOT_FOUND')
    assert.equal(await balanceOf(platform, own), 10_000)
    assert.equal(await balanceOf(platform, others), 100_000)
  })

  test('CUST-69 a coin order with such an account is refused', async () => {
    const platform = await kit.platform()
    const { api } = platform
    const coin = await newStablecoin(api)
    const closed = await gone(platform)
    await closed.remove()
    const debit = { fundingSource: { type: 'ACH_DEBIT', externalAccountId: closed.bank } }
    for (const [path, body] of [
      [mintsOf(coin), mintBody(closed.wallet)],
      [mintsOf(coin), mintBody(await newSparkWallet(api), debit)],
      [burnsOf(coin), burnBody(closed.bank)],
    ] as const) {
      expectError(await postKeyed(api, path, body), 404, 'USER_NOT_FOUND')
    }
    const live = burnBody(await newBankAccount(api))
    expectStatus(await postKeyed(api, burnsOf(coin), live), 201)
  })
})

describe('CUST-69 payments under way', () => {
  test('CUST-69 another customer’s pending quote to such an account cannot be executed, and the money stays', async () => {
    const { platform, account: from } = await payer(await kit.platform())
    const closed = await gone(platform)
    const toBank = expectStatus(await quote(platform, { from, to: closed.bank, amount: 100 }), 201)
    const inside = { from, to: closed.account, amount: 100 }
    const toAccount = expectStatus(await quote(platform, inside), 201)
    await closed.remove()
    const details = expectError(await execute(platform, toBank), 409, 'CONFLICT')
    assert.deepEqual(details, { reason: 'DESTINATION_DELETED' })
    expectError(await execute(platform, toAccount), 404, 'USER_NOT_FOUND')
    assert.equal(await balanceOf(platform, from), 100_000)
  })

  test('CUST-69 real-time funds for a quote to such an account fail it and are refunded', async () => {
    const { platform, customerId } = await payer(await kit.platform(), { funded: 0 })
    const closed = await gone(platform)
    const body = {
      ...quoteBody({ from: '', to: closed.bank, amount: 10_000 }),
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
    }
    const quoted = expectStatus(await platform.api.post('/quotes', body), 201)
    await closed.remove()
    const sent = { quoteId: quoted.id, currencyCode: 'USD' }
    expectStatus(await platform.api.post('/sandbox/send', sent), 200)
    const ended = await readTransaction(platform, quoted.transactionId)
    assert.deepEqual([ended.status, ended.refund?.status], ['FAILED', 'COMPLETED'])
  })

  test('CUST-69 UMA-10 an incoming UMA payment is not paid out to such an account', async () => {
    const platform = await kit.platform()
    const receiver = await openReceiver()
    receiver.answerWith((_, response) => response.writeHead(202).end())
    await connect(platform, receiver)
    const { customerId } = await payer(platform, { funded: 0 })
    const more = { defaultUmaDepositAccount: true }
    const to = await payee(platform, 'USD_ACCOUNT', { customerId, more })
    const arriving = expectStatus(await receiveUma(platform, { customerId }), 200)
    assert.equal(arriving.destination?.accountId, to)
    await remove(platform, customerId)
    const decided = expectStatus(await decide(platform, arriving, 'approve'), 200)
    assert.deepEqual(
      [decided.status, decided.failureReason, decided.refund?.status],
      ['FAILED', 'OFFRAMP_FAILED', 'COMPLETED'],
    )
  })
})

describe('CUST-69 the accounts themselves', () => {
  test('CUST-69 CUST-64 such an account takes no proof, trust or deletion, emits no event, and reads as before', async () => {
    const platform = await kit.platform()
    const { api } = platform
    const { customerId } = await newScaCustomer(platform)
    const { account, path } = await newOwnWallet(api, customerId)
    expectStatus(await api.post(`${path}/challenge`, { method: 'LIVENESS' }), 201)
    await remove(platform, customerId)
    for (const [method, body] of [
      ['challenge', { method: 'WALLET_SIGNATURE' }],
      ['verify', { signature: 'x' }],
      ['trust', undefined],
      ['trust/confirm', { factor: 'SMS_OTP', code: '123456', endUserIpAddress: '203.0.113.7' }],
      ['untrust', undefined],
    ] as const) {
      expectError(await api.post(`${path}/${method}`, body), 404, 'USER_NOT_FOUND')
    }
    expectError(await api.delete(path), 404, 'USER_NOT_FOUND')
    await advance(platform, 60)
    assert.deepEqual(expectStatus(await api.get(path), 200), account, 'no check ends by itself')
    const listed = await api.get(CUSTOMERS, { query: { customerId } })
    assert.deepEqual(expectStatus(listed, 200).data, [account])
    assert.deepEqual(await listEvents(platform, 'EXTERNAL_ACCOUNT.STATUS_UPDATED'), [])
  })

  test('CUST-69 an account of another customer with the same number is not touched', async () => {
    const { platform, account: from } = await payer(await kit.platform())
    const { api } = platform
    const closed = await gone(platform)
    const { accountInfo, currency } = expectStatus(
      await api.get(`${CUSTOMERS}/${closed.bank}`),
      200,
    )
    const { customerId } = await payer(platform, { funded: 0 })
    const same = { customerId, currency, accountInfo }
    const to = expectStatus(await api.post(CUSTOMERS, same), 201).id
    await closed.remove()
    const paid = await quote(platform, { from, to, amount: 100, immediatelyExecute: true })
    const { transactionId } = expectStatus(paid, 201)
    assert.equal((await readTransaction(platform, transactionId)).status, 'COMPLETED')
    assert.ok(await customerAccount(platform, customerId, 'USD'))
  })
})
