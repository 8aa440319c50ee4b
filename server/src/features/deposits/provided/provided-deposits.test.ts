import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { scriptedProvider } from '../../../../test/kit/outside/scripted-provider.ts'
import {
  balanceOf,
  eventTypesOf,
  payee,
  quote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import {
  depositSetup,
  dollars,
  newDepositId,
} from '../../../../test/kit/setups/deposit-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'

const kit = await startOwnKit()

const exceptionsOf = async (type: string): Promise<number> => {
  const { count } = await kit.florin.deps.db.read.one<{ count: number }>(
    sql`select count(*)::int as count from exceptions where type = ${type}`,
  )
  return count
}

test('PROV-80 PROV-82 a deposit is credited once under its id, whatever is sent again', async () => {
  const { platform, account, number, send } = await depositSetup(kit)
  const item = dollars(150_000, {
    to: { accountNumber: number },
    sender: { name: 'Jane Doe' },
    reference: 'Invoice 77',
    proofs: { trace: '021000021234567' },
  })
  const [first, ...others] = await Promise.all(Array.from({ length: 4 }, () => send(item)))
  const results = [first, ...others].map((one) => text(one?.['result']))
  assert.deepEqual(results.toSorted(), ['APPLIED', 'DUPLICATE', 'DUPLICATE', 'DUPLICATE'])
  const applied = [first, ...others].find((one) => text(one?.['result']) === 'APPLIED')
  assert.equal(text(applied?.['depositStatus']), 'TAKEN')
  assert.equal(await balanceOf(platform, account), 150_000)
  const id = text(applied?.['transactionId'])
  const { source, ...shown } = await readTransaction(platform, id)
  assert.equal(shown.status, 'COMPLETED')
  assert.deepEqual(
    [source?.paymentRail, source?.traceNumber, source?.accountHolderName],
    ['ACH', '021000021234567', 'Jane Doe'],
  )
  assert.deepEqual(await eventTypesOf(platform, id), ['INCOMING_PAYMENT.COMPLETED'])
  assert.equal(text((await send(item))['result']), 'DUPLICATE')
  const listed = await operate(kit, `deposits show ${id}`)
  assert.equal(text(listed['providerDepositId']), item.depositId)
})

test('PROV-80 another content under the same id moves no money and opens one exception', async () => {
  const { platform, account, number, send } = await depositSetup(kit)
  const item = dollars(150_000, { to: { accountNumber: number } })
  await send(item)
  const changed = { ...item, amount: { amount: 150_001, currency: 'USD' } }
  const before = await exceptionsOf('DEPOSIT_CHANGED')
  const refused = await send(changed)
  assert.equal(text(refused['result']), 'EXCEPTION')
  assert.equal(text((await send(changed))['exceptionId']), text(refused['exceptionId']))
  assert.equal(await exceptionsOf('DEPOSIT_CHANGED'), before + 1)
  const line = `exceptions resolve ${text(refused['exceptionId'])} --as IGNORED --note`
  assert.equal((await operate(kit, line, 'asked the bank'))['status'], 'RESOLVED')
  assert.equal(await balanceOf(platform, account), 150_000)
})

test('PROV-80 the same id of another provider is another deposit', async () => {
  const [one, two] = [await depositSetup(kit), await depositSetup(kit)]
  const depositId = newDepositId()
  for (const { send, number, platform, account } of [one, two]) {
    const sent = await send(dollars(70, { depositId, to: { accountNumber: number } }))
    assert.equal(text(sent['depositStatus']), 'TAKEN')
    assert.equal(await balanceOf(platform, account), 70)
  }
})

test('PROV-81 a pending deposit is recorded without money until it is received', async () => {
  const { platform, account, number, send } = await depositSetup(kit)
  const pending = dollars(900, { state: 'PENDING', to: { accountNumber: number } })
  const seen = await send(pending)
  assert.deepEqual([seen['result'], seen['depositStatus']], ['APPLIED', 'PENDING'])
  assert.equal(text((await send(pending))['result']), 'DUPLICATE')
  assert.equal(await balanceOf(platform, account), 0)
  const shown = items(await operate(kit, 'deposits list --all')).find(
    (one) => text(one['providerDepositId']) === pending.depositId,
  )
  assert.equal(text(shown?.['status']), 'PENDING')
  const other = { ...pending, state: 'RECEIVED', amount: { amount: 901, currency: 'USD' } }
  assert.equal(text((await send(other))['result']), 'EXCEPTION')
  const received = { ...pending, state: 'RECEIVED', at: '2026-11-15T09:13:00.000Z' }
  const taken = await send(received)
  assert.deepEqual([taken['result'], taken['depositStatus']], ['APPLIED', 'TAKEN'])
  assert.equal(await balanceOf(platform, account), 900)
  assert.equal(text((await send(received))['result']), 'DUPLICATE')
  assert.equal(text((await send(pending))['result']), 'DUPLICATE', 'a late word changes nothing')
  assert.equal(await balanceOf(platform, account), 900)
})

test('PROV-81 the owner is found by number, then by reference, on platforms of the provider only', async () => {
  const { platform, account, number, reference, send } = await depositSetup(kit)
  const stranger = await depositSetup(kit)
  const byText = await send(dollars(10, { reference: `rent ${reference.toLowerCase()}` }))
  assert.equal(text(byText['depositStatus']), 'TAKEN')
  const both = { to: { accountNumber: number }, reference: stranger.reference }
  assert.equal(text((await send(dollars(10, both)))['depositStatus']), 'TAKEN')
  assert.equal(await balanceOf(platform, account), 20)
  for (const more of [
    { to: { accountNumber: stranger.number } },
    { reference: stranger.reference },
    { to: { iban: number } },
    {},
  ]) {
    const parked = await send(dollars(10, more))
    assert.deepEqual([parked['depositStatus'], parked['reason']], ['UNATTRIBUTED', 'OWNER_UNKNOWN'])
  }
  assert.equal(await balanceOf(stranger.platform, stranger.account), 0)
  const two = await send(dollars(10, { to: { iban: 'x', accountNumber: number } }))
  assert.deepEqual([two['result'], two['code']], ['REJECTED', 'INVALID_INPUT'])
})

test('PROV-27 PROV-81 an unknown member beside the number is ignored', async () => {
  const { number, send } = await depositSetup(kit)
  const sent = await send(dollars(10, { to: { accountNumber: number, bankName: 'Lead Bank' } }))
  assert.equal(text(sent['depositStatus']), 'TAKEN')
})

test('PROV-82 a deposit that cannot be credited waits and says why', async () => {
  const { platform, account, number, send } = await depositSetup(kit)
  const to = { accountNumber: number }
  const euros = { amount: { amount: 100, currency: 'EUR' }, rail: 'SEPA', to }
  const mismatch = await send(dollars(100, euros))
  assert.deepEqual(
    [mismatch['depositStatus'], mismatch['reason']],
    ['UNATTRIBUTED', 'CURRENCY_MISMATCH'],
  )
  const held = await send(dollars(100, { to, review: true }))
  assert.equal(text(held['depositStatus']), 'HELD')
  const pending = await readTransaction(platform, text(held['transactionId']))
  assert.equal(pending.status, 'PENDING')
  await operate(kit, `accounts freeze ${account}`)
  const frozen = await send(dollars(100, { to }))
  assert.deepEqual(
    [frozen['depositStatus'], frozen['reason']],
    ['UNATTRIBUTED', 'ACCOUNT_NOT_ACTIVE'],
  )
  assert.equal(await balanceOf(platform, account), 0)
})

test('PROV-28 PROV-82 of a batch each deposit has its own fate', async () => {
  const { provider, platform, account, number } = await depositSetup(kit)
  const to = { accountNumber: number }
  const answer = await provider.post('deposits', {
    deposits: [
      dollars(5, { to }),
      dollars(5, { to, rail: 'SOLANA' }),
      dollars(5, { to, amount: { amount: 5, currency: 'XXX' } }),
      dollars(0, { to }),
      dollars(6, { to }),
    ],
  })
  assert.deepEqual(
    items(answer['results']).map(({ result, code }) => [result, code]),
    [
      ['APPLIED', undefined],
      ['REJECTED', 'INVALID_INPUT'],
      ['REJECTED', 'INVALID_INPUT'],
      ['REJECTED', 'INVALID_INPUT'],
      ['APPLIED', undefined],
    ],
  )
  assert.equal(await balanceOf(platform, account), 11)
})

test('PROV-87 a transaction of a chain is taken once over all providers, and must be named', async () => {
  const { platform, account, instructions, send } = await depositSetup(kit)
  const wallet = instructions
    .map((one) => one.accountOrWalletInfo)
    .find((info) => info.accountType === 'SOLANA_WALLET')
  const to = { address: text(wallet?.address) }
  const coins = { amount: { amount: 2_000_000, currency: 'USDC' }, rail: 'SOLANA', to }
  const unnamed = await send(dollars(1, coins))
  assert.deepEqual([unnamed['result'], unnamed['code']], ['REJECTED', 'INVALID_INPUT'])
  const transactionHash = newUuid()
  const proofs = { onChainTransaction: { transactionHash, network: 'SOLANA' } }
  const taken = await send(dollars(1, { ...coins, proofs }))
  assert.equal(text(taken['depositStatus']), 'TAKEN')
  const second = await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports deposits --currency EUR`,
  )
  const again = await second.post('deposits', { deposits: [dollars(1, { ...coins, proofs })] })
  assert.equal(text(items(again['results'])[0]?.['result']), 'DUPLICATE')
  await assert.rejects(
    operate(
      kit,
      `deposits receive --environment SANDBOX --amount 2000000 --currency USDC --rail SOLANA --trace ${transactionHash} --to ${to.address}`,
    ),
    { code: 'CONFLICT' },
  )
  assert.equal(await balanceOf(platform, account), 200)
  const shown = expectStatus(
    await platform.api.get(`/transactions/${text(taken['transactionId'])}`),
    200,
  )
  assert.equal(text(shown.source?.onChainTransaction?.transactionHash), transactionHash)
})

test('PROV-84 a deposit that carries the reference of a settled payout waits as its return', async () => {
  const { platform, provider, account, number, customerId, send } = await depositSetup(kit, {
    ports: 'rails,deposits',
  })
  await send(dollars(50_000, { to: { accountNumber: number } }))
  const to = await payee(platform, 'USD_ACCOUNT', { customerId })
  const made = expectStatus(await quote(platform, { from: account, to, amount: 10_000 }), 201)
  expectStatus(await platform.api.post(`/quotes/${made.id}/execute`), 200)
  const order = await provider.orderOf(made.transactionId)
  const back = () =>
    send(
      dollars(9_000, {
        to: { accountNumber: number },
        reference: `RETURN ${text(order['reference'])}/1`,
      }),
    )
  assert.equal(text((await back())['depositStatus']), 'TAKEN', 'it is not settled yet')
  const { amount, currency } = order['amount'] as Body
  await provider.report(order, 1, { state: 'SETTLED', amount: { amount, currency } })
  const before = await balanceOf(platform, account)
  const parked = await back()
  assert.deepEqual(
    [parked['result'], parked['depositStatus'], parked['reason']],
    ['APPLIED', 'UNATTRIBUTED', 'OWNER_UNKNOWN'],
  )
  assert.equal(await balanceOf(platform, account), before)
  const shown = await operate(kit, `exceptions show ${text(parked['exceptionId'])}`)
  assert.deepEqual(
    [shown['type'], shown['orderId'], shown['platformId']],
    ['UNREPORTED_RETURN', order['id'], platform.platformId],
  )
})
