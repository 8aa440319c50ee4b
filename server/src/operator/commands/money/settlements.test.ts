import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVAL, newAgentSetup, pull, send } from '../../../../test/kit/setups/agent-setups.ts'
import { expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  payee,
  platformAccount,
  quote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { openProductionAccount, productionBank } from '../../../../test/kit/setups/production.ts'
import { setAccountStatus } from '../../../features/external-accounts/index.ts'
import { provisionAccount } from '../../../features/internal-accounts/index.ts'
import { deposit } from '../../../features/transactions/index.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const { florin } = kit
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const account = await openAccount(platform)

/** A production account as a bank would open it, with money on it. */
async function openAccount(owner: TestPlatform): Promise<string> {
  const id = await platformAccount(owner, 'USD')
  const accountId = mustParseId('internalAccount', id)
  await asOperator(kit, owner, (work) =>
    provisionAccount(work, accountId, [
      { accountType: 'SOLANA_WALLET', assetType: 'USDC', address: `wallet-${newUuid()}` },
    ]),
  )
  const found = await findPlatform(florin.deps.db.read, mustParseId('platform', owner.platformId))
  assert.ok(found)
  const requestId = newUuid()
  await florin.lane.submit(
    { kind: deposit, input: { accountId, amount: 100_000n } },
    {
      platform: found,
      actor: { kind: 'system', name: 'test' },
      now: florin.deps.clock.now(),
      requestId,
      action: 'test',
    },
  )
  return id
}

let lastNumber = 0

/** A bank account that screening has passed. */
async function bank(owner: TestPlatform): Promise<string> {
  lastNumber += 1
  const body = {
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: `10000${lastNumber}`,
      routingNumber: '021000021',
      beneficiary: {
        beneficiaryType: 'INDIVIDUAL',
        fullName: 'Jane Doe',
        address: { line1: '1 Main St', city: 'Boston', postalCode: '02110', country: 'US' },
      },
    },
  }
  const created = await owner.api.post('/platform/external-accounts', body)
  const id = expectStatus(created, 201).id
  await asOperator(kit, owner, (work) =>
    setAccountStatus(work, { id: mustParseId('externalAccount', id), status: 'ACTIVE' }),
  )
  return id
}

async function pay(ends: { from: string; to: string }): Promise<string> {
  const answer = await quote(platform, { ...ends, amount: 1000, immediatelyExecute: true })
  const quoted = expectStatus(answer, 201)
  assert.equal(quoted.status, 'PROCESSING')
  return quoted.transactionId
}

const listed = async (id: string) =>
  items(await operate(kit, 'settlements list')).find(
    ({ transactionId }) => text(transactionId) === id,
  )

test('CORE-83 a payout of production waits until the operator has made it', async () => {
  const id = await pay({ from: account, to: await bank(platform) })
  const open = await listed(id)
  assert.deepEqual(
    [open?.['status'], open?.['amount'], open?.['currency'], open?.['paymentRail']],
    ['PROCESSING', 1000, 'USD', 'ACH'],
  )
  assert.equal((await operate(kit, `settlements confirm ${id}`))['status'], 'COMPLETED')
  assert.equal(await listed(id), undefined)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  await assert.rejects(operate(kit, `settlements confirm ${id}`), { code: 'CONFLICT' })
})

test('CORE-83 one that fails is refunded, one that comes back later too', async () => {
  const before = await balanceOf(platform, account)
  const failed = await pay({ from: account, to: await bank(platform) })
  const shown = await operate(kit, `settlements fail ${failed} --reason ACCOUNT_INVALID`)
  assert.deepEqual(
    [shown['status'], shown['failureReason'], shown['refundStatus']],
    ['FAILED', 'ACCOUNT_INVALID', 'COMPLETED'],
  )
  const returned = await pay({ from: account, to: await bank(platform) })
  await operate(kit, `settlements confirm ${returned}`)
  const back = await operate(kit, `settlements fail ${returned}`)
  assert.equal(back['failureReason'], 'PAYOUT_RETURNED')
  assert.equal(await balanceOf(platform, account), before)
  await assert.rejects(operate(kit, `settlements fail ${returned}`), { code: 'CONFLICT' })
  await assert.rejects(operate(kit, `settlements fail ${failed} --reason BORED`), UsageError)
})

test('CORE-83 QUOTE-3 a pull is confirmed leg by leg; its refund is the operator’s to send', async () => {
  const before = await balanceOf(platform, account)
  const inside = await pay({ from: await bank(platform), to: account })
  assert.equal((await operate(kit, `settlements confirm ${inside}`))['status'], 'COMPLETED')
  assert.equal(await balanceOf(platform, account), before + 1000)

  const through = await pay({ from: await bank(platform), to: await bank(platform) })
  assert.equal((await operate(kit, `settlements confirm ${through}`))['status'], 'PROCESSING')
  const failed = await operate(kit, `settlements fail ${through}`)
  assert.deepEqual([failed['status'], failed['refundStatus']], ['FAILED', 'PENDING'])
  assert.equal((await listed(through))?.['refundStatus'], 'PENDING')
  const done = await operate(kit, `settlements confirm ${through}`)
  assert.equal(done['refundStatus'], 'COMPLETED')
  assert.deepEqual((await eventTypesOf(platform, through)).slice(-3), [
    'OUTGOING_PAYMENT.FAILED',
    'OUTGOING_PAYMENT.REFUND_PENDING',
    'OUTGOING_PAYMENT.REFUND_COMPLETED',
  ])
})

test('CORE-83 CORE-44 a leg that is named is settled only if it is the next', async () => {
  const id = await pay({ from: await bank(platform), to: await bank(platform) })
  for (const verb of ['confirm', 'fail']) {
    await assert.rejects(operate(kit, `settlements ${verb} ${id} --leg PAYOUT`), {
      code: 'CONFLICT',
      details: { status: 'PROCESSING', waitsFor: 'PULL' },
    })
    await assert.rejects(operate(kit, `settlements ${verb} ${id} --leg LUNCH`), UsageError)
  }
  await operate(kit, `settlements confirm ${id} --leg PULL`)
  await assert.rejects(operate(kit, `settlements confirm ${id} --leg PULL`), { code: 'CONFLICT' })
  await operate(kit, `settlements confirm ${id} --leg PAYOUT`)
  await assert.rejects(operate(kit, `settlements fail ${id} --leg PAYOUT`), { code: 'CONFLICT' })
  const back = await operate(kit, `settlements fail ${id} --leg RETURN`)
  assert.equal(back['failureReason'], 'PAYOUT_RETURNED')
  await assert.rejects(operate(kit, `settlements fail ${id} --leg RETURN`), { code: 'CONFLICT' })
  const done = await operate(kit, `settlements confirm ${id} --leg REFUND`)
  assert.equal(done['refundStatus'], 'COMPLETED')
})

test('CORE-83 transfers wait for the operator as well', async () => {
  const before = await balanceOf(platform, account)
  const out = await platform.api.post('/transfer-out', {
    source: { accountId: account },
    destination: { accountId: await bank(platform) },
    amount: 500,
  })
  const sent = expectStatus(out, 201).id
  assert.equal((await operate(kit, `settlements confirm ${sent}`))['status'], 'COMPLETED')
  const into = async (): Promise<string> => {
    const answer = await platform.api.post('/transfer-in', {
      source: { accountId: await bank(platform) },
      destination: { accountId: account },
      amount: 700,
    })
    return expectStatus(answer, 201).id
  }
  const [good, bad] = [await into(), await into()]
  assert.equal((await listed(good))?.['type'], 'INCOMING')
  assert.equal((await operate(kit, `settlements confirm ${good}`))['status'], 'COMPLETED')
  const failed = await operate(kit, `settlements fail ${bad}`)
  assert.deepEqual([failed['status'], failed['failureReason']], ['FAILED', 'COLLECTION_FAILED'])
  assert.equal(await balanceOf(platform, account), before + 200)
})

/** Two payments into one customer's account, pulled from its bank: a transfer-in, and a quote that pulls. */
async function pullInto(owner: TestPlatform) {
  const customerId = (await createCustomer(owner)).id
  const opened = await customerAccount(owner, customerId, 'USD')
  const to = await openProductionAccount(kit, owner, { id: opened, funded: 0n })
  const from = await payee(owner, 'USD_ACCOUNT', { customerId })
  await operate(kit, `external-accounts set-status ${from} ACTIVE`)
  const transfer = { source: { accountId: from }, destination: { accountId: to }, amount: 700 }
  const moved = expectStatus(await owner.api.post('/transfer-in', transfer), 201)
  const quoted = await quote(owner, { from, to, amount: 700, immediatelyExecute: true })
  const ids = [moved.id, expectStatus(quoted, 201).transactionId]
  return { customerId, account: to, ids }
}

test('CUST-62 a pull that has not ended keeps its customer from being deleted', async () => {
  const { customerId, ids } = await pullInto(platform)
  const refused = await platform.api.delete(`/customers/${customerId}`)
  const details = expectError(refused, 409, 'CONFLICT')
  assert.equal(details['reason'], 'PAYMENT_UNDER_WAY')
  assert.deepEqual(details['transactionIds'], ids)
  for (const id of ids) {
    const failed = await operate(kit, `settlements fail ${id}`)
    assert.deepEqual([failed['status'], failed['refundStatus']], ['FAILED', undefined])
  }
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
})

test('CUST-62 IACC-8 nothing is collected into the account of a customer who is gone', async () => {
  const customerId = (await createCustomer(platform)).id
  const opened = await customerAccount(platform, customerId, 'USD')
  const closed = await openProductionAccount(kit, platform, { id: opened, funded: 0n })
  const from = await productionBank(kit, platform)
  const quoted = await quote(platform, { from, to: closed, amount: 700, immediatelyExecute: true })
  const id = expectStatus(quoted, 201).transactionId
  expectStatus(await platform.api.delete(`/customers/${customerId}`), 200)
  await assert.rejects(operate(kit, `settlements confirm ${id}`), {
    code: 'CONFLICT',
    details: { accountId: closed, accountStatus: 'CLOSED' },
  })
  assert.ok(await listed(id), 'it waits until the operator says that it failed')
  const failed = await operate(kit, `settlements fail ${id}`)
  assert.deepEqual([failed['status'], failed['refundStatus']], ['FAILED', undefined])
})

test('CORE-83 a frozen account takes what was under way', async () => {
  const { account: frozen, ids } = await pullInto(platform)
  await operate(kit, `accounts freeze ${frozen}`)
  for (const id of ids) await operate(kit, `settlements confirm ${id}`)
  assert.equal(await balanceOf(platform, frozen), 1_400)
})

test('CORE-83 what is not there or not begun cannot be settled', async () => {
  const unknown = `Transaction:${newUuid()}`
  await assert.rejects(operate(kit, `settlements confirm ${unknown}`), {
    code: 'TRANSACTION_NOT_FOUND',
  })
  await assert.rejects(operate(kit, 'refunds retry x'), { code: 'TRANSACTION_NOT_FOUND' })
  const asked = { from: account, to: await bank(platform), amount: 100 }
  const quoted = expectStatus(await quote(platform, asked), 201)
  const id = quoted.transactionId
  assert.equal(await listed(id), undefined)
  await assert.rejects(operate(kit, `settlements confirm ${id}`), { code: 'CONFLICT' })
  await assert.rejects(operate(kit, `settlements fail ${id}`), { code: 'CONFLICT' })
})

/** What the operator paid an invoice by. */
const PAID = `--hash ${'0f'.repeat(32)}`

/** A Lightning invoice that anybody may pay, on the platform's books as an account. */
async function invoiceAccount(owner: TestPlatform): Promise<string> {
  const sandbox = await kit.platform({ currencies: ['BTC'] })
  const own = await sandbox.api.get('/platform/internal-accounts', { query: { currency: 'BTC' } })
  const [held] = expectStatus(own, 200).data
  const invoice = items(held?.fundingPaymentInstructions)
    .map(({ accountOrWalletInfo: info }) => info)
    .find((info) => info.accountType === 'LIGHTNING')?.invoice
  const accountInfo = { accountType: 'LIGHTNING', invoice: text(invoice) }
  const created = await owner.api.post('/platform/external-accounts', {
    currency: 'BTC',
    accountInfo,
  })
  return expectStatus(created, 201).id
}

async function begin(owner: TestPlatform, ends: { from: string; to: string }): Promise<string> {
  const answer = await quote(owner, { ...ends, amount: 1000, immediatelyExecute: true })
  return expectStatus(answer, 201).transactionId
}

test('EACC-18 an invoice that the operator has paid is spent, and is paid once', async () => {
  const owner = await kit.platform({ environment: 'PRODUCTION', currencies: ['BTC'] })
  const id = await platformAccount(owner, 'BTC')
  const from = await openProductionAccount(kit, owner, { id, funded: 100_000n })
  await operate(kit, 'network-fees set --network LIGHTNING --fee 0')
  const to = await invoiceAccount(owner)
  const [first, second] = [await begin(owner, { from, to }), await begin(owner, { from, to })]
  assert.equal((await operate(kit, `settlements confirm ${first} ${PAID}`))['status'], 'COMPLETED')
  const spent = await owner.api.get(`/platform/external-accounts/${to}`)
  assert.equal(expectStatus(spent, 200).status, 'INACTIVE')
  assert.deepEqual(await eventTypesOf(owner, to), ['EXTERNAL_ACCOUNT.STATUS_UPDATED'])
  await assert.rejects(operate(kit, `settlements confirm ${second} ${PAID}`), {
    code: 'CONFLICT',
    details: { reason: 'INVOICE_SPENT' },
  })
  assert.equal((await readTransaction(owner, second)).status, 'PROCESSING')
  await operate(kit, `settlements fail ${second} --reason LIGHTNING_PAYMENT_FAILED`)
  assert.equal(await balanceOf(owner, from), 99_000)
})

test('EACC-14 EACC-18 an invoice whose account is deleted under way is paid once all the same', async () => {
  const owner = await kit.platform({ environment: 'PRODUCTION', currencies: ['BTC'] })
  const id = await platformAccount(owner, 'BTC')
  const from = await openProductionAccount(kit, owner, { id, funded: 100_000n })
  await operate(kit, 'network-fees set --network LIGHTNING --fee 0')
  const to = await invoiceAccount(owner)
  const [first, second] = [await begin(owner, { from, to }), await begin(owner, { from, to })]
  expectStatus(await owner.api.delete(`/platform/external-accounts/${to}`), 204)
  assert.equal((await operate(kit, `settlements confirm ${first} ${PAID}`))['status'], 'COMPLETED')
  await assert.rejects(operate(kit, `settlements confirm ${second} ${PAID}`), {
    code: 'CONFLICT',
    details: { reason: 'INVOICE_SPENT' },
  })
  await operate(kit, `settlements fail ${second} --reason LIGHTNING_PAYMENT_FAILED`)
  assert.equal(await balanceOf(owner, from), 99_000)
  assert.deepEqual(await eventTypesOf(owner, to), [], 'nobody hears of an account that is gone')
})

test('TXN-1 a transfer-out that the operator could not make passes through PROCESSING as well', async () => {
  const out = await platform.api.post('/transfer-out', {
    source: { accountId: account },
    destination: { accountId: await bank(platform) },
    amount: 500,
  })
  const id = expectStatus(out, 201).id
  await operate(kit, `settlements fail ${id}`)
  assert.deepEqual(await eventTypesOf(platform, id), [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.FAILED',
    'OUTGOING_PAYMENT.REFUND_PENDING',
    'OUTGOING_PAYMENT.REFUND_COMPLETED',
  ])
})

test('ACT-20 a transfer that waits for the platform’s approval is not the operator’s to settle', async () => {
  const setup = await newAgentSetup(kit, APPROVAL)
  const before = await balanceOf(setup.platform, setup.account)
  for (const asked of [await pull(setup), await send(setup)]) {
    const id = expectStatus(asked, 201).transactionId
    const refused = { code: 'CONFLICT', details: { reason: 'PENDING_APPROVAL' } }
    await assert.rejects(operate(kit, `settlements confirm ${id}`), refused)
    await assert.rejects(operate(kit, `settlements fail ${id}`), refused)
    assert.equal((await readTransaction(setup.platform, id)).status, 'PENDING')
  }
  assert.equal(await balanceOf(setup.platform, setup.account), before)
})

test('QUOTE-3 XFER-5 in production only ACH pulls', async () => {
  const other = await kit.platform({ environment: 'PRODUCTION', currencies: ['EUR', 'MXN'] })
  for (const accountType of ['EUR_ACCOUNT', 'MXN_ACCOUNT']) {
    const { currency, accountInfo } = externalAccountBody(accountType)
    const body = { currency, accountInfo }
    const created = await other.api.post('/platform/external-accounts', body)
    const from = expectStatus(created, 201).id
    await asOperator(kit, other, (work) =>
      setAccountStatus(work, { id: mustParseId('externalAccount', from), status: 'ACTIVE' }),
    )
    const id = await platformAccount(other, currency)
    const to = await openProductionAccount(kit, other, { id, funded: 0n })
    const transfer = { source: { accountId: from }, destination: { accountId: to }, amount: 100 }
    for (const answer of [
      await quote(other, { from, to, amount: 100 }),
      await other.api.post('/transfer-in', transfer),
    ]) {
      const details = expectError(answer, 400, 'INVALID_BANK_ACCOUNT')
      assert.equal(details['reason'], 'NOT_PULLABLE')
    }
  }
})
