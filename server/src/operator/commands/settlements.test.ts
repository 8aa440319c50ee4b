import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text, type Body } from '../../../test/kit/api.ts'
import { asOperator } from '../../../test/kit/external-accounts.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  payee,
  platformAccount,
  quote,
  readTransaction,
} from '../../../test/kit/payments.ts'
import { setAccountStatus } from '../../features/external-accounts/index.ts'
import { provisionAccount } from '../../features/internal-accounts/index.ts'
import { deposit } from '../../features/transactions/index.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { command } from '../../ledger/lane.ts'
import { UsageError } from '../command.ts'

const kit = await startKit()
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
  await florin.lane.submit(command(deposit, { accountId, amount: 100_000n }), {
    platform: found,
    actor: { kind: 'system', name: 'test' },
    now: florin.deps.clock.now(),
    requestId,
    action: 'test',
  })
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
  const id = text(expectStatus(created, 201)['id'])
  await asOperator(kit, owner, (work) =>
    setAccountStatus(work, { id: mustParseId('externalAccount', id), status: 'ACTIVE' }),
  )
  return id
}

async function pay(ends: { from: string; to: string }): Promise<string> {
  const answer = await quote(platform, { ...ends, amount: 1000, immediatelyExecute: true })
  const quoted = expectStatus(answer, 201)
  assert.equal(quoted['status'], 'PROCESSING')
  return text(quoted['transactionId'])
}

const listed = async (id: string): Promise<Body | undefined> =>
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
  assert.equal((await readTransaction(platform, id))['status'], 'COMPLETED')
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

test('CORE-83 transfers wait for the operator as well', async () => {
  const before = await balanceOf(platform, account)
  const out = await platform.api.post('/transfer-out', {
    source: { accountId: account },
    destination: { accountId: await bank(platform) },
    amount: 500,
  })
  const sent = text(expectStatus(out, 201)['id'])
  assert.equal((await operate(kit, `settlements confirm ${sent}`))['status'], 'COMPLETED')
  const into = async (): Promise<string> => {
    const answer = await platform.api.post('/transfer-in', {
      source: { accountId: await bank(platform) },
      destination: { accountId: account },
      amount: 700,
    })
    return text(expectStatus(answer, 201)['id'])
  }
  const [good, bad] = [await into(), await into()]
  assert.equal((await listed(good))?.['type'], 'INCOMING')
  assert.equal((await operate(kit, `settlements confirm ${good}`))['status'], 'COMPLETED')
  const failed = await operate(kit, `settlements fail ${bad}`)
  assert.deepEqual([failed['status'], failed['failureReason']], ['FAILED', 'COLLECTION_FAILED'])
  assert.equal(await balanceOf(platform, account), before + 200)
})

test('CORE-83 what is not there or not begun cannot be settled', async () => {
  const unknown = `Transaction:${newUuid()}`
  await assert.rejects(operate(kit, `settlements confirm ${unknown}`), {
    code: 'TRANSACTION_NOT_FOUND',
  })
  await assert.rejects(operate(kit, 'refunds retry x'), { code: 'TRANSACTION_NOT_FOUND' })
  const asked = { from: account, to: await bank(platform), amount: 100 }
  const quoted = expectStatus(await quote(platform, asked), 201)
  const id = text(quoted['transactionId'])
  assert.equal(await listed(id), undefined)
  await assert.rejects(operate(kit, `settlements confirm ${id}`), { code: 'CONFLICT' })
  await assert.rejects(operate(kit, `settlements fail ${id}`), { code: 'CONFLICT' })
})

test('QUOTE-3 in production only ACH pulls', async () => {
  const other = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'EUR'] })
  const sandbox = await kit.platform()
  const from = await payee(sandbox, 'EUR_ACCOUNT')
  const to = await platformAccount(other, 'EUR')
  expectError(await quote(other, { from, to, amount: 100 }), 404, 'REFERENCE_NOT_FOUND')
})
