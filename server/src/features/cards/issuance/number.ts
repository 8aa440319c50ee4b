/** The Luhn sum: from the last digit on, every second digit counts double. */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, character, place) => {
    const digit = character.charCodeAt(0) - '0'.charCodeAt(0)
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    return sum + (place % 2 === 1 ? doubled : digit)
  }, 0)
}

/** The number with its Luhn check digit appended. */
export const withCheckDigit = (digits: string): string =>
  `${digits}${(10 - (luhnSum(`${digits}0`) % 10)) % 10}`

export const last4Of = (number: string): string => number.slice(-4)

/** In groups of four, as printed on a card. */
export const inGroups = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')
