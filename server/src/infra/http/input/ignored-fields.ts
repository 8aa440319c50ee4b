import type { TSchema } from 'typebox'
import { Type } from '../schema/type.ts'
import { propertySchemas, itemsOf, variantsOf, type Shape } from '../schema/schema-variants.ts'

function isOpen(variant: Shape): boolean {
  return (
    typeof variant['additionalProperties'] === 'object' ||
    variant['patternProperties'] !== undefined
  )
}

/** The most members of a body that are searched: more names than fit into the header. */
const MEMBERS_MAX = 3_000

type Search = { readonly names: string[]; left: number }

/** Adds the paths of unknown fields; `path` ends with a dot or is empty. */
function walk(value: unknown, schemas: readonly Shape[], path: string, search: Search): void {
  if (typeof value !== 'object' || value === null) return
  const variants = schemas.flatMap((schema) => variantsOf(schema, value))
  if (Array.isArray(value)) {
    const items = itemsOf(variants)
    if (items.length === 0) return
    for (const [n, item] of value.entries()) {
      if ((search.left -= 1) < 0) return
      walk(item, items, `${path}${n}.`, search)
    }
    return
  }
  if (!variants.some((variant) => variant['properties']) || variants.some(isOpen)) return
  for (const key of Object.keys(value)) {
    if ((search.left -= 1) < 0) return
    const next = propertySchemas(variants, key)
    const isTaken = next?.some((schema) => schema['readOnly'] !== true)
    if (next && isTaken) walk((value as Shape)[key], next, `${path}${key}.`, search)
    else search.names.push(`${path}${key.slice(0, HEADER_CHARS_MAX)}`)
  }
}

/** The body of an operation without one: all fields are ignored. */
export const NO_BODY: TSchema = Type.Object({})

/** The size that every client accepts in one header; of more unknown fields than fit, the first are listed. */
const HEADER_CHARS_MAX = 4096

/** The header that lists unknown and read-only fields of a body by dot path; undefined without any (CORE-8). */
export function ignoredFieldsHeader(
  value: unknown,
  schema: TSchema,
): { 'Ignored-Fields': string } | undefined {
  const found: string[] = []
  walk(value, [schema as Shape], '', { names: found, left: MEMBERS_MAX })
  // A field without a name would leave a comma at the end, which is not a field.
  const names = found.filter((name) => name !== '')
  if (names.length === 0) return undefined
  const shown = names.map(headerSafe).join(', ')
  if (shown.length <= HEADER_CHARS_MAX) return { 'Ignored-Fields': shown }
  const end = shown.lastIndexOf(', ', HEADER_CHARS_MAX)
  return { 'Ignored-Fields': shown.slice(0, end > 0 ? end : HEADER_CHARS_MAX) }
}

/** Escapes a field name, which may have any character, for a header of visible ASCII with commas between names. */
const headerSafe = (name: string): string =>
  name.toWellFormed().replace(/[^\x21-\x2b\x2d-\x7e]/gu, (char) => encodeURIComponent(char))
