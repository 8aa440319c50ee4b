/** Which language a visitor reads. Pure. */

/** The languages of the hosted pages, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
} as const

export type Language = keyof typeof LANGUAGES

const DEFAULT: Language = 'en'

export const languageNamed = (name: unknown): Language | undefined =>
  typeof name === 'string' && Object.hasOwn(LANGUAGES, name) ? (name as Language) : undefined

type Wanted = Readonly<{ name: string; weight: number }>

/** One entry of the header: `de-AT;q=0.8` wants German at 0.8. */
function wantedBy(entry: string): Wanted {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? parseFloat(quality) : 0
  return { name: range.split('-')[0] ?? '', weight }
}

const ENTRIES_MAX = 50

/** The language that an `Accept-Language` header wants most; of equals the first, English without any (OPER-190). */
export function preferredLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',', ENTRIES_MAX)
    .map(wantedBy)
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return wanted.flatMap(({ name }) => languageNamed(name) ?? [])[0] ?? DEFAULT
}
