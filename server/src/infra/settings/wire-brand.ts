/**
 * The word `Service` in names of the API is a brand, which an installation may replace (CORE-11). Only the edge knows
 * the other brand: it maps requests to `Service` first of all, and answers back last.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../kernel/errors.ts'

export const DEFAULT_BRAND = 'Service'

const FIELDS = [
  'serviceApiMultiplier',
  'serviceApiFixedFee',
  'serviceApiVariableFeeRate',
  'serviceApiVariableFeeAmount',
  'serviceOperationsStatus',
]
/** By the field that holds it, so that the same text elsewhere, which may be anybody's, stays. */
const VALUES: Readonly<Record<string, string>> = {
  type: 'SERVICE_INTERNAL_ACCOUNT',
  stateReason: 'CLOSED_BY_SERVICE',
  code: 'SERVICE_SWITCH_ERROR',
}
const SIGNATURE_HEADER = 'Service-Wallet-Signature'
const NAMES = [...FIELDS, ...Object.values(VALUES), SIGNATURE_HEADER, 'X-Service-Signature']

/** Clients of another brand know one name for accounts in dollars; with the default brand, instructions have their own. */
const DOLLARS = { field: 'accountType', from: 'US_ACCOUNT', to: 'USD_ACCOUNT' }

type Headers = Readonly<Record<string, string | undefined>>
type Read<T> = Readonly<{ value: T; errors: readonly FieldError[] }>

export type WireBrand = Readonly<{
  word: string
  /** A name as this installation writes it; a name without the brand is its own. */
  spell(name: string): string
  /** Every branded name that stands in a text. */
  inText(text: string): string
  /** A body that is answered or sent. */
  toWire(body: unknown): unknown
  /** A refusal: it names fields and values in sentences and lists. */
  errorToWire(body: unknown): unknown
  /** What was sent, of either spelling. Both at once with different values are reported at the branded name. */
  fromWire(sent: unknown): Read<unknown>
  headersFromWire(headers: Headers): Read<Headers>
}>

const made = new Map<string, WireBrand>()

/** Undefined for the default brand, where there is nothing to map. */
export function wireBrand(word: string): WireBrand | undefined {
  if (word === DEFAULT_BRAND) return undefined
  const brand = made.get(word) ?? createBrand(word)
  made.set(word, brand)
  return brand
}

/** JSON text that is stored with the default brand, as it is sent (CORE-11). */
export function brandedText(json: string, word: string): string {
  const brand = wireBrand(word)
  return brand ? JSON.stringify(brand.toWire(JSON.parse(json))) : json
}

function createBrand(word: string): WireBrand {
  const spellings: Readonly<Record<string, string>> = {
    Service: word,
    SERVICE: word.toUpperCase(),
    // ACMEPay begins a field as acmePay does.
    service: word.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase()),
  }
  const branded = new Map(
    NAMES.map((name) => [name, name.replace(/service/i, (found) => spellings[found] ?? found)]),
  )
  const spell = (name: string): string => branded.get(name) ?? name
  const anyName = new RegExp(`\\b(?:${NAMES.join('|')})\\b`, 'g')
  const inText = (text: string): string => text.replaceAll(anyName, spell)
  return {
    word,
    spell,
    inText,
    toWire: (body) => outgoing(body, spell),
    errorToWire: (body) => mapTexts(body, inText),
    fromWire: (sent) => incoming(sent, spell),
    headersFromWire: (headers) => incomingHeaders(headers, spell(SIGNATURE_HEADER)),
  }
}

type Spell = (name: string) => string

function outgoing(value: unknown, spell: Spell, field = ''): unknown {
  if (typeof value === 'string') {
    if (field === DOLLARS.field && value === DOLLARS.from) return DOLLARS.to
    return VALUES[field] === value ? spell(value) : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => outgoing(item, spell, field))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      FIELDS.includes(key) ? spell(key) : key,
      outgoing(inner, spell, key),
    ]),
  )
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, map)]),
  )
}

function incoming(sent: unknown, spell: Spell): Read<unknown> {
  const errors: FieldError[] = []
  const names = new Map(FIELDS.map((name) => [spell(name), name]))
  const read = (value: unknown, field: string, path: string): unknown => {
    if (typeof value === 'string') {
      const known = VALUES[field]
      return known !== undefined && value === spell(known) ? known : value
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item, n) => read(item, field, `${path}${n}.`))
    const entries = Object.entries(value).map(([key, inner]) => {
      const name = names.get(key) ?? key
      const mapped = read(inner, name, `${path}${key}.`)
      const isTwice = name !== key && Object.hasOwn(value, name)
      const other = isTwice ? read((value as Record<string, unknown>)[name], name, path) : mapped
      if (!isDeepStrictEqual(mapped, other)) errors.push(givenTwice(`${path}${key}`))
      return [name, mapped] as const
    })
    return Object.fromEntries(entries)
  }
  return { value: read(sent, '', ''), errors }
}

function incomingHeaders(headers: Headers, branded: string): Read<Headers> {
  const [given, known] = [headers[branded.toLowerCase()], headers[SIGNATURE_HEADER.toLowerCase()]]
  if (!given) return { value: headers, errors: [] }
  return {
    value: { ...headers, [SIGNATURE_HEADER.toLowerCase()]: given },
    errors: known && known !== given ? [givenTwice(branded)] : [],
  }
}

const givenTwice = (field: string): FieldError => ({
  field,
  message: 'is given in two spellings with different values',
})
