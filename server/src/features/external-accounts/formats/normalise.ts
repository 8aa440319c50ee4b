/** Removes blanks and other readability marks before a value is checked, stored and returned (EACC-4). Idempotent. */
import { lowerIfAllUpper } from './wallet/bech32-text.ts'
import { barePhone } from './bank/phone.ts'
import { bareSortCode } from './bank/national-number.ts'

/** `siblings` are the other fields of the request: how a PIX key is written depends on its type. */
export type Normaliser = (text: string, siblings: Readonly<Record<string, unknown>>) => string

export const trimmed: Normaliser = (text) => text.trim()

/** Account, routing, branch and card-like numbers. */
export const withoutBlanks: Normaliser = (text) => text.replace(/\s/g, '')

export const ibanText: Normaliser = (text) => text.replace(/\s/g, '').toUpperCase()

export const bicText: Normaliser = (text) => text.trim().toUpperCase()

export const sortCodeText: Normaliser = (text) => bareSortCode(text)

export const phoneText: Normaliser = (text) => barePhone(text)

/** CPF and CNPJ are written with the same marks as phone numbers. */
export const taxIdText: Normaliser = (text) => barePhone(text)

export const bech32Text: Normaliser = (text) => lowerIfAllUpper(text.trim())

const PUNCTUATED_PIX_KEYS = ['CPF', 'CNPJ', 'PHONE']

export const pixKeyText: Normaliser = (text, { pixKeyType: type }) =>
  typeof type === 'string' && PUNCTUATED_PIX_KEYS.includes(type.trim())
    ? barePhone(text)
    : text.trim()
