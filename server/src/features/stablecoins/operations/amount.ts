/** Amounts of a coin: decimal strings of its smallest unit on the wire (STBL-10). */

const AMOUNT_MAX = 2n ** 63n - 1n
const AMOUNT_DIGITS_MAX = AMOUNT_MAX.toString().length
/** Banks count in hundredths. */
const CENT_DECIMALS = 2

/** The amount that digits stand for; undefined where it is zero, too large, or not a whole number of cents. */
export function parseCoinAmount(digits: string, decimals: number): bigint | undefined {
  const significant = digits.replace(/^0+/, '')
  if (significant === '' || significant.length > AMOUNT_DIGITS_MAX) return undefined
  const amount = BigInt(significant)
  if (amount > AMOUNT_MAX) return undefined
  return amount % unitsPerCent(decimals) === 0n ? amount : undefined
}

/** STBL-20: what a bank is paid for the amount. */
export function toCents(amount: bigint, decimals: number): bigint {
  return decimals < CENT_DECIMALS
    ? amount * 10n ** BigInt(CENT_DECIMALS - decimals)
    : amount / unitsPerCent(decimals)
}

const unitsPerCent = (decimals: number): bigint =>
  decimals > CENT_DECIMALS ? 10n ** BigInt(decimals - CENT_DECIMALS) : 1n
