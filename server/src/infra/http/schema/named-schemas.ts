import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from './type.ts'
import { invariant } from '../../../kernel/invariant.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const NAME = 'x-name'
/** Marks a union of the published form with one that accepts anything, because code checks the value. */
const CHECKED_BY_CODE = 'x-checked-by-code'

export const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Collects the schemas that have a name, each once, and replaces them by references. */
export function namedSchemas() {
  const found = new Map<string, JsonSchema>()

  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert)
    if (typeof value !== 'object' || value === null) return value
    const { [NAME]: name, [CHECKED_BY_CODE]: isChecked, anyOf } = value as Record<string, unknown>
    if (isChecked === true) return convert((anyOf as unknown[])[0])
    return typeof name === 'string' ? named(name, value) : inner(value)
  }
  const inner = (value: object): JsonSchema =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== NAME && !key.startsWith('~'))
        .map(([key, part]) => [key, convert(part)]),
    )
  /** The description of one use goes beside the reference, so that the schema itself has one meaning. */
  const named = (name: string, value: object): JsonSchema => {
    const { description, ...converted } = inner(value)
    const known = found.get(name)
    invariant(
      !known || isDeepStrictEqual(known, converted),
      `the schema name ${name} has one meaning`,
    )
    found.set(name, converted)
    return {
      ...referenceTo(name),
      ...(description !== undefined && { description }),
    }
  }
  return {
    reference: (schema: TSchema): JsonSchema => convert(schema) as JsonSchema,
    find: (name: string): JsonSchema | undefined => found.get(name),
    all: (): Record<string, JsonSchema> =>
      Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

export type NamedSchemas = ReturnType<typeof namedSchemas>
