/** TXN-18, TXN-19: what the outside calls a payment that the operator settles by hand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { expectError, expectStatus, items, text } from '../../../../test/kit/api.ts'
import { listEvents } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  execute,
  platformAccount,
  quote,
  readQuote,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { openProductionAccount, productionBank } from '../../../../test/kit/setups/production.ts'

const kit = await startOwnKit()
const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'USDC'] })
const open = async (currency: string) =>
  openProductionAccount(kit, platform, {
    id: await platformAccount(platform, currency),
    funded: 100_000_000n,
  })
const [dollars, coins] = [await open('USD'), await open('USDC')]

const wallet = await productionBank(kit, platform, 'SOLANA_WALLET')

const HASH = base58.encode(new Uint8Array(64).fill(7))

const begin = async (ends: { from: string; to: string }): Promise<string> => {
  const answer = await quote(platform, { ...ends, amount: 10_000, immediatelyExecute: true })
  return expectStatus(answer, 201).transactionId
}

const bankPayout = async () =>
  begin({ from: dollars, to: await productionBank(kit, platform, 'USD_ACCOUNT') })

const confirm = (id: string, ...options: string[]) =>
  operate(kit, `settlements confirm ${id}`, ...options)

const foundBy = async (reference: string): Promise<unknown[]> => {
  const answer = await platform.api.get('/transactions', { query: { reference } })
  return expectStatus(answer, 200).data.map(({ id }) => id)
}

async function lastNote(id: string): Promise<unknown[]> {
  const [entry] = items(await operate(kit, `audit list --action settlements --resource ${id}`))
  return [entry?.['action'], entry?.['note']]
}

async function settledOf(id: string): Promise<string[]> {
  const { settled } = await operate(kit, `settlements show ${id}`)
  const legs = settled === undefined ? [] : items(settled)
  return legs.map(({ leg, outcome, reference }) => [leg, outcome, reference].map(text).join(' '))
}

test('TXN-19 of a bank rail the reference is kept with its leg, shown, audited and found', async () => {
  const bank = () => productionBank(kit, platform, 'USD_ACCOUNT')
  const id = await begin({ from: await bank(), to: await bank() })
  await confirm(id, '--leg', 'PULL', '--reference', 'ACH trace 021000021')
  assert.deepEqual(await lastNote(id), ['settlements confirm', 'reference ACH trace 021000021'])
  const listed = items(await operate(kit, 'settlements list')).find(
    (line) => text(line['transactionId']) === id,
  )
  assert.deepEqual(listed?.['settled'], [
    { leg: 'PULL', outcome: 'CONFIRMED', reference: 'ACH trace 021000021' },
  ])
  await confirm(id, '--reference', 'UETR-1')
  await operate(kit, `settlements fail ${id} --reference RETURN-1`)
  assert.deepEqual(await lastNote(id), ['settlements fail', 'reference RETURN-1'])
  await confirm(id, '--reference', 'REFUND-1')
  assert.deepEqual(await settledOf(id), [
    'PULL CONFIRMED ACH trace 021000021',
    'PAYOUT CONFIRMED UETR-1',
    'RETURN FAILED RETURN-1',
    'REFUND CONFIRMED REFUND-1',
  ])
  for (const reference of ['ACH trace 021000021', 'UETR-1', 'RETURN-1', 'REFUND-1']) {
    assert.deepEqual(await foundBy(reference), [id], reference)
  }
  assert.deepEqual(await foundBy('UETR'), [], 'exactly')
  const other = await kit.platform()
  const elsewhere = await other.api.get('/transactions', { query: { reference: 'UETR-1' } })
  assert.deepEqual(expectStatus(elsewhere, 200).data, [])
})

test('TXN-19 a reference is optional, of 1 to 140 printable characters; a bank has no hash', async () => {
  const id = await bankPayout()
  const wrong = [
    ['--hash', HASH],
    ['--reference', ''],
    ['--reference', 'x'.repeat(141)],
    ['--reference', 'tab\there'],
    ['--reference', 'Überweisung'],
  ] as const
  for (const options of wrong) {
    await assert.rejects(confirm(id, ...options), { code: 'INVALID_INPUT' }, options.join(' '))
  }
  assert.equal((await readTransaction(platform, id)).status, 'PROCESSING')
  assert.deepEqual(await settledOf(id), [])
  const longest = `${'x '.repeat(69)}yz`
  assert.equal((await confirm(id, '--reference', longest))['status'], 'COMPLETED')
  assert.deepEqual(await foundBy(longest), [id])
  assert.equal((await confirm(await bankPayout()))['status'], 'COMPLETED')
})

test('TXN-19 CORE-44 of two that confirm at once one is heard, and its reference kept', async () => {
  const id = await bankPayout()
  const said = ['one', 'other'].map((reference) => confirm(id, '--reference', reference))
  const outcomes = await Promise.allSettled(said)
  const heard = outcomes.findIndex(({ status }) => status === 'fulfilled')
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(await settledOf(id), [`PAYOUT CONFIRMED ${['one', 'other'][heard]}`])
})

test('TXN-18 TXN-19 FEE-11 scenario 26: a payout to a wallet completes with its hash only', async () => {
  const ends = { from: coins, to: wallet, amount: 10_000 }
  expectError(await quote(platform, ends), 400, 'QUOTE_REQUEST_FAILED')
  await operate(kit, 'network-fees set --network SOLANA --fee 5000')
  await operate(kit, 'rates set --price SOL=1/150 --price USDC=1')
  const quoted = expectStatus(await quote(platform, ends), 201)
  expectStatus(await execute(platform, quoted), 200)
  const id = quoted.transactionId
  const before = await balanceOf(platform, coins)
  assert.equal((await operate(kit, `settlements show ${id}`))['network'], 'SOLANA')
  const wrong = [
    [],
    ['--reference', 'UETR-2'],
    ['--hash', `0x${'ab'.repeat(32)}`],
    ['--hash', HASH, '--reference', 'UETR-2'],
  ]
  for (const options of wrong) {
    await assert.rejects(confirm(id, ...options), { code: 'INVALID_INPUT' }, options.join(' '))
  }
  assert.equal((await readTransaction(platform, id)).status, 'PROCESSING')
  assert.equal((await confirm(id, '--hash', HASH))['status'], 'COMPLETED')
  assert.deepEqual(await lastNote(id), ['settlements confirm', `hash ${HASH}`])
  const trace = { transactionHash: HASH, network: 'SOLANA' }
  const done = await readTransaction(platform, id)
  assert.deepEqual(done.destination?.onChainTransaction, trace)
  const events = await listEvents(platform, 'OUTGOING_PAYMENT.COMPLETED')
  const event = events.find(({ data }) => data.id === id)
  assert.deepEqual(event?.data.destination.onChainTransaction, trace)
  assert.deepEqual(await foundBy(HASH), [id])
  assert.equal((await readQuote(platform, quoted)).status, 'COMPLETED')
  assert.equal(await balanceOf(platform, coins), before)
  await assert.rejects(confirm(id, '--hash', HASH), { code: 'CONFLICT' }, 'settled already')
})

test('TXN-19 a wallet’s pull and its failure have references, its payout a hash', async () => {
  await operate(kit, 'network-fees set --network SOLANA --fee 0')
  const from = await productionBank(kit, platform, 'USD_ACCOUNT')
  const id = await begin({ from, to: wallet })
  await assert.rejects(confirm(id, '--hash', HASH), { code: 'INVALID_INPUT' })
  await confirm(id, '--reference', 'PULL-2')
  await assert.rejects(confirm(id, '--reference', 'PAYOUT-2'), { code: 'INVALID_INPUT' })
  const failed = await operate(kit, `settlements fail ${id} --reference dropped`)
  assert.equal(failed['status'], 'FAILED')
  const { destination } = await readTransaction(platform, id)
  assert.equal(destination?.onChainTransaction, undefined)
  assert.deepEqual(await settledOf(id), ['PULL CONFIRMED PULL-2', 'PAYOUT FAILED dropped'])
})
