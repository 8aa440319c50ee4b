import type { TSchema } from 'typebox'

/** What the tests need to know of a JSON schema. */
export type Shape = Readonly<{
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  anyOf?: readonly Shape[]
  oneOf?: readonly Shape[]
  const?: unknown
  enum?: readonly unknown[]
  readOnly?: boolean
}>

export const shapeOf = (schema: TSchema): Shape => schema as Shape

/** Values of every JSON type but those the schema takes. */
export function wrongValues(schema: Shape): unknown[] {
  // Ignored when it is sent, whatever it holds.
  if (schema.readOnly) return []
  const taken = typesOf(schema)
  const samples: Record<string, unknown> = {
    object: { unexpected: true },
    array: [{ unexpected: true }],
    string: '\u0001 not a value of this field \u0001',
    number: 0.5,
    boolean: true,
  }
  if (taken.size === 0) return []
  return Object.entries(samples)
    .filter(([type]) => !taken.has(type) && !(type === 'number' && taken.has('integer')))
    .map(([, value]) => value)
}

function typesOf(schema: Shape): Set<string> {
  const own = [schema.type ?? []].flat()
  const constant = schema.const === undefined ? [] : [typeof schema.const]
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => [
    ...typesOf(part),
  ])
  return new Set([...own, ...constant, ...parts])
}
