import { Type, type TSchema } from '../schema/type.ts'
import {
  itemsOf,
  propertySchemas,
  VARIANTS,
  variantsOf,
  type Shape,
} from '../schema/schema-variants.ts'

function isOpen(variant: Shape): boolean {
  return (
    typeof variant['additionalProperties'] === 'object' ||
    variant['patternProperties'] !== undefined
  )
}

/** What may stand at one place of a body. It depends on the value only by the tags that select variants. */
type Place = Readonly<{
  schemas: readonly Shape[]
  /** The names of these tags, each with the values that the schemas declare and `undefined` for its absence. */
  tags: ReadonlyMap<string, ReadonlySet<unknown>>
  /** By the values of the tags; only declared values, so that callers cannot fill the memory. */
  known: Map<string, Members>
}>

type Members = Readonly<{
  /** The entries of a list; undefined where they are not described. */
  items: Place | undefined
  /** The fields that are read; undefined where any may be. */
  fields: ReadonlyMap<string, Place> | undefined
}>

function placeOf(schemas: readonly Shape[]): Place {
  const tags = new Map<string, Set<unknown>>()
  for (const schema of schemas) collectTags(schema, tags)
  return { schemas, tags, known: new Map() }
}

function collectTags(schema: Shape, tags: Map<string, Set<unknown>>): void {
  const { discriminator } = schema as { discriminator?: { propertyName: string } }
  for (const variant of VARIANTS.flatMap((keyword) => (schema[keyword] ?? []) as Shape[])) {
    collectTags(variant, tags)
    if (!discriminator) continue
    const { propertyName: name } = discriminator
    const { enum: allowed = [], const: only } = propertySchemas([variant], name)?.[0] ?? {}
    const values = tags.get(name) ?? new Set()
    for (const one of [undefined, only, ...(allowed as unknown[])]) values.add(one)
    tags.set(name, values)
  }
}

function membersAt({ schemas, tags, known }: Place, value: Shape): Members {
  let key = ''
  for (const [name, values] of tags) {
    const tag = value[name]
    if (!values.has(tag)) return membersOf(schemas, value)
    key += `${tag as string}\n`
  }
  const found = known.get(key)
  if (found) return found
  const members = membersOf(schemas, value)
  known.set(key, members)
  return members
}

function membersOf(schemas: readonly Shape[], value: Shape): Members {
  const variants = schemas.flatMap((schema) => variantsOf(schema, value))
  const items = itemsOf(variants)
  const isClosed = variants.some((one) => one['properties']) && !variants.some(isOpen)
  const names = variants.flatMap(({ properties }) => Object.keys(properties ?? {}))
  const fields = new Map<string, Place>()
  for (const name of isClosed ? names : []) {
    const declared = propertySchemas(variants, name) ?? []
    if (declared.some((schema) => schema['readOnly'] !== true)) fields.set(name, placeOf(declared))
  }
  return {
    items: items.length > 0 ? placeOf(items) : undefined,
    fields: isClosed ? fields : undefined,
  }
}

/** The most members of a body that are searched: more names than fit into the header. */
const MEMBERS_MAX = 3_000

type Search = { readonly names: string[]; left: number }

/** Adds the paths of unknown fields; `path` ends with a dot or is empty. */
function walk(value: unknown, place: Place, path: string, search: Search): void {
  if (typeof value !== 'object' || value === null) return
  const { items, fields } = membersAt(place, value as Shape)
  if (Array.isArray(value)) {
    if (!items) return
    for (const [n, item] of value.entries()) {
      if ((search.left -= 1) < 0) return
      walk(item, items, `${path}${n}.`, search)
    }
    return
  }
  if (!fields) return
  for (const key of Object.keys(value)) {
    if ((search.left -= 1) < 0) return
    const next = fields.get(key)
    if (next) walk((value as Shape)[key], next, `${path}${key}.`, search)
    else search.names.push(`${path}${key.slice(0, HEADER_CHARS_MAX)}`)
  }
}

const places = new WeakMap<TSchema, Place>()

function bodyPlace(schema: TSchema): Place {
  const place = places.get(schema) ?? placeOf([schema as Shape])
  places.set(schema, place)
  return place
}

/** The body of an operation without one: all fields are ignored. */
export const NO_BODY: TSchema = Type.Object({})

/** The size that every client accepts in one header; of more unknown fields than fit, the first are listed. */
const HEADER_CHARS_MAX = 4096

/** The header that lists unknown and read-only fields of a body by dot path; undefined without any (CORE-8). */
export function ignoredFieldsHeader(
  value: unknown,
  schema: TSchema,
): { 'Ignored-Fields': string } | undefined {
  const found: string[] = []
  walk(value, bodyPlace(schema), '', { names: found, left: MEMBERS_MAX })
  // A field without a name would leave a comma at the end, which is not a field.
  const names = found.filter((name) => name !== '')
  if (names.length === 0) return undefined
  const shown = names.map(headerSafe).join(', ')
  if (shown.length <= HEADER_CHARS_MAX) return { 'Ignored-Fields': shown }
  const end = shown.lastIndexOf(', ', HEADER_CHARS_MAX)
  return { 'Ignored-Fields': shown.slice(0, end > 0 ? end : HEADER_CHARS_MAX) }
}

/** Escapes a field name, which may have any character, for a header of visible ASCII with commas between names. */
const headerSafe = (name: string): string =>
  name.toWellFormed().replace(/[^\x21-\x2b\x2d-\x7e]/gu, (char) => encodeURIComponent(char))
