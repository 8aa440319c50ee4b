/** A JSON schema that is walked together with a value. */
export type Shape = Readonly<Record<string, unknown>>
type Shapes = Readonly<Record<string, Shape>>

/** The keywords that list variants of a schema. */
export const VARIANTS = ['anyOf', 'oneOf', 'allOf'] as const

/** The schema with those of its variants that may describe the value. */
export function variantsOf(schema: Shape, value: unknown): Shape[] {
  const variants = VARIANTS.flatMap((keyword) => (schema[keyword] as Shape[] | undefined) ?? [])
  if (variants.length === 0) return [schema]
  return [
    schema,
    ...selectedByTag(schema, variants, value).flatMap((one) => variantsOf(one, value)),
  ]
}

/** The variant that the value of the tag selects; all variants where it selects none. */
function selectedByTag(
  { discriminator }: Shape,
  variants: readonly Shape[],
  value: unknown,
): Shape[] {
  const { propertyName = '' } = (discriminator ?? {}) as { propertyName?: string }
  const tag: unknown = (value as Shape)[propertyName]
  const selected = variants.filter(({ properties }) => {
    const { enum: allowed = [], const: only } =
      (properties as Shapes | undefined)?.[propertyName] ?? {}
    return tag !== undefined && (only === tag || (allowed as unknown[]).includes(tag))
  })
  return selected.length > 0 ? selected : [...variants]
}

/** The schemas of a property in the variants of a union; undefined where no variant declares it. */
export function propertySchemas(variants: readonly Shape[], key: string): Shape[] | undefined {
  const schemas = variants.flatMap((variant) => {
    const properties = variant['properties'] as Shapes | undefined
    return properties && Object.hasOwn(properties, key) ? [properties[key] as Shape] : []
  })
  return schemas.length > 0 ? schemas : undefined
}

/** The schemas that the entries of a list may have. */
export const itemsOf = (variants: readonly Shape[]): Shape[] =>
  variants.flatMap((variant): Shape[] => [variant['items'] ?? []].flat() as Shape[])
