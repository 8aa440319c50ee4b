import { Type, type TSchema } from 'typebox'
import { declared, itemsOf, variantsOf, type Shape } from './schema-variants.ts'

function isOpen(variant: Shape): boolean {
  return (
    typeof variant['additionalProperties'] === 'object' ||
    variant['patternProperties'] !== undefined
  )
}

function walk(value: unknown, schemas: readonly Shape[], path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const variants = schemas.flatMap((schema) => variantsOf(schema, value))
  if (Array.isArray(value)) {
    const items = itemsOf(variants)
    return items.length === 0 ? [] : value.flatMap((item, n) => walk(item, items, `${path}${n}.`))
  }
  if (!variants.some((variant) => variant['properties']) || variants.some(isOpen)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = declared(variants, key)
    const isTaken = next?.some((schema) => schema['readOnly'] !== true)
    return next && isTaken ? walk(inner, next, `${path}${key}.`) : [`${path}${key}`]
  })
}

/** Of an operation that takes nothing: whatever is sent is ignored. */
export const NO_BODY: TSchema = Type.Object({})

/** What a client surely takes in one header; whoever sends more unknown fields than fit gets the first of them. */
const HEADER_CHARS_MAX = 4096

/**
 * CORE-8: the dot paths of the fields that no schema of the body names, or names as read-only, as a header; undefined
 * where all are taken.
 */
export function ignoredFieldsHeader(
  value: unknown,
  schema: TSchema,
): { 'Ignored-Fields': string } | undefined {
  const names = walk(value, [schema as Shape], '').map(headerSafe)
  if (names.length === 0) return undefined
  const shown = names.join(', ')
  if (shown.length <= HEADER_CHARS_MAX) return { 'Ignored-Fields': shown }
  const end = shown.lastIndexOf(', ', HEADER_CHARS_MAX)
  return { 'Ignored-Fields': shown.slice(0, end > 0 ? end : HEADER_CHARS_MAX) }
}

/** A header takes only visible ASCII and the list has its comma; a field name may hold anything. */
const headerSafe = (name: string): string =>
  name.toWellFormed().replace(/[^\x21-\x2b\x2d-\x7e]/gu, (char) => encodeURIComponent(char))
