import type { JsonSchema } from '../named-schemas.ts'
import { VARIANTS } from '../schema-variants.ts'
import { exampleValue, idsIn, type FindSchema } from './example-value.ts'
import { findFieldDocs } from './field-doc-tables.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** The names under which the tables may list a field, and the schemas that references lead to. */
export type FieldPlace = Readonly<{
  places: readonly string[]
  find: FindSchema
  /** The description in the schema of a parameter replaces the one of the tables. */
  isParameter?: boolean
}>

/** The named schemas with descriptions and examples for all their fields (CORE-87). */
export const addFieldDocsToAll = (schemas: Schemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      addFieldDocs(schema, { places: [name], find: (one) => schemas[one] }),
    ]),
  )

/** The schema with descriptions and examples for its fields, at any depth. */
export function addFieldDocs(schema: JsonSchema, place: FieldPlace): JsonSchema {
  const inner = Object.entries(schema).map(([key, part]): [string, unknown] => {
    if (key === 'properties') return [key, addToFields(part as Schemas, place)]
    if (key === 'items') return [key, addFieldDocs(part as JsonSchema, place)]
    if (VARIANT_KEYWORDS.has(key))
      return [key, (part as JsonSchema[]).map((one) => addFieldDocs(one, place))]
    return [key, part]
  })
  return Object.fromEntries(inner)
}

const VARIANT_KEYWORDS = new Set<string>(VARIANTS)

const addToFields = (fields: Schemas, place: FieldPlace): Schemas =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...addFieldDocs(field, place), ...fieldDocOf(name, field, place) },
    ]),
  )

function fieldDocOf(name: string, field: JsonSchema, place: FieldPlace): JsonSchema {
  const { description, example } = describeField(name, field, place)
  return {
    ...(description !== '' && { description }),
    ...(example !== undefined && { examples: [example] }),
  }
}

/** The tables' description for this place; else the one for the name of the field, followed by the one of its schema. */
export function describeField(
  name: string,
  field: JsonSchema,
  { places, find, isParameter = false }: FieldPlace,
): Readonly<{ description: string; example: unknown }> {
  const { here = [''], anywhere = [''] } = findFieldDocs(name, places)
  const [placeText, ...placeValues] = here
  const [nameText, ...nameValues] = anywhere
  const own = schemaDescription(field)
  const general = placeText === '' ? `${nameText} ${own}` : placeText
  const text = own !== '' && isParameter ? own : general
  const values = [...placeValues, ...idsIn(own), ...nameValues]
  return {
    description: `${text}${nullNote(field, places)}`.trim(),
    example: exampleValue(field, { values, find }),
  }
}

/** The description in the schema; a field that may be null has it on its other variant. */
function schemaDescription({ description, anyOf }: JsonSchema): string {
  const [part] = (anyOf as readonly JsonSchema[] | undefined) ?? []
  return (description ?? part?.['description'] ?? '') as string
}

const UPDATE = /Update(Request)?(OneOf)?$/

/** Says what null does in the body of a change (CORE-7). */
function nullNote({ anyOf }: JsonSchema, places: readonly string[]): string {
  const isNullable = (anyOf as readonly JsonSchema[] | undefined)?.some(
    ({ type }) => type === 'null',
  )
  return isNullable && places.some((place) => UPDATE.test(place)) ? ' `null` clears it.' : ''
}
