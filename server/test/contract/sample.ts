import type { TSchema } from '../../src/infra/http/schema/type.ts'

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
  'x-checked-when-used'?: boolean
  pattern?: string
  format?: string
}>

/** The names in braces. */
export const namesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

export const shapeOf = (schema: TSchema): Shape => schema as Shape

/** A value that throws when it is made a text. */
const WITHOUT_TEXT = { toString: 1 }

/** Values of every JSON type but those the schema takes. */
export function wrongValues(schema: Shape): unknown[] {
  // Ignored when it is sent, or not looked at by every use, whatever it holds.
  if ([schema, ...(schema.anyOf ?? [])].some(isIgnored)) return []
  const taken = typesOf(schema)
  const samples: readonly [string, unknown][] = [
    ['object', { unexpected: true }],
    ['object', WITHOUT_TEXT],
    ['array', [{ unexpected: true }]],
    ['array', [WITHOUT_TEXT]],
    ['string', '\u0001 not a value of this field \u0001'],
    ['number', 0.5],
    ['boolean', true],
  ]
  if (taken.size === 0) return []
  return samples
    .filter(([type]) => !taken.has(type) && !(type === 'number' && taken.has('integer')))
    .map(([, value]) => value)
}

const isIgnored = (schema: Shape): boolean =>
  schema.readOnly === true || schema['x-checked-when-used'] === true

/** The body with a hostile value in the place of each of its fields in turn, also of those inside others. */
export function withHostileLeaves(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return [WITHOUT_TEXT]
  return Object.entries(body).flatMap(([key, value]) =>
    withHostileLeaves(value).map((part) => replaced(body, key, () => part)),
  )
}

const ID = /^([A-Z]\w+):[0-9a-f-]{36}$/

/** A place in a body that holds an id. */
export type IdPlace = Readonly<{
  prefix: string
  /** A body like the given one, with another id in this place. */
  put(body: unknown, id: string): unknown
}>

export function idPlacesIn(body: unknown): IdPlace[] {
  if (typeof body === 'string') {
    const prefix = ID.exec(body)?.[1]
    return prefix === undefined ? [] : [{ prefix, put: (_body, id) => id }]
  }
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, inner]) =>
    idPlacesIn(inner).map(({ prefix, put }) => ({
      prefix,
      put: (whole, id) => replaced(whole as object, key, (part) => put(part, id)),
    })),
  )
}

function replaced(whole: object, key: string, by: (part: unknown) => unknown): unknown {
  const part = by((whole as Record<string, unknown>)[key])
  return Array.isArray(whole) ? whole.with(Number(key), part) : { ...whole, [key]: part }
}

function typesOf(schema: Shape): Set<string> {
  const own = [schema.type ?? []].flat()
  const constant = schema.const === undefined ? [] : [typeof schema.const]
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => [
    ...typesOf(part),
  ])
  return new Set([...own, ...constant, ...parts])
}
