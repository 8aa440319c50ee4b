/** A country's calling code and how many digits may follow it; without `digits`, E.164 alone limits them. */
export type CallingCode = Readonly<{ code: string; digits?: readonly [min: number, max: number] }>

export const PHONE_PATTERN = '^\\+[0-9]{6,14}$'

/** The pattern of this country's numbers, for descriptions and checks. */
export function phonePatternOf({ code, digits }: CallingCode): string {
  if (!digits) return `^\\+${code}[0-9]+$`
  const [min, max] = digits
  return `^\\+${code}[0-9]{${min === max ? `${min}` : `${min},${max}`}}$`
}

export function hasCallingCode(phone: string, callingCode: CallingCode): boolean {
  return new RegExp(phonePatternOf(callingCode)).test(phone)
}

/** Removes dots, hyphens, slashes, brackets and blanks. */
export function barePhone(text: string): string {
  return text.replace(/[\s./()-]/g, '')
}
