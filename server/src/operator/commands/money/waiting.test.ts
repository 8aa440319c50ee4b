import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../../test/kit/api.ts'
import { CARD_NUMBER } from '../../../../test/kit/cards.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  failedRefund,
  lostFactor,
  newTill,
  shortPurchase,
  wallet,
} from '../../../../test/kit/setups/waiting-work.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const live = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const sandbox = await kit.platform({ currencies: ['USD'] })
const till = await newTill(kit, live)

/** Each list, the names of its rows' time and id, and how work comes into it. */
const LISTS = [
  ['settlements', 'createdAt', 'transactionId', () => till.payOut()],
  ['refunds', 'createdAt', 'transactionId', async () => (await failedRefund(sandbox)).id],
  ['ownership', 'askedAt', 'externalAccountId', () => wallet(live, 'Greta Wallet')],
  ['sca-resets', 'startedAt', 'resetId', () => lostFactor(kit, live, 'Greta Factor')],
  [
    'card-exceptions',
    'createdAt',
    'cardTransactionId',
    async () => (await shortPurchase(sandbox)).id,
  ],
] as const

for (const [name, time, id, make] of LISTS) {
  test(`CORE-83 ${name} list is narrowed to a platform, has the oldest first and goes on after a row`, async () => {
    const [first, second] = [await make(), await make()]
    const owner = ['refunds', 'card-exceptions'].includes(name) ? sandbox : live
    const other = owner === live ? sandbox : live
    const list = async (...options: string[]) =>
      items(await operate(kit, `${name} list`, ...options))
    const of = ['--platform', owner.platformId]
    const idsIn = (rows: Awaited<ReturnType<typeof list>>) => rows.map((row) => text(row[id]))
    assert.deepEqual(idsIn(await list(...of)), [first, second])
    assert.deepEqual(await list('--platform', other.platformId), [])
    const [oldest] = await list(...of, '--limit', '1')
    const place = `${text(oldest?.[time])}/${text(oldest?.[id])}`
    assert.deepEqual(idsIn(await list('--after', place)), [second])
    await assert.rejects(
      list('--after', `${text(oldest?.[time])}/x`),
      /--after is the time and the/,
    )
    await assert.rejects(list('--after', `yesterday/${first}`), /--after is the time and the/)
    await assert.rejects(list('--limit', '0'), /--limit is a whole number/)
  })
}

for (const [command, prefix, code] of [
  ['settlements show', 'Transaction', 'TRANSACTION_NOT_FOUND'],
  ['deposits show', 'Transaction', 'TRANSACTION_NOT_FOUND'],
  ['ownership show', 'ExternalAccount', 'REFERENCE_NOT_FOUND'],
  ['sca-resets show', 'ScaReset', 'REFERENCE_NOT_FOUND'],
  ['card-exceptions show', 'CardTransaction', 'TRANSACTION_NOT_FOUND'],
] as const) {
  test(`CORE-83 ${command} finds nothing under an id that nobody has`, async () => {
    for (const id of [`${prefix}:${newUuid()}`, 'x']) {
      await assert.rejects(operate(kit, `${command} ${id}`), { code })
    }
  })
}

test('CORE-83 settlements show says what is moved next, and from where to where', async () => {
  const through = await till.passThrough()
  const before = await operate(kit, `settlements show ${through}`)
  assert.equal(before['waitsFor'], 'PULL')
  assert.equal(before['fromAccount']?.['accountInfo']?.['accountType'], 'USD_ACCOUNT')
  await operate(kit, `settlements confirm ${through}`)
  assert.equal((await operate(kit, `settlements show ${through}`))['waitsFor'], 'PAYOUT')
  await operate(kit, `settlements fail ${through}`)
  assert.equal((await operate(kit, `settlements show ${through}`))['waitsFor'], 'REFUND')
  await operate(kit, `settlements confirm ${through}`)
  assert.equal((await operate(kit, `settlements show ${through}`))['waitsFor'], undefined)
  const failed = await operate(kit, `settlements show ${(await failedRefund(sandbox)).id}`)
  assert.equal(failed['waitsFor'], undefined, 'in sandbox nothing is moved by hand')
})

test('CORE-83 settlements list says how much is moved next, in which currency and over which rail', async () => {
  await operate(kit, 'rates set --price USD=1 --price BRL=5')
  const id = await till.passThrough('BRL_ACCOUNT')
  const line = async () => {
    const all = items(await operate(kit, 'settlements list --limit 100'))
    const found = all.find(({ transactionId }) => text(transactionId) === id)
    return [found?.['waitsFor'], found?.['amount'], found?.['currency'], found?.['paymentRail']]
  }
  const { transaction: paid } = await operate(kit, `settlements show ${id}`)
  const received = paid?.['receivedAmount']?.['amount']
  assert.notEqual(received, 123_450)
  assert.deepEqual(await line(), ['PULL', 123_450, 'USD', 'ACH'])
  await operate(kit, `settlements confirm ${id}`)
  assert.deepEqual(await line(), ['PAYOUT', received, 'BRL', 'PIX'])
  await operate(kit, `settlements fail ${id}`)
  assert.deepEqual(await line(), ['REFUND', 123_450, 'USD', 'ACH'])
})

test('CORE-91 card-exceptions show has no more of a card than its end', async () => {
  const { id } = await shortPurchase(sandbox)
  const shown = await operate(kit, `card-exceptions show ${id}`)
  assert.match(text(shown['card']?.['last4']), /^\d{4}$/)
  assert.doesNotMatch(JSON.stringify(shown), CARD_NUMBER)
  assert.equal(shown['shortfall']?.['amount'], 200)
})
