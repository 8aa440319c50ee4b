/** The digits of a number, its last one first, with their places: every second one counts double. */
function weightOf(digits: string): number {
  return [...digits].reverse().reduce((sum, character, place) => {
    const digit = character.charCodeAt(0) - '0'.charCodeAt(0)
    const doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
    return sum + (place % 2 === 1 ? doubled : digit)
  }, 0)
}

/** The number with the digit behind it that makes it pass the Luhn check. */
export const withCheckDigit = (digits: string): string =>
  `${digits}${(10 - (weightOf(`${digits}0`) % 10)) % 10}`

export const passesLuhnCheck = (number: string): boolean =>
  /^\d+$/.test(number) && weightOf(number) % 10 === 0

export const last4Of = (number: string): string => number.slice(-4)

/** As it stands on a card: in groups of four. */
export const inGroups = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')
