import { Type, type TSchema } from 'typebox'

type Shape = Readonly<Record<string, unknown>>
type Shapes = Readonly<Record<string, Shape>>

const PARTS = ['anyOf', 'oneOf', 'allOf'] as const

function variantsOf(schema: Shape, value: unknown): Shape[] {
  const parts = PARTS.flatMap((part) => (schema[part] as Shape[] | undefined) ?? [])
  if (parts.length === 0) return [schema]
  return [schema, ...namedByTag(schema, parts, value).flatMap((part) => variantsOf(part, value))]
}

/** The one variant that the value of the tag names; all where there is no tag, or it names none. */
function namedByTag({ discriminator }: Shape, parts: readonly Shape[], value: unknown): Shape[] {
  const { propertyName = '' } = (discriminator ?? {}) as { propertyName?: string }
  const tag: unknown = (value as Shape)[propertyName]
  const named = parts.filter(({ properties }) => {
    const { enum: taken = [], const: only } =
      (properties as Shapes | undefined)?.[propertyName] ?? {}
    return tag !== undefined && (only === tag || (taken as unknown[]).includes(tag))
  })
  return named.length > 0 ? named : [...parts]
}

/** The schemas a property may have, over the variants of a union; undefined when nobody declares it. */
function declared(variants: readonly Shape[], key: string): Shape[] | undefined {
  const found = variants.flatMap((variant) => {
    const properties = variant['properties'] as Shapes | undefined
    return properties && Object.hasOwn(properties, key) ? [properties[key] as Shape] : []
  })
  return found.length > 0 ? found : undefined
}

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
    const items = variants.flatMap((variant): Shape[] => [variant['items'] ?? []].flat() as Shape[])
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
