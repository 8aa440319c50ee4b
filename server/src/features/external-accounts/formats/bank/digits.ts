const ZERO = '0'.charCodeAt(0)

/** The digits of a text that holds nothing else. */
export function digitsOf(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0) - ZERO)
}

/** Σ digit × weight; weights repeat when they are fewer than the digits. */
export function weightedSum(digits: readonly number[], weights: readonly number[]): number {
  return digits.reduce(
    (sum, digit, index) => sum + digit * (weights[index % weights.length] as number),
    0,
  )
}
