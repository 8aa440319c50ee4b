import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  eventTypesOf,
  fund,
  payee,
  platformAccount,
  quote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { depositSetup, dollars } from '../../../../test/kit/setups/deposit-provider.ts'
import { mustParseId, newUuid } from '../../../kernel/ids.ts'
import { RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { readBalances } from '../../../ledger/balances/balance-rows.ts'

const kit = await startOwnKit()

const reversal = (depositId: string, amount: number, more: object = {}) => ({
  depositId,
  state: 'REVERSED',
  reversalId: newUuid(),
  amount: { amount, currency: 'USD' },
  reason: 'R01',
  at: '2026-11-15T09:12:00.000Z',
  ...more,
})

async function owed(platformId: string): Promise<bigint> {
  const key = { platformId: mustParseId('platform', platformId), account: RECEIVABLE_PLATFORM }
  const [row] = await readBalances(kit.florin.deps.db.read, [{ ...key, currency: 'USD' }])
  return row?.amount ?? 0n
}

const outcome = ({ result, depositStatus }: Body) => [result, depositStatus]

test('PROV-85 V3 the account pays what it can, then the platform, and the rest is owed', async () => {
  const { platform, account, number, customerId, send } = await depositSetup(kit)
  const own = await platformAccount(platform, 'USD')
  await fund(platform, own, 20_000)
  const item = dollars(150_000, { to: { accountNumber: number } })
  const id = text((await send(item))['transactionId'])
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const made = await quote(platform, { from: account, to, amount: 50_000 })
  await platform.api.post(`/quotes/${text(made.body.id)}/execute`)
  const left = await balanceOf(platform, account)
  const whole = reversal(item.depositId, 150_000)
  const results = await Promise.all(Array.from({ length: 3 }, () => send(whole)))
  assert.deepEqual(results.map(({ result }) => text(result)).toSorted(), [
    'APPLIED',
    'DUPLICATE',
    'DUPLICATE',
  ])
  assert.equal(await balanceOf(platform, account), 0)
  assert.equal(await balanceOf(platform, own), 0)
  assert.equal(await owed(platform.platformId), BigInt(left + 20_000 - 150_000))
  const failed = await readTransaction(platform, id)
  assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'COLLECTION_FAILED'])
  assert.deepEqual(await eventTypesOf(platform, id), [
    'INCOMING_PAYMENT.COMPLETED',
    'INCOMING_PAYMENT.FAILED',
  ])
  await fund(platform, own, 40_000)
  assert.equal(await balanceOf(platform, own), left + 20_000 - 150_000 + 40_000)
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
})

test('PROV-85 a part leaves the payment completed, and never more than came is taken', async () => {
  const { platform, account, number, send } = await depositSetup(kit)
  const item = dollars(1_000, { to: { accountNumber: number } })
  const id = text((await send(item))['transactionId'])
  const part = reversal(item.depositId, 400)
  assert.deepEqual(outcome(await send(part)), ['APPLIED', 'TAKEN'])
  assert.equal(await balanceOf(platform, account), 600)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  const changed = await send({ ...part, amount: { amount: 401, currency: 'USD' } })
  assert.equal(text(changed['result']), 'EXCEPTION')
  for (const amount of [
    { amount: 601, currency: 'USD' },
    { amount: 600, currency: 'EUR' },
  ]) {
    const refused = await send(reversal(item.depositId, 1, { amount }))
    assert.deepEqual([refused['result'], refused['code']], ['REJECTED', 'INVALID_INPUT'])
  }
  assert.equal(await balanceOf(platform, account), 600)
  assert.deepEqual(outcome(await send(reversal(item.depositId, 600))), ['APPLIED', 'TAKEN'])
  assert.equal(await balanceOf(platform, account), 0)
  assert.equal((await readTransaction(platform, id)).status, 'FAILED')
})

test('PROV-85 PROV-29 only a deposit that this provider reported can be reversed', async () => {
  const [one, two] = [await depositSetup(kit), await depositSetup(kit)]
  const item = dollars(100, { to: { accountNumber: one.number } })
  await one.send(item)
  for (const refused of [
    await two.send(reversal(item.depositId, 100)),
    await one.send(reversal('never-seen', 100)),
  ]) {
    assert.deepEqual([refused['result'], refused['code']], ['REJECTED', 'REFERENCE_NOT_FOUND'])
  }
  assert.equal(await balanceOf(one.platform, one.account), 100)
})

test('PROV-85 coins are taken back as they were credited', async () => {
  const { platform, account, instructions, send } = await depositSetup(kit)
  const wallet = instructions
    .map((one) => one.accountOrWalletInfo)
    .find((info) => info.accountType === 'SOLANA_WALLET')
  const item = dollars(1, {
    amount: { amount: 1_999_999, currency: 'USDC' },
    rail: 'SOLANA',
    to: { address: text(wallet?.address) },
    proofs: { onChainTransaction: { transactionHash: newUuid(), network: 'SOLANA' } },
  })
  await send(item)
  assert.equal(await balanceOf(platform, account), 199)
  const coins = (amount: number) => ({ amount: { amount, currency: 'USDC' } })
  await send(reversal(item.depositId, 1, coins(1_009_999)))
  assert.equal(await balanceOf(platform, account), 99)
  await send(reversal(item.depositId, 1, coins(990_000)))
  assert.equal(await balanceOf(platform, account), 0)
})

test('PROV-85 what is held or has no owner leaves again as a whole', async () => {
  const { platform, number, send } = await depositSetup(kit)
  const held = dollars(500, { to: { accountNumber: number }, review: true })
  const id = text((await send(held))['transactionId'])
  const parked = dollars(300)
  await send(parked)
  const part = await send(reversal(parked.depositId, 100))
  assert.equal(text(part['result']), 'EXCEPTION', 'an operator decides on a part')
  assert.deepEqual(outcome(await send(reversal(held.depositId, 500))), ['APPLIED', 'RETURNED'])
  assert.deepEqual(outcome(await send(reversal(parked.depositId, 300))), ['APPLIED', 'RETURNED'])
  const failed = await readTransaction(platform, id)
  assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'COLLECTION_FAILED'])
  const again = await send(reversal(held.depositId, 500))
  assert.deepEqual([again['result'], again['code']], ['REJECTED', 'INVALID_INPUT'])
})

test('PROV-85 what executed a quote is paid by its platform, and an operator looks at it', async () => {
  const { platform, account, send } = await depositSetup(kit)
  const own = await platformAccount(platform, 'USD')
  await fund(platform, own, 15_000)
  const made = await platform.api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
    destination: { destinationType: 'ACCOUNT', accountId: account },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 20_000,
  })
  const [instruction] = items(expectStatus(made, 201).paymentInstructions)
  const reference = text(instruction?.accountOrWalletInfo.reference)
  const item = dollars(20_000, { rail: 'RTP', reference })
  assert.deepEqual(outcome(await send(item)), ['APPLIED', 'TAKEN'])
  const [credited, platforms] = [await balanceOf(platform, account), await balanceOf(platform, own)]
  assert.deepEqual(outcome(await send(reversal(item.depositId, 20_000))), ['APPLIED', 'TAKEN'])
  assert.equal(await balanceOf(platform, account), credited)
  assert.equal(await balanceOf(platform, own), 0)
  assert.equal(await owed(platform.platformId), BigInt(platforms - 20_000))
  const listed = items(await operate(kit, 'exceptions list'))
  assert.ok(listed.some((one) => text(one['type']) === 'PULL_RETURNED'))
})

test('PROV-85 a collection that comes back is taken from the account it was credited to', async () => {
  const { platform, provider, account, customerId } = await depositSetup(kit, { ports: 'rails' })
  const from = await payee(platform, 'USD_ACCOUNT', { customerId })
  const started = await platform.api.post('/transfer-in', {
    source: { accountId: from },
    destination: { accountId: account },
    amount: 5_000,
  })
  const id = expectStatus(started, 201).id
  const order = await provider.orderOf(id)
  const amount = { amount: 5_000, currency: 'USD' }
  await provider.report(order, 1, { state: 'SETTLED', amount })
  assert.equal(await balanceOf(platform, account), 5_000)
  const part = { amount: 2_000, currency: 'USD' }
  await provider.report(order, 2, { state: 'RETURNED', amount: part, returnId: 'r1' })
  assert.equal(await balanceOf(platform, account), 3_000)
  assert.equal((await readTransaction(platform, id)).status, 'COMPLETED')
  const rest = { amount: 3_000, currency: 'USD' }
  await provider.report(order, 3, { state: 'RETURNED', amount: rest, returnId: 'r2' })
  assert.equal(await balanceOf(platform, account), 0)
  const failed = await readTransaction(platform, id)
  assert.deepEqual([failed.status, failed.failureReason], ['FAILED', 'COLLECTION_FAILED'])
})
