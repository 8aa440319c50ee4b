import type { JsonSchema } from '../named-schemas.ts'
import { exampleValue, idsIn, type FindSchema } from './example-value.ts'
import { wordsFor } from './field-words.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Where a field stands: the names under which the tables may speak of it, and what references lead to. */
export type WordPlace = Readonly<{
  places: readonly string[]
  find: FindSchema
  /** Of a parameter, what its schema says stands alone. */
  isParameter?: boolean
}>

/** The named schemas with words and examples for all their fields (CORE-87). */
export const addWordsToAll = (schemas: Schemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      addWords(schema, { places: [name], find: (one) => schemas[one] }),
    ]),
  )

/** The schema with words and examples for its fields, at any depth. */
export function addWords(schema: JsonSchema, place: WordPlace): JsonSchema {
  const inner = Object.entries(schema).map(([key, part]): [string, unknown] => {
    if (key === 'properties') return [key, addToFields(part as Schemas, place)]
    if (key === 'items') return [key, addWords(part as JsonSchema, place)]
    if (PARTS.has(key)) return [key, (part as JsonSchema[]).map((one) => addWords(one, place))]
    return [key, part]
  })
  return Object.fromEntries(inner)
}

const PARTS = new Set(['anyOf', 'oneOf', 'allOf'])

const addToFields = (fields: Schemas, place: WordPlace): Schemas =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...addWords(field, place), ...fieldWords(name, field, place) },
    ]),
  )

function fieldWords(name: string, field: JsonSchema, place: WordPlace): JsonSchema {
  const { description, example } = describeField(name, field, place)
  return {
    ...(description !== '' && { description }),
    ...(example !== undefined && { examples: [example] }),
  }
}

/** What the tables say of a field or parameter in this very place; else of its name, and then what its schema adds. */
export function describeField(
  name: string,
  field: JsonSchema,
  { places, find, isParameter = false }: WordPlace,
): Readonly<{ description: string; example: unknown }> {
  const { here = [''], anywhere = [''] } = wordsFor(name, places)
  const [wordsHere, ...valuesHere] = here
  const [words, ...values] = anywhere
  const own = ownWords(field)
  const general = wordsHere === '' ? `${words} ${own}` : wordsHere
  const said = own !== '' && isParameter ? own : general
  const description = `${said}${clearing(field, places)}`.trim()
  return {
    description,
    example: exampleValue(field, { values: [...valuesHere, ...idsIn(own), ...values], find }),
  }
}

/** Of a field that may be null, what is said of its value. */
function ownWords({ description, anyOf }: JsonSchema): string {
  const [part] = (anyOf as readonly JsonSchema[] | undefined) ?? []
  return (description ?? part?.['description'] ?? '') as string
}

const UPDATE = /Update(Request)?(OneOf)?$/

/** What null does in the body of a change (CORE-7). */
function clearing({ anyOf }: JsonSchema, places: readonly string[]): string {
  const takesNull = (anyOf as readonly JsonSchema[] | undefined)?.some(
    ({ type }) => type === 'null',
  )
  return takesNull && places.some((place) => UPDATE.test(place)) ? ' `null` clears it.' : ''
}
