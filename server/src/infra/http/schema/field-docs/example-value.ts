import type { JsonSchema } from '../named-schemas.ts'

/** The named schema that a reference leads to. */
export type FindSchema = (name: string) => JsonSchema | undefined

/** The uuid of every id that is made up here. */
const UUID_EXAMPLE = '0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T09:26:53.589Z',
  date: '2026-03-14',
}

/** An id of each kind that a description names as `Customer:<uuid>`. */
export const idsIn = (description: string): string[] =>
  [...description.matchAll(/`(\w+):<uuid>`/g)].map(([, kind]) => `${kind}:${UUID_EXAMPLE}`)

/** The schema behind a reference, or behind the part of a union that is not null. */
export function resolved(schema: JsonSchema, find: FindSchema): JsonSchema {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: readonly JsonSchema[] }
  if ($ref !== undefined) return resolved(find($ref.split('/').at(-1) ?? '') ?? {}, find)
  const some = anyOf?.find(({ type }) => type !== 'null')
  return some === undefined ? schema : resolved(some, find)
}

/** Whether the schema needs an example itself: objects, and lists of them, have examples on their fields. */
export function isPlain(schema: JsonSchema, find: FindSchema): boolean {
  const { type, items, oneOf, allOf } = resolved(schema, find)
  if (oneOf !== undefined || allOf !== undefined) return false
  return type === 'array' ? isPlain(items as JsonSchema, find) : type !== 'object'
}

/** The first of the values that the schema accepts; else one that it implies, where it implies one. */
export function exampleValue(
  schema: JsonSchema,
  { values, find }: Readonly<{ values: readonly unknown[]; find: FindSchema }>,
): unknown {
  if (!isPlain(schema, find)) return undefined
  const plain = resolved(schema, find)
  if (plain['type'] === 'array') {
    const items = resolved(plain['items'] as JsonSchema, find)
    const list = values.find(
      (value) => Array.isArray(value) && value.every((one) => accepts(items, one)),
    )
    const one = list === undefined ? exampleValue(items, { values, find }) : undefined
    return list ?? (one === undefined ? undefined : [one])
  }
  return values.find((value) => accepts(plain, value)) ?? impliedValue(plain)
}

const ID_PATTERN = /^\^\(?([A-Z][A-Za-z]*)(?:[|)][^:]*)?:\[0-9a-f\]/

function impliedValue({ const: only, enum: allowed, ...schema }: JsonSchema): unknown {
  if (only !== undefined) return only
  if (allowed !== undefined) return (allowed as unknown[])[0]
  if (schema['type'] === 'boolean') return true
  const [, kind] = ID_PATTERN.exec(String(schema['pattern'])) ?? []
  return kind === undefined ? BY_FORMAT[String(schema['format'])] : `${kind}:${UUID_EXAMPLE}`
}

type Bounds = Readonly<{
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}>

/** Checks only what chooses between candidates of the tables; a test validates each example by its schema. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  const { const: only, enum: allowed, type } = schema
  if (only !== undefined) return value === only
  if (allowed !== undefined) return (allowed as unknown[]).includes(value)
  const {
    pattern,
    minLength = 0,
    maxLength = Infinity,
    minimum = -Infinity,
    maximum = Infinity,
  } = schema as Bounds
  if (typeof value === 'string') {
    const hasLength = value.length >= minLength && value.length <= maxLength
    return (
      (type === 'string' || type === undefined) &&
      hasLength &&
      new RegExp(pattern ?? '', 'u').test(value)
    )
  }
  if (typeof value === 'number') {
    const hasType =
      (type !== 'string' && type !== 'integer') || (type === 'integer' && Number.isInteger(value))
    return hasType && value >= minimum && value <= maximum
  }
  return type === undefined || typeof value === type
}
