import type { TSchema } from '../schema/type.ts'
import type { Method } from '../operation.ts'
import { propertySchemas, itemsOf, variantsOf, type Shape } from '../schema/schema-variants.ts'

type Fields = Record<string, unknown>

/**
 * Removes the fields of a body that are null, so that they count as absent; entries of lists stay (CORE-7). In PATCH a
 * null clears a field, so it stays where fields change one by one, and the schema decides whether the field may be
 * cleared. Changes the body itself.
 */
export function dropNulls(body: unknown, { method, body: schema }: Described): void {
  if (method === 'PATCH' && schema) dropFromWholes(body, [schema as Shape], false)
  else dropAll(body)
}

type Described = Readonly<{ method: Method; body?: TSchema | undefined }>

function dropAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach(dropAll)
  for (const key of Object.keys(value)) {
    const inner = (value as Fields)[key]
    if (inner !== null) dropAll(inner)
    else delete (value as Fields)[key]
  }
}

/**
 * An object with required fields, and an entry of a list, is replaced as a whole: there null counts as absent. All other
 * objects of a PATCH merge field by field.
 */
function dropFromWholes(value: unknown, schemas: readonly Shape[], isWhole: boolean): void {
  if (isWhole) return dropAll(value)
  if (typeof value !== 'object' || value === null) return
  const variants = schemas.flatMap((schema) => variantsOf(schema, value))
  if (Array.isArray(value)) {
    for (const item of value) dropFromWholes(item, itemsOf(variants), true)
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null && variants.some((variant) => requiredOf(variant).includes(key))) {
      delete (value as Fields)[key]
    }
    const next = propertySchemas(variants, key) ?? []
    const isNextWhole = next
      .flatMap((schema) => variantsOf(schema, inner ?? {}))
      .some((variant) => requiredOf(variant).length > 0)
    dropFromWholes(inner, next, isNextWhole)
  }
}

const requiredOf = ({ required }: Shape): readonly string[] =>
  Array.isArray(required) ? (required as string[]) : []
