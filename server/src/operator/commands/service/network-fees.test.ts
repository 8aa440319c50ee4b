import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { platformAccount, quote, readQuote } from '../../../../test/kit/payments.ts'
import { openProductionAccount, productionBank } from '../../../../test/kit/setups/production.ts'
import { addMs, SECOND_MS, systemClock } from '../../../kernel/clock.ts'
import { UsageError } from '../../command.ts'

let passedSeconds = 0
const now = (): Date => addMs(systemClock.now(), passedSeconds * SECOND_MS)
const kit = await startOwnKit({}, { clock: { now } })

const required = async () => items(await operate(kit, 'rates required'))

/** `SOL NETWORK_FEE:SOLANA`, one for each price that is needed. */
const needed = async (): Promise<string[]> =>
  (await required()).map(({ code, usedFor }) => `${text(code)} ${text(usedFor)}`)

/** What doctor says of the prices. */
async function pricesNow(): Promise<[ok: unknown, detail: unknown]> {
  const checks = items((await operate(kit, 'doctor'))['checks'])
  const found = checks.find(({ check }) => text(check) === 'prices')
  return [found?.['ok'], found?.['detail']]
}

test('RATE-12 sandbox platforms need no prices', async () => {
  await kit.platform()
  assert.deepEqual(await required(), [])
  assert.deepEqual(await pricesNow(), [true, '0 needed, all current'])
})

const GAS = [
  'BTC NETWORK_FEE:BITCOIN',
  'ETH NETWORK_FEE:BASE',
  'ETH NETWORK_FEE:ETHEREUM',
  'POL NETWORK_FEE:POLYGON',
  'SOL NETWORK_FEE:SOLANA',
  'TRX NETWORK_FEE:TRON',
]

test('RATE-12 required names currencies, payees and gas assets, with price and age; doctor says what lacks', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'EUR'] })
  await productionBank(kit, platform, 'MXN_ACCOUNT')
  const currencies = ['EUR SUPPORTED_CURRENCY', 'MXN EXTERNAL_ACCOUNT', 'USD SUPPORTED_CURRENCY']
  assert.deepEqual(await needed(), [...GAS, ...currencies].toSorted())
  const [dollar] = (await required()).filter(({ code }) => text(code) === 'USD')
  assert.deepEqual(dollar, {
    code: 'USD',
    usedFor: 'SUPPORTED_CURRENCY',
    price: '1',
    stale: false,
  })
  assert.deepEqual(await pricesNow(), [false, 'missing BTC, ETH, EUR, MXN, POL, SOL, TRX'])

  await operate(kit, 'rates set --price EUR=0.92 --price BTC=1/120000 --price ETH=1/3000')
  passedSeconds += 600
  await operate(kit, 'rates set --price MXN=17.25 --price SOL=1/150 --price TRX=8.3 --price POL=2')
  assert.deepEqual(await pricesNow(), [true, '8 needed, all current'])
  passedSeconds += 301
  assert.deepEqual(await pricesNow(), [false, 'stale BTC, ETH, EUR'])
  const euro = (await required()).find(({ code }) => text(code) === 'EUR')
  assert.deepEqual([euro?.['price'], euro?.['stale']], ['0.92', true])
  assert.match(text(euro?.['updatedAt']), /Z$/)
})

test('RATE-12 a network that the operator made free needs no price, one with a fee does', async () => {
  await operate(kit, 'network-fees set --network TRON --fee 0')
  await operate(kit, 'network-fees set --network PLASMA --fee 1')
  const list = await needed()
  assert.ok(!list.includes('TRX NETWORK_FEE:TRON'))
  assert.ok(list.includes('XPL NETWORK_FEE:PLASMA'))
})

test('FEE-11 show has every network, set changes one and is audited', async () => {
  await operate(kit, 'network-fees set --network SOLANA --fee 5000')
  const shown = items(await operate(kit, 'network-fees show'))
  assert.equal(shown.length, 9)
  const { updatedAt, ...solana } = shown.find(({ network }) => text(network) === 'SOLANA') as Body
  assert.deepEqual(solana, {
    network: 'SOLANA',
    assets: ['USDC', 'USDT'],
    fee: 5000,
    feeAsset: 'SOL',
    feeAssetDecimals: 9,
  })
  assert.match(text(updatedAt), /Z$/)
  const base = shown.find(({ network }) => text(network) === 'BASE')
  assert.equal(base?.['fee'], undefined, 'nobody set one')
  const [entry] = items(await operate(kit, 'audit list --action', 'network-fees set'))
  assert.deepEqual([entry?.['resource'], entry?.['note']], ['SOLANA', 'fee 5000'])
})

const WRONG = [
  ['--network SOLANA --fee 1.5', 'no whole number'],
  ['--network SOLANA --fee -1', 'less than nothing'],
  ['--network SOLANA --fee 1000000000001', 'a thousand SOL: another unit was meant'],
  ['--network ETHEREUM --fee 9223372036854775808', 'more than can be kept'],
  ['--network ACH --fee 1', 'no network'],
] as const

for (const [options, because] of WRONG) {
  test(`FEE-11 network-fees set ${options} is refused: ${because}`, async () => {
    await assert.rejects(operate(kit, `network-fees set ${options}`), UsageError)
  })
}

test('FEE-2 FEE-11 RATE-6 in production the operator’s fee is charged, a new one on new quotes only', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'USDC'] })
  const from = await platformAccount(platform, 'USDC')
  await openProductionAccount(kit, platform, { id: from, funded: 10_000_000n })
  const to = await productionBank(kit, platform, 'SOLANA_WALLET')
  await operate(kit, 'rates set --price SOL=1/100 --price USDC=1')
  await operate(kit, 'network-fees set --network SOLANA --fee 20000')
  const ask = async () => expectStatus(await quote(platform, { from, to, amount: 1_000_000 }), 201)
  const first = await ask()
  assert.deepEqual([first.feesIncluded, first.totalReceivingAmount], [2_000, 998_000])
  await operate(kit, 'network-fees set --network SOLANA --fee 40000')
  assert.equal((await ask()).feesIncluded, 4_000)
  assert.equal((await readQuote(platform, first)).feesIncluded, 2_000)

  const query = { sourceCurrency: 'USD', destinationCurrency: ['USDC', 'USDT'] }
  const rates = await platform.api.get('/exchange-rates', { query })
  const rows = expectStatus(rates, 200).data
  assert.deepEqual(
    rows.map((row) => [row.destinationCurrency.code, row.fees.fixed]),
    [['USDC', 1]],
    'USDT has no price; USDC goes over the only network that has a fee and a price for it',
  )
  const lightning = await productionBank(kit, platform, 'LIGHTNING')
  const refused = await quote(platform, { from, to: lightning, amount: 1_000_000 })
  const details = expectError(refused, 400, 'QUOTE_REQUEST_FAILED')
  assert.deepEqual(details, { network: 'LIGHTNING', missing: ['BTC', 'NETWORK_FEE'] })
})
