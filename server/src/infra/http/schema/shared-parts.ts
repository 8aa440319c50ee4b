import type { Ajv } from 'ajv'
import type { TSchema } from './type.ts'

/**
 * Gives each named part to the compiler once and refers to it. Otherwise a customer would be compiled again in every
 * reply that contains one.
 */
export function sharingParts(ajv: Ajv): (schema: TSchema) => object {
  const keys = new Map<string, string>()
  const keyOf = (name: string, part: object): string => {
    const text = JSON.stringify(part)
    const known = keys.get(text)
    if (known !== undefined) return known
    const key = `${name}-${keys.size}`
    keys.set(text, key)
    ajv.addSchema(part, key)
    return key
  }
  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share)
    if (typeof value !== 'object' || value === null) return value
    const { 'x-name': name, ...rest } = value as Record<string, unknown>
    const part = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, share(one)]))
    return typeof name === 'string' ? { $ref: keyOf(name, part) } : part
  }
  return (schema) => share(schema) as object
}
