/**
 * The formats of `constraint.format` that need no library: pure predicates on text (CORE-31). Formats with national
 * tables, chains or checksums are checked where they are used.
 */
import { isCalendarDate, parseWireTime } from '../clock.ts'
import { isCountryCode } from './country-codes.ts'
import { isCurrencyCode } from '../money/currency.ts'
import { isUuid, parseAnyId } from '../ids.ts'

export type Format = (text: string) => boolean

export const E164_PATTERN = '^\\+[1-9]\\d{1,14}$'
const SSN_PATTERN = '^\\d{3}-\\d{2}-\\d{4}$'
const ITIN_PATTERN = '^9\\d{2}-\\d{2}-\\d{4}$'
const EIN_PATTERN = '^\\d{2}-?\\d{7}$'

const URL_LENGTH_MAX = 2048
const HOST_LENGTH_MAX = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const UMA_USER = /^\$[a-z0-9_.+-]{1,63}$/i

/** One `@`, a local part of 1 to 64 characters, a domain with a dot, no white space or control character (CUST-13). */
function isEmail(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@')
  if (rest.length > 0 || /[\s\p{Cc}]/u.test(text)) return false
  return local.length >= 1 && local.length <= 64 && /^[^.]+(?:\.[^.]+)+$/.test(domain)
}

/** A telephone number as people write it; a number to be dialled by machine is `e.164`. */
function isTelephone(text: string): boolean {
  if (!/^\+?[0-9 ()./-]+$/.test(text)) return false
  const digits = text.replace(/\D/g, '').length
  return digits >= 3 && digits <= 15
}

/** Absolute, http or https, without user info. Each field decides for itself which hosts are allowed. */
function isUrl(text: string): boolean {
  if (text.length > URL_LENGTH_MAX || !/^https?:\/\/[^\s\\]+$/i.test(text)) return false
  if (!URL.canParse(text)) return false
  const { username, password, hostname } = new URL(text)
  return username === '' && password === '' && hostname !== ''
}

/** A DNS name of at least two labels (CFG-14). */
export function isDomainName(text: string): boolean {
  const labels = text.split('.')
  return text.length <= HOST_LENGTH_MAX && labels.length >= 2 && labels.every((l) => LABEL.test(l))
}

function isUmaAddress(text: string): boolean {
  const [user = '', domain = '', ...rest] = text.split('@')
  return rest.length === 0 && UMA_USER.test(user) && isDomainName(domain)
}

/** A well-formed tag. The grammar allows longer language subtags, but none was ever registered. */
function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(?:-|$)/i.test(text)) return false
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

function matches(pattern: string): Format {
  const expression = new RegExp(pattern)
  return (text) => expression.test(text)
}

export const FORMATS: Readonly<Record<string, Format>> = Object.freeze({
  email: isEmail,
  tel: isTelephone,
  url: isUrl,
  date: isCalendarDate,
  'date-time': (text: string) => parseWireTime(text) !== undefined,
  'iso3166-1-alpha-2': isCountryCode,
  iso4217: isCurrencyCode,
  'bcp47-language-tag': isLanguageTag,
  'us-ssn': matches(SSN_PATTERN),
  'us-itin': matches(ITIN_PATTERN),
  'us-ein': matches(EIN_PATTERN),
  'e.164': matches(E164_PATTERN),
  uuid: isUuid,
  'resource-id': (text: string) => parseAnyId(text) !== undefined,
  'uma-address': isUmaAddress,
})

const FORMAT_WORDS: Readonly<Record<string, string>> = Object.freeze({
  email: 'an e-mail address',
  tel: 'a telephone number',
  url: 'an absolute http or https address',
  date: 'a date as YYYY-MM-DD',
  'date-time': 'an ISO 8601 instant with its offset, such as 2026-01-31T12:00:00Z',
  'iso3166-1-alpha-2': 'a country code of two capital letters, such as US',
  iso4217: 'a currency code, such as USD',
  'bcp47-language-tag': 'a language tag, such as en-US',
  'us-ssn': 'a social security number as 123-45-6789',
  'us-itin': 'a taxpayer number as 912-34-5678',
  'us-ein': 'an employer number as 12-3456789',
  'e.164': 'a telephone number with + and country code, such as +14155550123',
  uuid: 'a UUID',
  'resource-id': 'an id as <Type>:<uuid>',
  'uma-address': 'a UMA address, such as $name@example.com',
  iban: 'an IBAN with right check digits, such as DE89370400440532013000',
  bic: 'a BIC of 8 or 11 characters, such as DEUTDEFF',
  clabe: 'a CLABE of 18 digits with a right check digit, such as 032180000118359719',
  cpf: 'a CPF of 11 digits with right check digits',
  cnpj: 'a CNPJ of 14 digits with right check digits',
  ifsc: 'an IFSC, such as HDFC0001234',
  'aba-routing-number': 'a routing number of 9 digits with a right check digit, such as 021000021',
  'upi-vpa': 'a UPI address, such as name@bank',
  'lightning-address': 'a Lightning address, such as name@example.com',
  bolt11: 'a BOLT11 invoice that can be paid, such as lnbc…',
  bolt12: 'a BOLT12 offer, such as lno1…',
  'evm-address': 'an address of 0x and 40 hex digits, with right capitals (EIP-55) or none',
  'solana-address': 'a Solana address in base58',
  'spark-address': 'a Spark address with its checksum, such as spark1…',
  'tron-address': 'a Tron address with its checksum, such as T…',
})

/** The message of a field that does not have this format. */
export const formatMessage = (format: string): string =>
  `must be ${FORMAT_WORDS[format] ?? `a valid ${format}`}`
