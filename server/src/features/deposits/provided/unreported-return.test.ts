import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { balanceOf, payee, quote, readTransaction } from '../../../../test/kit/payments.ts'
import { depositSetup, dollars } from '../../../../test/kit/setups/deposit-provider.ts'

const kit = await startOwnKit()

/** 50,000 came in, 10,000 of them were paid out, and then this much came in with the reference of the payout. */
async function returned(cameBack: (paidOut: number) => number = (paidOut) => paidOut) {
  const setup = await depositSetup(kit, { ports: 'rails,deposits' })
  const { platform, provider, account, number, customerId, send } = setup
  const before = await outside()
  await send(dollars(50_000, { to: { accountNumber: number } }))
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
  expectStatus(await platform.api.post(`/quotes/${made.id}/execute`), 200)
  const order = await provider.orderOf(made.transactionId)
  const { amount, currency } = order['amount'] as Body
  await provider.report(order, 1, { state: 'SETTLED', amount: { amount, currency } })
  const sum = cameBack(Number(amount))
  const reference = `RETURN ${text(order['reference'])}/1`
  const parked = await send(dollars(sum, { reference, rail: 'WIRE' }))
  const deposits = items(await operate(kit, 'deposits list --all'))
  const depositId = text(
    deposits.find((one) => String(one['reference']) === reference)?.['depositId'],
  )
  const balance = () => balanceOf(platform, account)
  const line = `exceptions resolve ${text(parked['exceptionId'])} --note x`
  const ids = { transactionId: made.transactionId, depositId }
  return { ...setup, ...ids, sum, before, balance, ignore: `${line} --as IGNORED`, line }
}

const sumOf = async (accountClass: string): Promise<number> =>
  items(await operate(kit, 'ledger balances'))
    .filter((one) => text(one['accountClass']) === accountClass && text(one['currency']) === 'USD')
    .reduce((sum, one) => sum + Number(one['amount']), 0)

/** Less what came in over this rail; the rail of the payout is another. */
const outside = () => sumOf('WORLD:WIRE')

const statusOf = async (depositId: string) =>
  text((await operate(kit, `deposits show ${depositId}`))['status'])

test('PROV-84 PROV-70 a deposit that is resolved as a return leaves suspense, and is credited once', async () => {
  const { balance, platform, account, line, sum, before, ...on } = await returned()
  const { depositId, transactionId } = on
  assert.equal(await sumOf('SUSPENSE:unattributed'), sum)
  await operate(kit, `${line} --as RETURNED --amount ${sum}`)
  const payment = await readTransaction(platform, transactionId)
  assert.deepEqual([payment.status, payment.failureReason], ['FAILED', 'PAYOUT_RETURNED'])
  assert.equal(await balance(), 50_000)
  assert.equal(await statusOf(depositId), 'TAKEN')
  for (const command of [`attribute ${depositId} --to ${account}`, `return ${depositId}`]) {
    await assert.rejects(operate(kit, `deposits ${command}`), { code: 'INVALID_STATE_TRANSITION' })
  }
  assert.equal(await balance(), 50_000)
  assert.equal(await sumOf('SUSPENSE:unattributed'), 0)
  assert.equal(before - (await outside()), sum, 'it came in once, over its own rail')
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
})

test('PROV-84 PROV-66 what came back is the amount of the deposit, which may be part of the payout', async () => {
  const { balance, line, sum, depositId } = await returned((paidOut) => paidOut - 1_000)
  const left = await balance()
  await assert.rejects(operate(kit, `${line} --as RETURNED --amount ${sum + 1}`), {
    code: 'INVALID_INPUT',
  })
  assert.equal(await statusOf(depositId), 'UNATTRIBUTED')
  await operate(kit, `${line} --as RETURNED --amount ${sum}`)
  assert.equal(await balance(), left + sum)
  assert.equal(await statusOf(depositId), 'TAKEN')
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
})

test('PROV-84 PROV-70 a deposit that was attributed or sent back is no return any more', async () => {
  const attributed = await returned()
  await operate(kit, `deposits attribute ${attributed.depositId} --to ${attributed.account}`)
  const sentBack = await returned()
  await operate(kit, `deposits return ${sentBack.depositId}`)
  for (const { balance, line, ignore, sum } of [attributed, sentBack]) {
    const left = await balance()
    await assert.rejects(operate(kit, `${line} --as RETURNED --amount ${sum}`), {
      code: 'INVALID_STATE_TRANSITION',
    })
    assert.equal(await balance(), left)
    await operate(kit, ignore)
  }
})
