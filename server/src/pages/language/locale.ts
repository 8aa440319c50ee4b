/** The language of one request: what it says, and how it stays chosen from page to page. */
import type { FastifyRequest } from 'fastify'
import { html, type Html } from '../html.ts'
import { CATALOGUES } from './catalogue.ts'
import { languageNamed, preferredLanguage, type Language } from './languages.ts'
import type { PlainKey, TextKey, ValueName } from './text-keys.ts'

type Arguments<Key extends TextKey, Value> = [ValueName<Key>] extends [never]
  ? []
  : [values: Readonly<Record<ValueName<Key>, Value>>]

export type Locale = Readonly<{
  language: Language
  say<Key extends TextKey>(key: Key, ...values: Arguments<Key, string>): string
  /** A text with elements in it. */
  sayHtml<Key extends TextKey>(key: Key, ...values: Arguments<Key, string | Html>): Html
  /** Keeps the language in an address, where a link chose it; the browser's preference needs no help. */
  keep(address: string): string
}>

const PARAMETER = 'lang'

/** `?lang=de` decides, then the browser's preference (OPER-190). */
export function localeOf({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Locale {
  const chosen = languageNamed((query as Readonly<Record<string, unknown>>)[PARAMETER])
  return createLocale(chosen ?? preferredLanguage(headers['accept-language']), chosen)
}

export function createLocale(language: Language, chosen?: Language): Locale {
  const texts = CATALOGUES[language]
  const partsOf = (key: TextKey): string[] => texts[key].split(/\{(\w+)\}/)
  return {
    language,
    say: (key, ...values) => fill(partsOf(key), values[0] ?? {}).join(''),
    sayHtml: (key, ...values) => {
      const parts = fill<string | Html>(partsOf(key), values[0] ?? {})
      return html`${parts.map((part) => html`${part}`)}`
    },
    keep: (address) => (chosen ? withLanguage(address, chosen) : address),
  }
}

/** Every second part is the name of a value. */
const fill = <Value>(
  parts: readonly string[],
  values: Readonly<Record<string, Value>>,
): readonly (string | Value)[] =>
  parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? '')))

export const withLanguage = (address: string, language: Language): string =>
  `${address}${address.includes('?') ? '&' : '?'}${PARAMETER}=${language}`

/** The address of the page without its language. A form is sent to a path below its page, which cannot be opened. */
export function ownAddress({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string {
  const [path = '', query] = url.split('?')
  const kept = new URLSearchParams(query)
  kept.delete(PARAMETER)
  const isPage = method === 'GET' || method === 'HEAD'
  return `${isPage ? '' : `../${path.split('/').at(-2) ?? ''}`}?${kept.toString()}`
}

/** Whether a text of this name exists, for names that are made of the API's values. */
export const plainKey = (key: string): PlainKey | undefined =>
  Object.hasOwn(CATALOGUES.en, key) ? (key as PlainKey) : undefined
