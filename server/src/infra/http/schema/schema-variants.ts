/** A JSON schema that is walked together with a value. */
export type Shape = Readonly<Record<string, unknown>>
type Shapes = Readonly<Record<string, Shape>>

const PARTS = ['anyOf', 'oneOf', 'allOf'] as const

/** The schema with those of its variants that may describe the value. */
export function variantsOf(schema: Shape, value: unknown): Shape[] {
  const parts = PARTS.flatMap((part) => (schema[part] as Shape[] | undefined) ?? [])
  if (parts.length === 0) return [schema]
  return [schema, ...namedByTag(schema, parts, value).flatMap((part) => variantsOf(part, value))]
}

/** The variant that the value of the tag selects; all variants where it selects none. */
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

/** The schemas of a property in the variants of a union; undefined where no variant declares it. */
export function declared(variants: readonly Shape[], key: string): Shape[] | undefined {
  const found = variants.flatMap((variant) => {
    const properties = variant['properties'] as Shapes | undefined
    return properties && Object.hasOwn(properties, key) ? [properties[key] as Shape] : []
  })
  return found.length > 0 ? found : undefined
}

/** The schemas that the entries of a list may have. */
export const itemsOf = (variants: readonly Shape[]): Shape[] =>
  variants.flatMap((variant): Shape[] => [variant['items'] ?? []].flat() as Shape[])
