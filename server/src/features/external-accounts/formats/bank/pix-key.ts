import { hasNamedFormat } from '../named-format.ts'

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

/** Form: the key looks like what its type says it is. */
export function fitsPixKeyType({ key, type }: { key: string; type: PixKeyType }): boolean {
  return FORMS[type](key)
}
