import { addMs, MINUTE_MS, SECOND_MS } from '../../../kernel/clock.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { findCurrency } from '../../../kernel/money/currency.ts'
import { parseFraction } from '../../../kernel/money/fraction.ts'
import { INT64_MAX } from '../../../kernel/money/money.ts'
import type { TSchema } from '../../../infra/http/schema/type.ts'
import { requestValidator } from '../../../infra/http/schema/validate.ts'
import {
  NetworkFeeSchema,
  PriceSchema,
  type NetworkFeeBody,
  type PriceBody,
} from '../../../providers/http/messages/pushes.ts'
import { GAS_ASSETS, isNetwork, NETWORKS } from '../networks/networks.ts'
import { UNIT_CURRENCY } from '../prices/market.ts'
import { PRICE_LIFETIME_SECONDS } from '../prices/source.ts'

const AHEAD_MS_MAX = 5 * MINUTE_MS

/** A rule of a field: the message where it is broken. It sees fields that have the right form, all others are absent. */
type Rule<T> = readonly [field: keyof T & string, broken: (item: Partial<T>) => string | undefined]

const isGreater = (one: string, other: string): boolean => {
  const [a, b] = [parseFraction(one), parseFraction(other)]
  return a.numerator * b.denominator > b.numerator * a.denominator
}

const isZero = (decimal: string): boolean => parseFraction(decimal).numerator === 0n

type Validity = Readonly<{ at: string; validUntil: string }>

const validity = (now: Date): readonly Rule<Validity>[] => [
  [
    'at',
    ({ at }) =>
      at !== undefined && new Date(at) > addMs(now, AHEAD_MS_MAX)
        ? 'must not be more than 300 s ahead'
        : undefined,
  ],
  [
    'validUntil',
    ({ at, validUntil }) => {
      if (at === undefined || validUntil === undefined) return undefined
      const lastsMs = Date.parse(validUntil) - Date.parse(at)
      return lastsMs > 0 && lastsMs <= PRICE_LIFETIME_SECONDS * SECOND_MS
        ? undefined
        : `must be after at, by at most ${PRICE_LIFETIME_SECONDS} s`
    },
  ],
]

const PRICE_RULES: readonly Rule<PriceBody>[] = [
  [
    'currency',
    ({ currency }) => {
      if (currency === undefined) return undefined
      if (currency === UNIT_CURRENCY) return 'is what all prices are stated in'
      const isKnown = findCurrency(currency) !== undefined || GAS_ASSETS.has(currency)
      return isKnown ? undefined : 'is neither a currency nor a gas asset'
    },
  ],
  [
    'bid',
    ({ bid, ask }) => {
      if (bid === undefined) return undefined
      if (isZero(bid)) return 'must be above zero'
      return ask !== undefined && isGreater(bid, ask) ? 'must be at most ask' : undefined
    },
  ],
  ['ask', ({ ask }) => (ask !== undefined && isZero(ask) ? 'must be above zero' : undefined)],
]

const FEE_RULES: readonly Rule<NetworkFeeBody>[] = [
  [
    'network',
    ({ network }) =>
      network === undefined || isNetwork(network) ? undefined : 'is no network of this service',
  ],
  [
    'asset',
    ({ network, asset }) => {
      if (network === undefined || asset === undefined || !isNetwork(network)) return undefined
      const { feeAsset } = NETWORKS[network]
      return asset === feeAsset ? undefined : `must be ${feeAsset}`
    },
  ],
  [
    'amount',
    ({ amount }) =>
      amount !== undefined && BigInt(amount) > INT64_MAX
        ? `must be at most ${INT64_MAX}`
        : undefined,
  ],
]

/** Every field that breaks its form or a rule, at once: of a wrong form, or against the others (PROV-131). */
function problemsOf<T extends object>(
  item: unknown,
  { schema, rules }: Readonly<{ schema: TSchema; rules: readonly Rule<T>[] }>,
): FieldError[] {
  const wrong = requestValidator(schema)(item)
  if (typeof item !== 'object' || item === null) return wrong
  const isFormed = ([field]: [string, unknown]): boolean =>
    !wrong.some((error) => error.field === field)
  const formed = Object.fromEntries(Object.entries(item).filter(isFormed)) as Partial<T>
  const broken = rules.flatMap(([field, rule]) => {
    const message = rule(formed)
    return message === undefined ? [] : [{ field, message }]
  })
  return [...wrong, ...broken]
}

export const priceProblems = (item: unknown, now: Date): FieldError[] =>
  problemsOf<PriceBody>(item, { schema: PriceSchema, rules: [...PRICE_RULES, ...validity(now)] })

export const feeProblems = (item: unknown, now: Date): FieldError[] =>
  problemsOf<NetworkFeeBody>(item, {
    schema: NetworkFeeSchema,
    rules: [...FEE_RULES, ...validity(now)],
  })
