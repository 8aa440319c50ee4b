import type { TObject } from 'typebox'

type Fields = Readonly<Record<string, unknown>>

/**
 * Changes a stored object field by field, as far as its schema goes: what is absent stays, null clears, inner objects
 * merge likewise, fields that the schema does not name are ignored. What ends up empty is not set at all.
 */
export function mergeFields<T extends object>(
  schema: TObject,
  stored: T | undefined,
  changes: Fields | null,
): T | undefined {
  if (changes === null) return undefined
  const before = (stored ?? {}) as Fields
  const entries = Object.entries(schema.properties).map(([name, field]) => {
    const change = Object.hasOwn(changes, name) ? changes[name] : undefined
    return [name, mergeField(field, before[name], change)] as const
  })
  const set = entries.filter(([, value]) => value !== undefined)
  return set.length > 0 ? (Object.fromEntries(set) as T) : undefined
}

function mergeField(field: object, before: unknown, change: unknown): unknown {
  if (change === undefined) return before
  if (change === null) return undefined
  if (!isObject(field)) return change
  return mergeFields(field, before as Fields | undefined, change as Fields)
}

const isObject = (field: object): field is TObject => 'properties' in field
