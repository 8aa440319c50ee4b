/** Prices that a provider outside states, for production platforms of its own (chapter 44, section 13). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items, text, type Body } from '../../../../test/kit/api.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { scriptedProvider } from '../../../../test/kit/outside/scripted-provider.ts'
import { sendAsProvider } from '../../../../test/kit/outside/send-as-provider.ts'
import { platformAccount, quote } from '../../../../test/kit/payments.ts'
import { addMs, SECOND_MS, systemClock } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'

let passedSeconds = 0
const now = (): Date => addMs(systemClock.now(), passedSeconds * SECOND_MS)
const kit = await startOwnKit({}, { clock: { now } })
const US_ACCOUNT = {
  accountType: 'US_ACCOUNT',
  routingNumber: '021000021',
  paymentRails: ['RTP'],
}

const EUR_ACCOUNT = {
  accountType: 'EUR_ACCOUNT',
  swiftCode: 'DEUTDEFF',
  paymentRails: ['SEPA_INSTANT'],
}

type Fed = Readonly<{
  platform: TestPlatform
  provider: Body
  push(prices: readonly object[], networkFees?: readonly object[]): Promise<readonly Body[]>
  account(currency: string): Promise<string>
}>

/** A production platform with a provider of prices of its own. */
async function fed(options = ''): Promise<Fed> {
  const currencies = ['USD', 'EUR', 'USDC']
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies })
  const name = `feed-${newUuid().slice(24)}`
  const line = `providers add --name ${name} --kind http --url http://127.0.0.1:9 --ports prices`
  const provider = await operate(kit, `${line} --platform ${platform.platformId} ${options}`.trim())
  return {
    platform,
    provider,
    async push(prices, networkFees) {
      const body = { prices, ...(networkFees && { networkFees }) }
      const answer = await sendAsProvider(kit, { provider, path: 'prices', body })
      return items(expectStatus(answer, 200)['results'])
    },
    account: (currency) => platformAccount(platform, currency),
  }
}

const at = (seconds = 0): string => addMs(now(), seconds * SECOND_MS).toISOString()

const priced = (currency: string, bid: string, ask = bid, more: object = {}) => ({
  currency,
  bid,
  ask,
  at: at(),
  validUntil: at(600),
  ...more,
})

const resultsOf = (results: readonly Body[]): unknown[] => results.map(({ result }) => result)

const BTC = priced('BTC', '0.000008333333333333')

/** Quotes between the platform's own accounts, of a million smallest units. */
async function quoted(on: Fed, from: string, to: string, amount = 1_000_000) {
  const [source, target] = [await on.account(from), await on.account(to)]
  return quote(on.platform, { from: source, to: target, amount })
}

async function rateFor(on: Fed, from: string, to: string): Promise<number> {
  const answer = expectStatus(await quoted(on, from, to), 201)
  return answer.exchangeRate
}

async function missingFor(on: Fed, from: string, to: string): Promise<unknown> {
  return expectError(await quoted(on, from, to), 400, 'QUOTE_REQUEST_FAILED')['missing']
}

const digits = (length: number): string =>
  BigInt(`0x${newUuid().replaceAll('-', '')}`)
    .toString()
    .slice(-length)

function newIban(): string {
  const account = digits(18)
  const check = 98n - (BigInt(`${account}131400`) % 97n)
  return `DE${check.toString().padStart(2, '0')}${account}`
}

/** Accounts of production are open once the operator has provisioned them. */
async function open(on: Fed): Promise<void> {
  const provision = async (currency: string, instruction: object) =>
    operate(
      kit,
      `accounts provision ${await on.account(currency)} --instruction`,
      JSON.stringify(instruction),
    )
  await provision('USD', { ...US_ACCOUNT, accountNumber: `7${digits(9)}` })
  await provision('EUR', { ...EUR_ACCOUNT, iban: newIban() })
}

test('PROV-131 PROV-133 PROV-134 PROV-135 scenario 26: pushed prices, there and back, stale, jumping', async () => {
  const on = await fed()
  await open(on)
  const euro = priced('EUR', '0.9198', '0.9202')
  assert.deepEqual(resultsOf(await on.push([euro, BTC])), ['APPLIED', 'APPLIED'])
  assert.equal(await rateFor(on, 'USD', 'EUR'), 1.087192868)
  assert.equal(await rateFor(on, 'EUR', 'USD'), 0.9202)

  const there = expectStatus(await quoted(on, 'USD', 'EUR'), 201)
  const received = there.totalReceivingAmount
  const back = expectStatus(await quoted(on, 'EUR', 'USD', received), 201)
  assert.ok(back.totalReceivingAmount < 1_000_000)

  const [jumped] = await on.push([priced('EUR', '1.84')])
  assert.equal(jumped?.['result'], 'EXCEPTION')
  const exceptionId = text(jumped?.['exceptionId'])
  assert.equal((await operate(kit, `exceptions show ${exceptionId}`))['type'], 'PRICE_JUMP')
  passedSeconds += 301
  assert.equal(await rateFor(on, 'USD', 'EUR'), 1.087192868, 'the old price, read again')
  passedSeconds += 300
  assert.deepEqual(await missingFor(on, 'USD', 'EUR'), ['EUR'])
})

test('PROV-131 an older price, or the same again, is known already', async () => {
  const on = await fed()
  const first = priced('EUR', '0.92')
  assert.deepEqual(resultsOf(await on.push([first])), ['APPLIED'])
  assert.deepEqual(resultsOf(await on.push([first])), ['DUPLICATE'])
  const older = { ...first, at: at(-60), bid: '0.91', ask: '0.91' }
  assert.deepEqual(resultsOf(await on.push([older])), ['DUPLICATE'])
  const fee = { network: 'SOLANA', asset: 'SOL', amount: '5000', at: at(), validUntil: at(60) }
  assert.deepEqual(resultsOf(await on.push([], [fee, fee])), ['APPLIED', 'DUPLICATE'])
  const [shown] = items(await operate(kit, 'rates show')).filter(
    ({ provider }) => provider === on.provider['name'],
  )
  assert.deepEqual([shown?.['bid'], shown?.['ask']], ['0.92', '0.92'])
})

const WRONG: readonly (readonly [
  because: string,
  change: () => object,
  fields: readonly string[],
])[] = [
  ['no currency', () => ({ currency: 'ZZZ' }), ['currency']],
  ['the unit itself', () => ({ currency: 'USD' }), ['currency']],
  ['a text that no database keeps', () => ({ currency: 'E\u0000R' }), ['currency']],
  ['a bid above the ask', () => ({ bid: '0.93' }), ['bid']],
  ['a price of zero', () => ({ bid: '0', ask: '0.0' }), ['ask', 'bid']],
  ['too many digits', () => ({ bid: `0.${'9'.repeat(19)}` }), ['bid']],
  ['a number', () => ({ bid: 0.92 }), ['bid']],
  ['a validity too long', () => ({ validUntil: at(902) }), ['validUntil']],
  ['no validity at all', () => ({ validUntil: at(-1) }), ['validUntil']],
  ['a time far ahead', () => ({ at: at(400), validUntil: at(500) }), ['at']],
  [
    'several at once',
    () => ({ currency: 'ZZZ', bid: 'x', validUntil: at(9_000) }),
    ['bid', 'currency', 'validUntil'],
  ],
]

for (const [because, change, fields] of WRONG) {
  test(`PROV-131 a price is rejected, and every invalid field named: ${because}`, async () => {
    const on = await fed()
    const results = await on.push([
      { ...priced('EUR', '0.92'), ...change() },
      priced('MXN', '17.25'),
    ])
    assert.deepEqual(resultsOf(results), ['REJECTED', 'APPLIED'])
    const [rejected] = results
    assert.equal(rejected?.['code'], 'INVALID_INPUT')
    const errors = items(rejected?.['details']?.['errors'])
    assert.deepEqual(errors.map(({ field }) => text(field)).toSorted(), fields)
  })
}

test('PROV-131 a network fee of another asset, an unknown network or too large is rejected', async () => {
  const on = await fed()
  const fee = { network: 'SOLANA', asset: 'SOL', amount: '5000', at: at(), validUntil: at(60) }
  const results = await on.push(
    [],
    [
      { ...fee, asset: 'ETH' },
      { ...fee, network: 'MOON' },
      { ...fee, amount: '9'.repeat(30) },
      fee,
    ],
  )
  assert.deepEqual(resultsOf(results), ['REJECTED', 'REJECTED', 'REJECTED', 'APPLIED'])
  const fields = results.flatMap(({ details }) =>
    details ? items(details['errors']).map(({ field }) => field) : [],
  )
  assert.deepEqual(fields, ['asset', 'network', 'amount'])
})

test('PROV-132 one provider serves a platform; rates set is for platforms without one', async () => {
  const on = await fed()
  await open(on)
  await operate(kit, 'rates set --price EUR=0.5 --price BTC=1/120000')
  assert.deepEqual(await missingFor(on, 'USD', 'EUR'), ['EUR'])
  await on.push([priced('EUR', '0.8'), BTC])
  assert.equal(await rateFor(on, 'USD', 'EUR'), 1.25)
  const other = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'EUR'] })
  const rows = expectStatus(
    await other.api.get('/exchange-rates', { query: { destinationCurrency: 'EUR' } }),
    200,
  ).data
  const fees = 1 - 0.005
  assert.equal(rows.length, 1)
  assert.ok(Math.abs((rows[0]?.exchangeRate as unknown as number) * 0.5 * fees - 1) < 1e-6)
})

test('PROV-132 prices are pulled every so often; what is pushed counts too', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USD', 'EUR'] })
  const options = `--ports prices --platform ${platform.platformId}`
  const provider = await scriptedProvider(kit, `${options} --config {"pullSeconds":10}`)
  const seen = async () => {
    const { name } = await operate(kit, `providers show ${provider.id}`)
    const shown = items(await operate(kit, 'rates show'))
    return shown
      .filter((one) => one['provider'] === name)
      .map(({ currency, bid }) => [currency, bid])
  }
  let bid = '0.91'
  provider.answer(() => ({ json: { prices: [priced('EUR', bid)] } }))
  const passed = passedSeconds
  for (const next of ['0.91', '0.92']) {
    bid = next
    passedSeconds += 11
    kit.florin.jobs.wake()
    await eventually(async () => assert.deepEqual(await seen(), [['EUR', next]]))
  }
  const pulls = provider.received.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual([...new Set(pulls)], ['GET /prices'])
  assert.ok(passedSeconds - passed < 60)
})

test('PROV-134 RATE-11 a network fee that is stale is missing, and one that was never stated is the operator’s', async () => {
  const on = await fed()
  await operate(kit, 'network-fees set --network BASE --fee 0')
  const prices = ['USDC', 'SOL', 'ETH'].map((code) => priced(code, '1'))
  const fee = { network: 'SOLANA', asset: 'SOL', amount: '5000', at: at(), validUntil: at(60) }
  await on.push([...prices, BTC], [fee])
  const from = await on.account('USDC')
  const estimate = (cryptoNetwork: string, destinationAddress: string) =>
    on.platform.api.post('/crypto/estimate-withdrawal-fee', {
      internalAccountId: from,
      currency: 'USDC',
      cryptoNetwork,
      amount: 10_000_000,
      destinationAddress,
    })
  const solana = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const base = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
  assert.equal(expectStatus(await estimate('SOLANA', solana), 200).networkFee, 5000)
  assert.equal(expectStatus(await estimate('BASE', base), 200).networkFee, 0)
  passedSeconds += 61
  const missing = expectError(await estimate('SOLANA', solana), 400, 'QUOTE_REQUEST_FAILED')
  assert.deepEqual(missing, { network: 'SOLANA', missing: ['NETWORK_FEE'] })
  assert.equal(expectStatus(await estimate('BASE', base), 200).networkFee, 0)
})

test('PROV-135 a jump is applied when an operator confirms it, and dropped when it is ignored', async () => {
  const on = await fed()
  const bidOf = async () => {
    const shown = items(await operate(kit, 'rates show'))
    return shown.find(({ provider }) => provider === on.provider['name'])?.['bid']
  }
  await on.push([priced('EUR', '1')])
  assert.deepEqual(resultsOf(await on.push([priced('EUR', '1.2')])), ['APPLIED'])
  const [first] = await on.push([priced('EUR', '1.5')])
  const [again] = await on.push([priced('EUR', '1.6')])
  assert.equal(first?.['result'], 'EXCEPTION')
  assert.deepEqual(again, first, 'one exception while it is open')
  assert.equal(await bidOf(), '1.2')
  const id = text(first?.['exceptionId'])
  const shown = await operate(kit, `exceptions show ${id}`)
  assert.deepEqual(shown['resolveAs'], ['SETTLED', 'IGNORED'])
  assert.equal(shown['details']?.['known']?.['bid'], '1.2')
  await operate(kit, `exceptions resolve ${id} --as SETTLED --note`, 'the market moved')
  assert.equal(await bidOf(), '1.5')
  assert.deepEqual(resultsOf(await on.push([priced('EUR', '1.6')])), ['APPLIED'])

  const [wrong] = await on.push([priced('EUR', '0.1', '1.6')])
  const ignored = text(wrong?.['exceptionId'])
  assert.notEqual(ignored, id)
  await operate(kit, `exceptions resolve ${ignored} --as IGNORED --note`, 'a typing error')
  assert.equal(await bidOf(), '1.6')
  passedSeconds += 901
  assert.deepEqual(resultsOf(await on.push([priced('EUR', '0.1')])), ['APPLIED'])
})

test('PROV-135 config.maxMoveBps says how far a price may move', async () => {
  const on = await fed('--config {"maxMoveBps":100}')
  await on.push([priced('EUR', '1')])
  assert.deepEqual(resultsOf(await on.push([priced('EUR', '1.01')])), ['APPLIED'])
  assert.deepEqual(resultsOf(await on.push([priced('EUR', '1.0202')])), ['EXCEPTION'])
})

test('RATE-12 PROV-132 the required prices of a platform are those of its provider', async () => {
  const on = await fed()
  await on.push([priced('EUR', '0.92')])
  const required = items(await operate(kit, 'rates required')).filter(
    ({ provider }) => provider === on.provider['name'],
  )
  const stale = (code: string) =>
    required.find(
      (one) => text(one['code']) === code && text(one['usedFor']) === 'SUPPORTED_CURRENCY',
    )?.['stale']
  assert.deepEqual([stale('EUR'), stale('USD'), stale('USDC')], [false, false, true])
})

test('PROV-28 prices of a provider without the port are refused', async () => {
  const name = `feed-${newUuid().slice(24)}`
  const { platformId } = await kit.platform({ environment: 'PRODUCTION' })
  const line = `providers add --name ${name} --kind http --url http://127.0.0.1:9 --ports rails`
  const provider = await operate(kit, `${line} --platform ${platformId}`)
  const answer = await sendAsProvider(kit, { provider, path: 'prices', body: { prices: [BTC] } })
  assert.deepEqual(expectError(answer, 403, 'FORBIDDEN'), { reason: 'PORT_NOT_GRANTED' })
})
