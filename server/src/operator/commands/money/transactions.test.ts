import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { newCard, MERCHANT, USD } from '../../../../test/kit/cards.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  eventTypesOf,
  payee,
  payer,
  quote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const acme = await kit.platform({ name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })

const show = (id: string) => operate(kit, `transactions show ${id}`)
const list = async (options = '') =>
  items(await operate(kit, `transactions list${options && ` ${options}`}`))
const idsOf = (rows: readonly Body[]): string[] => rows.map(({ id }) => text(id))

async function paid(on = acme, suffix = '000') {
  const from = await payer(on)
  const to = await payee(on, 'EUR_ACCOUNT', { suffix, customerId: from.customerId })
  const asked = { from: from.account, to, amount: 12_345, immediatelyExecute: true }
  const { transactionId } = expectStatus(await quote(on, asked), 201)
  return { ...from, to, id: transactionId }
}

test('CORE-83 transactions list goes through all platforms, newest first, page by page', async () => {
  const first = await paid(acme)
  const second = await paid(north)
  const third = await paid(acme)
  const outgoing = idsOf(await list('--type OUTGOING'))
  assert.deepEqual(outgoing, [third.id, second.id, first.id])
  assert.deepEqual(idsOf(await list('--type OUTGOING --limit 1')), [third.id])
  assert.deepEqual(idsOf(await list(`--type OUTGOING --before ${third.id} --limit 1`)), [second.id])
  assert.deepEqual(idsOf(await list(`--type OUTGOING --platform ${acme.platformId}`)), [
    third.id,
    first.id,
  ])
  const [own] = await list(`--customer ${second.customerId} --type OUTGOING`)
  assert.equal(own?.['platformId'], north.platformId)
  assert.deepEqual(idsOf(await list('--status FAILED')), [])
  assert.equal((await list('--type INCOMING')).length, 3)
})

for (const [options, because] of [
  ['--status LATE', 'no status'],
  ['--type SIDEWAYS', 'no type'],
  ['--limit 0', 'nothing asked for'],
] as const) {
  test(`CORE-83 transactions list ${options} is refused: ${because}`, async () => {
    await assert.rejects(list(options), UsageError)
  })
}

test('CORE-83 LEDG-7 transactions show has the transaction as the API shows it, its quote, bookings and events', async () => {
  const { id, account } = await paid()
  const shown = await show(id)
  assert.equal(shown['platformId'], acme.platformId)
  assert.deepEqual(shown['transaction'], await readTransaction(acme, id))
  assert.equal(shown['quote']?.['transactionId'], id)
  const journals = items(shown['journals'])
  const taken = journals.find((one) =>
    text(one['account']).startsWith(`IA:${account.split(':')[1]}`),
  )
  assert.equal(taken?.['amount']?.['amount'], -12_345)
  assert.equal(taken['balanceAfter']?.['amount'], 100_000 - 12_345)
  assert.deepEqual(
    items(shown['events']).map(({ type }) => text(type)),
    await eventTypesOf(acme, id),
  )
  const byQuote = await show(text(shown['quote']['id']))
  assert.deepEqual(byQuote['transaction'], shown['transaction'])
})

test('CORE-83 transactions show finds events and bookings of a refund long after', async () => {
  const { id } = await paid(acme, '002')
  expectStatus(await acme.api.post('/sandbox/clock', { advanceSeconds: 86_400 }), 200)
  const shown = await show(id)
  assert.equal(shown['transaction']?.['status'], 'FAILED')
  const types = items(shown['journals']).map(({ type }) => text(type))
  assert.ok(
    types.some((type) => type.includes('refund')),
    types.join(),
  )
  assert.deepEqual(
    items(shown['events']).map(({ type }) => text(type)),
    await eventTypesOf(acme, id),
  )
})

test('CORE-83 CTXN-17 transactions show has every step of a card transaction', async () => {
  const card = await newCard(north)
  const answer = await card.simulated('authorization', {
    amount: 1_200,
    currency: USD,
    merchant: MERCHANT,
  })
  const { id } = answer
  const shown = await show(id)
  assert.equal(shown['transaction']?.['type'], 'CARD')
  const accounts = items(shown['journals']).map(({ account }) => text(account))
  assert.ok(
    accounts.some((account) => account.startsWith('CARD_RESERVE:')),
    accounts.join(),
  )
  assert.ok(items(shown['events']).length > 0)
  assert.deepEqual(idsOf(await list('--type CARD')), [id])
  await assert.rejects(show(id.replace('CardTransaction', 'Transaction')), {
    code: 'TRANSACTION_NOT_FOUND',
  })
})

test('CORE-83 a transaction that is not there is not found', async () => {
  const code = { code: 'TRANSACTION_NOT_FOUND' }
  await assert.rejects(show(`Transaction:${newUuid()}`), code)
  await assert.rejects(show('Customer:x'), code)
  await assert.rejects(list(`--before Transaction:${newUuid()}`), code)
})
