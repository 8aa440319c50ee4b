import { invariant } from '../../../kernel/invariant.ts'
import { AMOUNT_MAX, maxOf, minOf, type Money } from '../../../kernel/money/money.ts'
import { divide } from '../../../kernel/money/rate.ts'
import type { Rate } from '../../../kernel/money/rate.ts'

export type LockSide = 'SENDING' | 'RECEIVING'

/** Fees in the sending currency: fixed parts, and rates on the amount that remains after all fixed parts. */
export type Fees = Readonly<{
  fixed: Readonly<{ service: bigint; platform: bigint }>
  bps: Readonly<{ service: bigint; platform: bigint }>
}>

export type PriceRequest = Fees &
  Readonly<{ lock: Readonly<{ side: LockSide; amount: bigint }>; rate: Rate }>

/** sending = serviceFees + platformFees + net, to the unit; all but `receiving` in the sending currency. */
export type Price = Readonly<{
  sending: Money
  receiving: Money
  fees: bigint
  serviceFees: bigint
  platformFees: bigint
  /** Vs, the variable part of the service's fee, which rateDetails shows by itself. */
  serviceVariableFee: bigint
  net: bigint
}>

export type OutOfRange = Readonly<{ ok: false; code: 'AMOUNT_OUT_OF_RANGE' }>

const OUT_OF_RANGE: OutOfRange = Object.freeze({ ok: false, code: 'AMOUNT_OUT_OF_RANGE' })

/** Basis points in the whole. */
export const BPS = 10_000n

/**
 * Prices a payment exactly (chapter 31, section 4). Fees round up and deliveries down, so neither the service nor
 * the platform loses a unit; what is left of a unit stays in FX. The locked side equals the request (RATE-1).
 * Refuses: AMOUNT_OUT_OF_RANGE (RATE-5).
 */
export function price(request: PriceRequest): Readonly<{ ok: true } & Price> | OutOfRange {
  const { lock, rate, fixed, bps } = request
  invariant(
    [fixed.service, fixed.platform, bps.service, bps.platform].every((part) => part >= 0n),
    'A fee is not negative.',
  )
  if (lock.amount < 1n || lock.amount > AMOUNT_MAX) return OUT_OF_RANGE
  if (bps.service + bps.platform >= BPS) return OUT_OF_RANGE

  const base =
    lock.side === 'SENDING'
      ? lock.amount - fixed.service - fixed.platform
      : leastBaseFor(needFor({ receiving: lock.amount, rate }), bps)
  if (base < 1n) return OUT_OF_RANGE

  const split = splitBase(base, bps)
  const sending = base + fixed.service + fixed.platform
  const receiving = lock.side === 'SENDING' ? deliveredFrom(split.net, rate) : lock.amount
  if (split.net < 1n || receiving < 1n) return OUT_OF_RANGE
  if (sending > AMOUNT_MAX || receiving > AMOUNT_MAX) return OUT_OF_RANGE

  const serviceFees = fixed.service + split.serviceFee
  const platformFees = fixed.platform + split.platformFee
  return {
    ok: true,
    sending: { amount: sending, currency: rate.from },
    receiving: { amount: receiving, currency: rate.to },
    fees: serviceFees + platformFees,
    serviceFees,
    platformFees,
    serviceVariableFee: split.serviceFee,
    net: split.net,
  }
}

/** A = Vs + Vp + net, both variable fees rounded up. */
function splitBase(base: bigint, bps: Fees['bps']) {
  const serviceFee = divide({ numerator: base * bps.service, denominator: BPS }, 'up')
  const platformFee = divide({ numerator: base * bps.platform, denominator: BPS }, 'up')
  return { serviceFee, platformFee, net: base - serviceFee - platformFee }
}

/** R = floor(net × N / D). */
function deliveredFrom(net: bigint, { numerator, denominator }: Rate): bigint {
  return divide({ numerator: net * numerator, denominator }, 'down')
}

/** need = ceil(R × D / N): the least net that delivers R. */
function needFor({ receiving, rate }: { receiving: bigint; rate: Rate }): bigint {
  return divide({ numerator: receiving * rate.denominator, denominator: rate.numerator }, 'up')
}

/**
 * The least A with net(A) ≥ need. No smaller A than the start can do, and net rises by at most 1 a step, so the
 * first A that reaches need meets it exactly. It may also fall by 1 (both fees step at once), hence no bisection;
 * the walk is at most 2 / (1 − rates) steps long.
 */
function leastBaseFor(need: bigint, bps: Fees['bps']): bigint {
  const kept = BPS - bps.service - bps.platform
  let base = divide({ numerator: need * BPS, denominator: kept }, 'up')
  if (base > AMOUNT_MAX) return base
  while (splitBase(base, bps).net < need) base += 1n
  invariant(splitBase(base, bps).net === need, 'The least base meets the need exactly.')
  return base
}

export type SendingRange = Readonly<{ min: bigint; max: bigint }>

/**
 * The least and the greatest amount within bounds that can be sent; undefined where none can (RATE-5, RATE-9). Some amounts
 * between them may still be refused: where both fees step at once, one unit more may deliver nothing again.
 */
export function sendingRange(
  { rate, fixed, bps }: Fees & Readonly<{ rate: Rate }>,
  within: SendingRange,
): SendingRange | undefined {
  const quoteOf = (side: LockSide, amount: bigint) =>
    price({ fixed, bps, rate, lock: { side, amount } })
  const isPriced = (amount: bigint): boolean => quoteOf('SENDING', amount).ok
  const least = quoteOf('RECEIVING', 1n)
  if (!least.ok) return undefined
  const ceiling = minOf(within.max, AMOUNT_MAX)
  let max = isPriced(ceiling) ? ceiling : minOf(ceiling, mostFor({ rate, fixed, bps }))
  let min = maxOf(least.sending.amount, within.min)
  while (min <= max && !isPriced(min)) min += 1n
  while (max > min && !isPriced(max)) max -= 1n
  return min <= max ? { min, max } : undefined
}

/** No greater S delivers an amount that fits: each variable fee is less than 1 above its share, so net > A × kept − 2. */
function mostFor({ rate, fixed, bps }: Fees & Readonly<{ rate: Rate }>): bigint {
  const numerator = (AMOUNT_MAX + 1n) * rate.denominator
  const netMax = divide({ numerator, denominator: rate.numerator }, 'up') - 1n
  const kept = BPS - bps.service - bps.platform
  const baseMax = divide({ numerator: (netMax + 2n) * BPS, denominator: kept }, 'down')
  return baseMax + fixed.service + fixed.platform
}
