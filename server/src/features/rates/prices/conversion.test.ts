import assert from 'node:assert/strict'
import { test } from 'node:test'
import { multiply, ONE, parseFraction, type Fraction } from '../../../kernel/money/fraction.ts'
import { randomFrom } from '../../../../test/kit/random/random-from.ts'
import { price } from '../pricing/price.ts'
import { conversionRatio } from './conversion.ts'
import { midPrice } from './market.ts'
import { rateOf } from './mid-rate.ts'

type Price = Readonly<{ bid: Fraction; ask: Fraction }>

const priceOf = (bid: string, ask: string): Price => ({
  bid: parseFraction(bid),
  ask: parseFraction(ask),
})

const USD = priceOf('1', '1')
const EUR = priceOf('0.9198', '0.9202')
const ratioOf = (sending: Price, receiving: Price, spreadBps = 0n): Fraction =>
  conversionRatio({ sending, receiving, spreadBps })

test('PROV-133 a conversion receives at the bid and sends at the ask', () => {
  assert.deepEqual(ratioOf(USD, EUR), parseFraction('0.9198'))
  assert.deepEqual(ratioOf(EUR, USD), parseFraction('10000/9202'))
  assert.deepEqual(ratioOf(EUR, EUR), parseFraction('9198/9202'))
})

test('PROV-133 the spread is kept back in the rate, exactly', () => {
  assert.deepEqual(ratioOf(USD, EUR, 25n), parseFraction('0.917500500'))
  assert.deepEqual(ratioOf(USD, EUR, 9_999n), parseFraction('0.00009198'))
})

test('PROV-133 the mid price is in the middle of bid and ask', () => {
  assert.deepEqual(midPrice(EUR), parseFraction('0.92'))
  assert.deepEqual(midPrice(priceOf('1/3', '1/2')), parseFraction('5/12'))
})

test('PROV-133 RATE-3 a conversion there and back never gains, whatever the prices and amounts', () => {
  const random = randomFrom(133)
  const upTo = (max: number): number => 1 + random(max)
  const CODES = ['USD', 'EUR', 'JPY', 'BTC', 'USDC'] as const
  const codeOf = (): string => CODES[random(CODES.length)] ?? 'USD'
  const randomPrice = (): Price => {
    const bid = parseFraction(`${upTo(1_000_000)}/${upTo(1_000_000)}`)
    const wider = parseFraction(`${1_000_000 + random(50_000)}/1000000`)
    return { bid, ask: multiply(bid, wider) }
  }
  let converted = 0
  for (let round = 0; round < 2_000; round++) {
    const [sending, receiving] = [codeOf(), codeOf()]
    const [there, back] = [randomPrice(), randomPrice()]
    const [spread, otherSpread] = [BigInt(random(500)), BigInt(random(500))]
    const out = ratioOf(there, back, spread)
    const home = ratioOf(back, there, otherSpread)
    const product = multiply(out, home)
    assert.ok(product.numerator <= product.denominator, 'the rates themselves do not gain')
    const fees = { fixed: { service: 0n, platform: 0n }, bps: { service: 0n, platform: 0n } }
    const amount = BigInt(upTo(1_000_000_000))
    const first = price({
      ...fees,
      rate: rateOf({ sending, receiving }, out),
      lock: { side: 'SENDING', amount },
    })
    if (!first.ok) continue
    const second = price({
      ...fees,
      rate: rateOf({ sending: receiving, receiving: sending }, home),
      lock: { side: 'SENDING', amount: first.receiving.amount },
    })
    if (!second.ok) continue
    converted++
    assert.ok(second.receiving.amount <= amount, `${amount} ${sending} over ${receiving}`)
  }
  assert.ok(converted > 500, `${converted} amounts were converted there and back`)
  assert.deepEqual(multiply(ratioOf(USD, USD), ratioOf(USD, USD)), ONE)
})
