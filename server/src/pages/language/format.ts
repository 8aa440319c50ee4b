/** Dates, amounts and names of countries as a language writes them. */
import { currencyOf } from '../../kernel/money/currency.ts'
import type { Money } from '../../kernel/money/money.ts'
import { COUNTRY_CODES } from '../../kernel/text/country-codes.ts'
import type { Language } from './languages.ts'

/** British English, since the texts are; the days of other languages are written alike in all their countries. */
const tagOf = (language: Language): string => (language === 'en' ? 'en-GB' : language)

const once = <T>(make: (language: Language) => T): ((language: Language) => T) => {
  const made = new Map<Language, T>()
  return (language) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

const dates = once(
  (language) => new Intl.DateTimeFormat(tagOf(language), { dateStyle: 'long', timeZone: 'UTC' }),
)

const times = once(
  (language) =>
    new Intl.DateTimeFormat(tagOf(language), {
      ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
      timeZone: 'UTC',
    }),
)

/** `3 February 1990`. */
export const dateText = (language: Language, date: Date): string => dates(language).format(date)

export const timeText = (language: Language, at: Date): string => times(language).format(at)

export type NamedCountry = Readonly<{ value: string; label: string }>

/** Made for the first page of a language that needs it: names and their order take longer than most of a start. */
export const countries = once((language): readonly NamedCountry[] => {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const byName = new Intl.Collator(language)
  return [...COUNTRY_CODES]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => byName.compare(one.label, other.label))
})

export const countryName = (language: Language, code: string): string =>
  countries(language).find(({ value }) => value === code)?.label ?? code

/** The name of a currency; coins have none in other languages. */
export function currencyName(language: Language, code: string): string {
  const known = language === 'en' || !/^[A-Z]{3}$/.test(code)
  const name = known ? undefined : new Intl.DisplayNames([language], { type: 'currency' }).of(code)
  return name === undefined || name === code ? currencyOf(code).name : name
}

/** `12345678` of COP is `123,456.78 COP`; exact, however large. */
export function moneyText(language: Language, { amount, currency }: Money): string {
  return `${amountText(language, amount, currencyOf(currency).decimals)} ${currency}`
}

function amountText(language: Language, amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(-decimals)]
  const format = new Intl.NumberFormat(language, {
    ...{ minimumFractionDigits: decimals, useGrouping: 'always' },
  })
  return format.format(
    `${BigInt(whole)}${decimals > 0 ? `.${rest}` : ''}` as Intl.StringNumericLiteral,
  )
}

/** Whole numbers, such as 1,000,000. */
export const numberText = (language: Language, value: bigint): string =>
  amountText(language, value, 0)

/** A typed amount in smallest units; undefined where it is none. Read with the separators of the language. */
export function amountOf(language: Language, typed: string, currency: string): bigint | undefined {
  const { decimals } = currencyOf(currency)
  const { group, decimal } = separators(language)
  const plain = typed.trim().replaceAll(/\s/g, ' ')
  const [whole = '', rest = '', ...more] = plain.split(decimal)
  const isGrouped = whole
    .split(group)
    .every((part, n) => (n === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part))
  const isWhole = isGrouped || /^\d+$/.test(whole)
  const isRest = plain.includes(decimal) ? /^\d+$/.test(rest) : rest === ''
  if (more.length > 0 || !isWhole || !isRest || rest.length > decimals) return undefined
  return BigInt(`${whole.replaceAll(group, '')}${rest.padEnd(decimals, '0')}`)
}

/** How an amount may be typed: 50,000 or 1250.50. */
export const amountExamples = (language: Language) => ({
  whole: numberText(language, 50_000n),
  decimal: `1250${separators(language).decimal}50`,
})

/** Blanks of any width count as one. */
const separators = once((language) => {
  const parts = new Intl.NumberFormat(language, { useGrouping: 'always' }).formatToParts(12_345.6)
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  return { group: of('group').replaceAll(/\s/g, ' '), decimal: of('decimal') }
})

/** `A, B or C`. */
export const eitherText = (language: Language, labels: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(labels)

/** A label inside of a sentence; German writes its nouns with a capital wherever they stand. */
export const inSentence = (language: Language, label: string): string =>
  language === 'de' ? label : `${label.charAt(0).toLocaleLowerCase(language)}${label.slice(1)}`
