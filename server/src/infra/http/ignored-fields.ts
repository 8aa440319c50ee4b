import type { TSchema } from 'typebox'

type Shape = Readonly<Record<string, unknown>>

const PARTS = ['anyOf', 'oneOf', 'allOf'] as const

function variantsOf(schema: Shape): Shape[] {
  const parts = PARTS.flatMap((part) => (schema[part] as Shape[] | undefined) ?? [])
  return parts.length === 0 ? [schema] : [schema, ...parts.flatMap(variantsOf)]
}

/** The schemas a property may have, over all variants of a union; undefined when nobody declares it. */
function declared(variants: readonly Shape[], key: string): Shape[] | undefined {
  const found = variants.flatMap((variant) => {
    const properties = variant['properties'] as Record<string, Shape> | undefined
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
  const variants = schemas.flatMap(variantsOf)
  if (Array.isArray(value)) {
    const items = variants.flatMap((variant): Shape[] => [variant['items'] ?? []].flat() as Shape[])
    return items.length === 0 ? [] : value.flatMap((item, n) => walk(item, items, `${path}${n}.`))
  }
  if (!variants.some((variant) => variant['properties']) || variants.some(isOpen)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = declared(variants, key)
    return next ? walk(inner, next, `${path}${key}.`) : [`${path}${key}`]
  })
}

/** CORE-8: the dot paths of fields that no schema of the body names. */
export function ignoredFields(value: unknown, schema: TSchema): string[] {
  return walk(value, [schema as Shape], '')
}
