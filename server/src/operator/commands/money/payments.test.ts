import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, items, text } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const { platformId } = await kit.platform()

test('FEE-1 CORE-83 fees set changes what is given, keeps the rest, and shows all of it', async () => {
  const first = await operate(kit, `fees set --platform ${platformId} --service-fixed USD:7`)
  assert.equal(first['serviceBps'], undefined)
  const second = await operate(
    kit,
    `fees set --platform ${platformId} --service-bps 0 --application-fee USD:3`,
  )
  assert.equal(second['serviceBps'], 0)
  assert.deepEqual(second['fixed'], [{ currency: 'USD', serviceFixed: 7, applicationFee: 3 }])
})

test('PROV-133 fees set keeps a spread back in the rate, for every pair or one, at once', async () => {
  const { api, platformId: id } = await kit.platform()
  const rateTo = async (code: string): Promise<unknown> => {
    const query = { sourceCurrency: 'USD', destinationCurrency: code, sendingAmount: 100_000 }
    const answer = expectStatus(await api.get('/exchange-rates', { query }), 200)
    return answer.data[0]?.receivingAmount
  }
  await operate(kit, `fees set --platform ${id} --service-bps 0`)
  assert.deepEqual([await rateTo('EUR'), await rateTo('MXN')], [92_000, 1_725_000])
  const set = await operate(kit, `fees set --platform ${id} --spread-bps 100`)
  assert.deepEqual(set['spreads'], [{ bps: 100 }])
  assert.deepEqual([await rateTo('EUR'), await rateTo('MXN')], [91_080, 1_707_750])
  const both = await operate(kit, `fees set --platform ${id} --spread-bps 0 --pair USD:EUR`)
  assert.deepEqual(both['spreads'], [{ bps: 100 }, { pair: 'USD:EUR', bps: 0 }])
  assert.deepEqual([await rateTo('EUR'), await rateTo('MXN')], [92_000, 1_707_750])
})

test('LIM-1 CORE-83 limits set changes what is given and keeps the rest', async () => {
  const of = `limits set --platform ${platformId} --currency USD`
  await operate(kit, `${of} --max-transaction 5000`)
  const both = await operate(kit, `${of} --daily-volume 8000`)
  assert.deepEqual(both, { platformId, currency: 'USD', maxTransaction: 5000, dailyVolume: 8000 })
  const corridor = await operate(kit, `${of} --to EUR --daily-volume 100`)
  assert.deepEqual(corridor, { platformId, currency: 'USD', to: 'EUR', dailyVolume: 100 })
})

test('RATE-11 CORE-83 rates set takes decimals and quotients, gas assets too', async () => {
  assert.deepEqual(items(await operate(kit, 'rates show')), [])
  await operate(kit, 'rates set --price EUR=0.92 --price BTC=1/120000 --price SOL=1/150')
  const shown = items(await operate(kit, 'rates show'))
  assert.deepEqual(
    shown.map(({ currency, unitsPerUsd }) => [text(currency), text(unitsPerUsd)]),
    [
      ['BTC', '0.00000833333333333'],
      ['EUR', '0.92'],
      ['SOL', '0.00666666666667'],
    ],
  )
})

const WRONG = [
  ['fees set', '--service-bps 10001', 'more than the whole'],
  ['fees set', '--service-bps -1', 'less than nothing'],
  ['fees set', '--service-fixed USD', 'no amount'],
  ['fees set', '--spread-bps 10000', 'nothing would be left'],
  ['fees set', '--spread-bps 10 --pair USD', 'no pair'],
  ['fees set', '--pair USD:EUR', 'a pair of nothing'],
  ['fees set', '--service-fixed ZZZ:1', 'no currency'],
  ['limits set', '--currency ZZZ', 'no currency'],
  ['limits set', '--currency USD --max-transaction 0', 'nothing could be sent'],
  ['limits set', '--currency USD --daily-volume 1.5', 'no whole number'],
] as const

for (const [name, options, because] of WRONG) {
  test(`CORE-83 ${name} ${options} is refused: ${because}`, async () => {
    await assert.rejects(operate(kit, `${name} --platform ${platformId} ${options}`), UsageError)
  })
}

for (const price of ['EUR', 'EUR=0', 'EUR=-1', 'EUR=1/0', 'ZZZ=1']) {
  test(`CORE-83 rates set --price ${price} is refused`, async () => {
    await assert.rejects(operate(kit, `rates set --price ${price}`), UsageError)
  })
}

test('CORE-83 a platform that is not there has neither fees nor limits', async () => {
  const nobody = `Platform:${newUuid()}`
  const code = { code: 'REFERENCE_NOT_FOUND' }
  await assert.rejects(operate(kit, `fees set --platform ${nobody} --service-bps 1`), code)
  await assert.rejects(operate(kit, `limits set --platform ${nobody} --currency USD`), code)
})
