import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { mustParseId, type Id } from '../../../kernel/ids.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import {
  parseFraction,
  toSignificantDigits,
  type Fraction,
} from '../../../kernel/money/fraction.ts'
import { AMOUNT_MAX, type Money } from '../../../kernel/money/money.ts'
import { amountFromText } from '../../../kernel/money/wire-money.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  findServiceFees,
  GAS_ASSETS,
  isProvider,
  listPaymentLimits,
  listPrices,
  setPaymentLimit,
  setPrices,
  setServiceFees,
  type Spread,
} from '../../../features/rates/index.ts'
import { defineCommand, record, UsageError, type Input } from '../../command.ts'
import { inHouse, inPlatform } from '../../in-platform.ts'
import {
  listRequiredPrices,
  RequiredPriceSchema,
  SHOWN_DIGITS,
} from '../../queries/required-prices.ts'
import { FEES, LIMIT, shownFees, shownLimit } from '../../queries/shown-terms.ts'
import { ONE_PLATFORM } from '../../queries/list-filters.ts'
import { fourEyesIf, movesFar } from './price-moves.ts'

const PriceSchema = record({
  currency: Type.String(),
  provider: Type.Optional(Type.String()),
  unitsPerUsd: Type.String(),
  bid: Type.String(),
  ask: Type.String(),
  setAt: timestamp(),
  validUntil: timestamp(),
  isFresh: Type.Boolean(),
})

function currencyOf(text: string | undefined, name: string): string {
  if (text === undefined || !findCurrency(text)) {
    throw new UsageError(`--${name} is a currency code, as in USD.`)
  }
  return text
}

function amountOf(text: string, name: string): bigint {
  const amount = amountFromText(text)
  if (amount === undefined || amount > AMOUNT_MAX) {
    throw new UsageError(`--${name} is a whole number of smallest units.`)
  }
  return amount
}

/** `USD:50`: so many smallest units of a currency. */
function moneyOf(input: Input, name: string): Money | undefined {
  const text = input.option(name)
  if (text === undefined) return undefined
  const [currency, amount = ''] = text.split(':')
  return { currency: currencyOf(currency, name), amount: amountOf(amount, name) }
}

function bpsOf(input: Input, name: string, max = 10_000): number | undefined {
  const text = input.option(name)
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text) || Number(text) > max) {
    throw new UsageError(`--${name} is a whole number from 0 to ${max}.`)
  }
  return Number(text)
}

/** A spread of 100 percent would leave a rate of zero. */
const SPREAD_BPS_MAX = 9_999

/** `USD:EUR`: the currencies sent and received; empty for every pair. */
function spreadOf(input: Input): Spread | undefined {
  const bps = bpsOf(input, 'spread-bps', SPREAD_BPS_MAX)
  const pair = input.option('pair')
  if (bps === undefined) {
    if (pair !== undefined) throw new UsageError('--pair is for --spread-bps.')
    return undefined
  }
  if (pair === undefined) return { sending: '', receiving: '', bps }
  const [sending, receiving] = pair.split(':')
  return { sending: currencyOf(sending, 'pair'), receiving: currencyOf(receiving, 'pair'), bps }
}

const platformIn = (input: Input): Id<'platform'> =>
  mustParseId('platform', input.option('platform') ?? '')

const feesSet = defineCommand({
  name: 'fees set',
  access: {
    roles: ['ADMIN'],
    fourEyes: 'always',
    actsOn: ({ db }, input) => findServiceFees(db.read, platformIn(input)),
    writes: true,
  },
  about: 'What the service charges a platform; binds new quotes only.',
  options: {
    platform: ONE_PLATFORM,
    'service-bps': { about: 'Hundredths of a percent of a conversion.', value: 'N' },
    'service-fixed': { about: 'Per conversion that sends the currency.', value: 'CCY:N' },
    'application-fee': { about: 'Per withdrawal of the coin over a network.', value: 'CCY:N' },
    'spread-bps': { about: 'Kept back in the rate of every pair, or of --pair.', value: 'N' },
    pair: { about: 'Of --spread-bps: the currencies sent and received.', value: 'CCY:CCY' },
  },
  answers: record({ platformId: idField('platform'), ...FEES }),
  run: (deps, input) => {
    const platformId = input.option('platform') ?? ''
    const change = {
      bps: bpsOf(input, 'service-bps'),
      conversion: moneyOf(input, 'service-fixed'),
      withdrawal: moneyOf(input, 'application-fee'),
      spread: spreadOf(input),
    }
    return inPlatform(deps, { platformId, action: 'fees set' }, async (work) => {
      return { platformId, ...shownFees(await setServiceFees(work, change)) }
    })
  },
})

function limitOf(input: Input, name: string): bigint | null {
  const text = input.option(name)
  if (text === undefined) return null
  const limit = amountOf(text, name)
  if (limit === 0n) throw new UsageError(`--${name} is more than zero.`)
  return limit
}

const limitsSet = defineCommand({
  name: 'limits set',
  access: {
    roles: ['ADMIN'],
    fourEyes: 'always',
    actsOn: ({ db }, input) => listPaymentLimits(db.read, platformIn(input)),
    writes: true,
  },
  about: 'The most a platform may send in a currency, at once and on one day (UTC).',
  options: {
    platform: ONE_PLATFORM,
    currency: { about: 'The currency sent.', value: 'CCY', required: true },
    to: { about: 'Only towards this currency.', value: 'CCY' },
    'max-transaction': { about: 'At once, in smallest units.', value: 'N' },
    'daily-volume': { about: 'On one day, in smallest units.', value: 'N' },
  },
  answers: record({ platformId: idField('platform'), ...LIMIT }),
  run: (deps, input) => {
    const platformId = input.option('platform') ?? ''
    const to = input.option('to')
    const limit = {
      currency: currencyOf(input.option('currency'), 'currency'),
      receivingCurrency: to === undefined ? '' : currencyOf(to, 'to'),
      transactionMax: limitOf(input, 'max-transaction'),
      dailyVolumeMax: limitOf(input, 'daily-volume'),
    }
    return inPlatform(deps, { platformId, action: 'limits set' }, async (work) => {
      return { platformId, ...shownLimit(await setPaymentLimit(work, limit)) }
    })
  },
})

/** `EUR=0.92` or `BTC=1/120000`: units per 1 USD. */
function priceOf(word: string): { currency: string; price: Fraction } {
  const [currency = '', text = ''] = word.split('=')
  if (!findCurrency(currency) && !GAS_ASSETS.has(currency)) {
    throw new UsageError(`${currency} is neither a currency nor an asset that fees are paid in.`)
  }
  const price = /^(\d+(\.\d+)?|\d+\/[1-9]\d*)$/.test(text) ? parseFraction(text) : undefined
  if (!price || price.numerator === 0n) {
    throw new UsageError(`${word} is written as EUR=0.92 or BTC=1/120000, units per 1 USD.`)
  }
  return { currency, price }
}

/** The new prices, each with the last one that the operator set, of any age. */
async function movesOf(deps: Deps, input: Input) {
  const last = (await listPrices(deps)).filter(({ source }) => source === 'manual')
  return input.options('price').map((word) => {
    const { currency, price: to } = priceOf(word)
    return { from: last.find((one) => one.currency === currency)?.mid, to }
  })
}

/** A price that moves far from the last one needs a second operator. */
const fourEyesFor = async (deps: Deps, input: Input) =>
  fourEyesIf(
    (await movesOf(deps, input)).some(
      ({ from, to }) => from !== undefined && movesFar({ from, to }),
    ),
  )

const ratesSet = defineCommand({
  name: 'rates set',
  access: {
    roles: ['TREASURER'],
    fourEyesFor,
    actsOn: movesOf,
    scope: 'installation',
    writes: true,
  },
  about: 'Set prices for platforms without a provider of prices; a price holds for 15 minutes.',
  options: {
    price: {
      about: 'Units per 1 USD, as in EUR=0.92 or BTC=1/120000; may be repeated.',
      value: 'CCY=N',
      required: true,
      repeatable: true,
    },
  },
  takesMany: true,
  answers: Type.Array(PriceSchema),
  async run(deps, input) {
    const prices = input.options('price').map(priceOf)
    const resource = prices.map(({ currency }) => currency).join(',')
    await inHouse(deps, { action: 'rates set', resource }, (work) => setPrices(work, prices))
    return shownPrices(deps)
  },
})

const shownDecimal = (price: string): string =>
  toSignificantDigits(parseFraction(price), SHOWN_DIGITS)

const shownPrices = async (deps: Deps) =>
  (await listPrices(deps)).map(({ source, currency, mid, bid, ask, at, validUntil, isFresh }) => ({
    currency,
    ...(isProvider(source) && { provider: deps.providers.find(source)?.name ?? source }),
    unitsPerUsd: toSignificantDigits(mid, SHOWN_DIGITS),
    bid: shownDecimal(bid),
    ask: shownDecimal(ask),
    setAt: toWireTime(at),
    validUntil: toWireTime(validUntil),
    isFresh,
  }))

const ratesShow = defineCommand({
  name: 'rates show',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'The prices of the operator and of providers, with their age; stale ones are not used.',
  answers: Type.Array(PriceSchema),
  run: (deps) => shownPrices(deps),
})

const ratesRequired = defineCommand({
  name: 'rates required',
  access: { roles: ['VIEWER'], scope: 'installation' },
  about: 'Every price that production platforms need, and which of them are missing or stale.',
  answers: Type.Array(RequiredPriceSchema),
  run: (deps) => listRequiredPrices(deps),
})

export const paymentCommands = { feesSet, limitsSet, ratesShow, ratesSet, ratesRequired }
