import type { TObject } from '../../infra/http/schema/type.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Merges a change into a stored object, field by field: absent fields stay, null clears, inner objects merge likewise,
 * fields outside of the schema are ignored. An object that ends up empty is removed.
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
