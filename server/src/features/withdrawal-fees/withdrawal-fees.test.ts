import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectFields, expectStatus, text } from '../../../test/kit/api.ts'
import { startOwnKit, WITH_BITCOIN, type TestPlatform } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { newUuid } from '../../kernel/ids.ts'

const kit = await startOwnKit()

const PATH = '/crypto/estimate-withdrawal-fee'
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

async function accountOf({ api }: TestPlatform, currency: string): Promise<string> {
  const answer = await api.get('/platform/internal-accounts', { query: { currency } })
  return text(expectStatus(answer, 200).data[0]?.id)
}

async function estimate(platform: TestPlatform, changes: object = {}) {
  const internalAccountId = await accountOf(platform, 'USDC')
  return platform.api.post(PATH, {
    internalAccountId,
    currency: 'USDC',
    cryptoNetwork: 'SOLANA',
    amount: 1_000_000,
    destinationAddress: SOLANA,
    ...changes,
  })
}

test('FEE-9 an estimate shows the network’s fee in its own asset and in the coin', async () => {
  const platform = await kit.platform()
  assert.deepEqual(expectStatus(await estimate(platform), 200), {
    networkFee: 5000,
    networkFeeAsset: 'SOL',
    applicationFee: 0,
    totalFee: 750,
    netAmount: 999_250,
  })
  const onEthereum = { cryptoNetwork: 'ETHEREUM', destinationAddress: EVM, amount: 10_000_000 }
  const dear = expectStatus(await estimate(platform, onEthereum), 200)
  assert.equal(dear.totalFee, 1_500_000)
  assert.equal(dear.networkFee, 500_000_000_000_000)
})

test('FEE-8 USDT leaves over Solana as USDC does', async () => {
  const platform = await kit.platform({ currencies: ['USDT'] })
  const internalAccountId = await accountOf(platform, 'USDT')
  const body = {
    internalAccountId,
    currency: 'USDT',
    cryptoNetwork: 'SOLANA',
    amount: 1_000_000,
    destinationAddress: SOLANA,
  }
  const fee = expectStatus(await platform.api.post(PATH, body), 200)
  assert.deepEqual([fee.networkFeeAsset, fee.totalFee], ['SOL', 750])
})

test('FEE-9 an application fee that the operator set is added', async () => {
  const platform = await kit.platform()
  await operate(kit, `fees set --platform ${platform.platformId} --application-fee USDC:100`)
  const body = expectStatus(await estimate(platform), 200)
  assert.deepEqual([body.applicationFee, body.totalFee, body.netAmount], [100, 850, 999_150])
})

test('FEE-9 nothing is estimated where nothing would arrive', async () => {
  const platform = await kit.platform()
  expectStatus(await estimate(platform, { amount: 751 }), 200)
  const details = expectError(await estimate(platform, { amount: 750 }), 400, 'AMOUNT_OUT_OF_RANGE')
  assert.deepEqual(details, { minimum: 751, currency: 'USDC' })
})

test('FEE-8 a fiat account, an account of another coin and an unknown account are refused', async () => {
  const platform = await kit.platform(WITH_BITCOIN)
  const fiat = { internalAccountId: await accountOf(platform, 'USD'), currency: 'USD' }
  expectFields(await estimate(platform, fiat), ['internalAccountId'])
  const other = { internalAccountId: await accountOf(platform, 'BTC') }
  expectError(await estimate(platform, other), 400, 'INVALID_CURRENCY')
  const unknown = { internalAccountId: `InternalAccount:${newUuid()}` }
  expectError(await estimate(platform, unknown), 404, 'REFERENCE_NOT_FOUND')
  const foreign = { internalAccountId: await accountOf(await kit.platform(), 'USDC') }
  expectError(await estimate(platform, foreign), 404, 'REFERENCE_NOT_FOUND')
})

test('FEE-8 a network without the coin and an address of another network are refused', async () => {
  const platform = await kit.platform(WITH_BITCOIN)
  const [network] = expectFields(await estimate(platform, { cryptoNetwork: 'TRON' }), [
    'cryptoNetwork',
  ])
  assert.deepEqual(network?.['constraint'], { enum: ['SOLANA', 'ETHEREUM', 'BASE', 'POLYGON'] })
  expectFields(await estimate(platform, { destinationAddress: EVM }), ['destinationAddress'])
  const bitcoin = {
    internalAccountId: await accountOf(platform, 'BTC'),
    currency: 'BTC',
    cryptoNetwork: 'BITCOIN',
    destinationAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  }
  const onChain = expectStatus(await estimate(platform, bitcoin), 200)
  assert.deepEqual([onChain.networkFee, onChain.totalFee], [1000, 1000])
  const lightning = { ...bitcoin, cryptoNetwork: 'LIGHTNING', destinationAddress: 'a@b.org' }
  assert.equal(expectStatus(await estimate(platform, lightning), 200).totalFee, 0)
})

test('FEE-8 every wrong field is named at once', async () => {
  const platform = await kit.platform()
  const wrong = { internalAccountId: 'x', amount: 0, cryptoNetwork: 'TRON' }
  expectFields(await estimate(platform, wrong), ['internalAccountId', 'amount', 'cryptoNetwork'])
})

test('FEE-11 RATE-11 in production an estimate needs the network’s fee and a fresh price of its asset', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION' })
  const refused = async (changes: object = {}) =>
    expectError(await estimate(platform, changes), 400, 'QUOTE_REQUEST_FAILED')
  assert.deepEqual(await refused(), { network: 'SOLANA', missing: ['NETWORK_FEE'] })
  await operate(kit, 'network-fees set --network SOLANA --fee 6000')
  assert.deepEqual(await refused(), { network: 'SOLANA', missing: ['SOL', 'USDC'] })
  await operate(kit, 'rates set --price USDC=1')
  assert.deepEqual(await refused(), { network: 'SOLANA', missing: ['SOL'] })
  await operate(kit, 'rates set --price SOL=1/200')
  const fee = expectStatus(await estimate(platform), 200)
  assert.deepEqual([fee.networkFee, fee.totalFee], [6000, 1200])
  const polygon = { cryptoNetwork: 'POLYGON', destinationAddress: EVM }
  const other = await refused(polygon)
  assert.deepEqual(other, { network: 'POLYGON', missing: ['NETWORK_FEE'] }, 'each by itself')
  await operate(kit, 'network-fees set --network POLYGON --fee 0')
  assert.equal(expectStatus(await estimate(platform, polygon), 200).totalFee, 0, 'no price of POL')
  await operate(kit, 'network-fees set --network POLYGON --fee 6500000000000000001')
  assert.deepEqual(await refused(polygon), { network: 'POLYGON', missing: ['POL'] })
  await operate(kit, 'rates set --price POL=2')
  const dear = expectStatus(await estimate(platform, { ...polygon, amount: 4_000_000 }), 200)
  assert.deepEqual([dear.networkFee, dear.totalFee], [6_500_000_000_000_000_000, 3_250_001])
})
