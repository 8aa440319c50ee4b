import { hasNamedFormat } from '../named-format.ts'
import { digitsOf, weightedSum } from './digits.ts'

const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]

/** Brazil's number of a person: nine digits and two check digits, mod 11. Equal digits are never issued. */
export function isCpf(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text) || /^(.)\1+$/.test(text)) return false
  const digits = digitsOf(text)
  return [9, 10].every((length) => {
    const sum = weightedSum(digits.slice(0, length), CPF_WEIGHTS.slice(-length))
    return digits[length] === ((sum * 10) % 11) % 10
  })
}

const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** Brazil's number of a company: twelve digits and two check digits, mod 11. Equal digits are never issued. */
export function isCnpj(text: string): boolean {
  if (!/^[0-9]{14}$/.test(text) || /^(.)\1+$/.test(text)) return false
  const digits = digitsOf(text)
  return [12, 13].every((length) => {
    const rest = weightedSum(digits.slice(0, length), CNPJ_WEIGHTS.slice(-length)) % 11
    return digits[length] === (rest < 2 ? 0 : 11 - rest)
  })
}

export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'] as const
export type PixKeyType = (typeof PIX_KEY_TYPES)[number]

/** Brazil's central bank allows an e-mail key 77 characters. */
const EMAIL_KEY_LENGTH_MAX = 77

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const FORMS: Readonly<Record<PixKeyType, (key: string) => boolean>> = {
  CPF: (key) => /^[0-9]{11}$/.test(key),
  CNPJ: (key) => /^[0-9]{14}$/.test(key),
  EMAIL: (key) => key.length <= EMAIL_KEY_LENGTH_MAX && hasNamedFormat('email', key),
  PHONE: (key) => /^\+55[0-9]{10,11}$/.test(key),
  RANDOM: (key) => UUID.test(key) || /^[0-9a-f]{32}$/i.test(key),
}

export function isPixKeyType(text: unknown): text is PixKeyType {
  return PIX_KEY_TYPES.some((type) => type === text)
}

/** Form: the key has the format of its type. */
export function fitsPixKeyType({ key, type }: { key: string; type: PixKeyType }): boolean {
  return FORMS[type](key)
}
