/**
 * The one redaction list (CORE-91): what may never reach a log, by the name it goes under and by
 * what it looks like. Everything that is logged passes through `redact` (infra/logging/log.ts).
 *
 * Names are compared without case and punctuation, so `clientSecret`, `client_secret` and
 * `Client-Secret` are one. When in doubt a name belongs on the list: a log line that says too
 * little is repaired by the next release, one that says too much by nobody.
 */
import { types } from 'node:util'
import { findCurrency } from '../../kernel/money/currency.ts'
import { ERRORS } from '../../kernel/errors.ts'
import { redactText } from './redact-text.ts'

export const REDACTED = '[redacted]'

const DEPTH_MAX = 10
const ITEMS_MAX = 100

const HIDDEN_NAMES = new Set([
  // credentials and keys
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'apikey', 'masterkey'],
  ...['seed', 'walletseed', 'mnemonic', 'signingkey', 'sessionkey', 'totpuri'],
  // signed and sealed material
  ...['payloadtosign', 'messagetosign'],
  // government identifiers
  ...['identifier', 'taxid', 'ssn', 'itin', 'ein', 'nationalid'],
  ...['documentnumber', 'identificationnumber', 'passportnumber'],
  // cards
  ...['cardnumber', 'pan', 'primaryaccountnumber', 'cvv', 'cvv2', 'cvc', 'securitycode', 'pin'],
  // codes that open something (`code` itself: see mayShowCode)
  ...['otp', 'otpcode', 'totp', 'codes', 'recoverycodes', 'devicecode', 'invitationcode'],
  // links that hold such a code
  ...['kycurl', 'verificationlink', 'panembedurl'],
  // whole requests, stored answers, documents
  ...['body', 'rawbody', 'requestbody', 'responsebody', 'storedbody', 'file', 'content'],
])
const HIDDEN_PARTS = /secret|password|passphrase|privatekey|^encrypted|(?:token|signature|otp)$/

/** Identify an account with a bank, a mobile operator or on a chain: shown as their last four. */
const MASKED_NAMES = new Set([
  ...['accountnumber', 'bankaccountnumber', 'accountidentifier', 'iban', 'clabe', 'clabenumber'],
  ...['pixkey', 'vpa', 'phone', 'phonenumber', 'address', 'walletaddress', 'destinationaddress'],
  ...['lightningaddress', 'invoice', 'bolt12'],
])

/** The last four characters, where at least as many stay hidden (EACC-19). */
export function maskIdentifier(identifier: string): string {
  return identifier.length < 8 ? '****' : `****${identifier.slice(-4)}`
}

/** A copy that may be logged; plain data, whatever it was made of. */
export function redact(value: unknown): unknown {
  return redactValue(value, [])
}

function redactValue(value: unknown, parents: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
      return redactText(value)
    case 'number':
    case 'bigint':
      return redactNumber(value)
    case 'object':
      return value === null ? null : redactObject(value, parents)
    case 'function':
    case 'symbol':
      return `[${typeof value}]`
    default:
      return value
  }
}

function redactNumber(value: number | bigint): unknown {
  const text = String(value)
  const shown = redactText(text)
  return shown === text && typeof value === 'number' ? value : shown
}

function redactObject(value: object, parents: readonly object[]): unknown {
  if (parents.includes(value)) return '[circular]'
  if (parents.length >= DEPTH_MAX) return '[deeper]'
  const within = [...parents, value]

  if (value instanceof Error) return redactError(value, within)
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? '[no date]' : value.toISOString()
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value))
    return `[${value.byteLength} bytes]`
  if (value instanceof Set) return redactItems([...value], within)
  if (Array.isArray(value)) return redactItems(value, within)
  if (value instanceof Map) return redactEntries([...value], within)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return redactValue(value.toJSON(), within)
  }
  return isPlain(value) ? redactEntries(Object.entries(value), within) : `[${nameOfClass(value)}]`
}

/** Objects of a class (sockets, requests, keys) are named, not opened: nobody knows what they hold. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function nameOfClass(value: object): string {
  return typeof value.constructor === 'function' ? value.constructor.name : 'object'
}

function redactItems(items: readonly unknown[], within: readonly object[]): unknown[] {
  const shown = items.slice(0, ITEMS_MAX).map((item) => redactValue(item, within))
  return items.length > ITEMS_MAX ? [...shown, `[${items.length - ITEMS_MAX} more]`] : shown
}

function redactEntries(entries: readonly [unknown, unknown][], within: readonly object[]): object {
  return Object.fromEntries(
    entries.map(([key, value]) => [String(key), redactNamed(String(key), value, within)]),
  )
}

function redactNamed(key: string, value: unknown, within: readonly object[]): unknown {
  // That something is absent, or only whether it is there, tells nothing.
  if (value === undefined || value === null || typeof value === 'boolean') return value
  const treatment = treatmentOf(key)
  if (treatment === 'hidden') return REDACTED
  if (treatment === 'code' && !mayShowCode(value)) return REDACTED
  if (treatment === 'masked' && typeof value !== 'object') return maskIdentifier(String(value))
  return redactValue(value, within)
}

type Treatment = 'hidden' | 'code' | 'masked' | 'shown'

/** The names of the API come again and again. Those that callers make up must not fill the memory. */
const treatments = new Map<string, Treatment>()
const KNOWN_NAMES_MAX = 2_000
const KNOWN_NAME_CHARS_MAX = 64

function treatmentOf(key: string): Treatment {
  const known = treatments.get(key)
  if (known) return known
  const treatment = judgeName(key.toLowerCase().replace(/[^a-z0-9]/g, ''))
  if (treatments.size < KNOWN_NAMES_MAX && key.length <= KNOWN_NAME_CHARS_MAX)
    treatments.set(key, treatment)
  return treatment
}

function judgeName(name: string): Treatment {
  if (HIDDEN_NAMES.has(name) || HIDDEN_PARTS.test(name)) return 'hidden'
  if (name === 'code') return 'code'
  return MASKED_NAMES.has(name) ? 'masked' : 'shown'
}

/** `code` is a one-time code or an invitation, unless it is an error's or a currency's. */
function mayShowCode(value: unknown): boolean {
  if (typeof value !== 'string') return false
  return Object.hasOwn(ERRORS, value) || findCurrency(value) !== undefined
}

/** Message, stack and causes, and what the error carries; its own `code` is never a secret. */
function redactError(error: Error, within: readonly object[]): object {
  const { name, message, stack, cause } = error
  const errors: unknown = 'errors' in error ? error.errors : undefined
  const { code, ...carried } = error as Error & { code?: unknown }
  return {
    type: nameOfClass(error) === 'Error' ? name : nameOfClass(error),
    message: redactText(message),
    ...(code !== undefined && { code: redactValue(code, within) }),
    ...redactEntries(
      Object.entries(carried).filter(([key]) => key !== 'name' && key !== 'message'),
      within,
    ),
    ...(stack !== undefined && { stack: redactText(stack) }),
    ...(cause !== undefined && { cause: redactValue(cause, within) }),
    ...(Array.isArray(errors) && { errors: redactItems(errors, within) }),
  }
}
