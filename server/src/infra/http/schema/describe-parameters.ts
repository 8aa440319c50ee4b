import { takesKey, type Operation } from '../operation.ts'
import { isDateFilter } from '../input/query-values.ts'
import type { JsonSchema, NamedSchemas } from './named-schemas.ts'
import { Type, type TSchema } from './type.ts'
import { describeField } from './field-docs/add-field-docs.ts'

type Place = 'path' | 'query' | 'header'
type Fields = Readonly<{ properties?: Record<string, TSchema>; required?: string[] }>

const fieldsOf = (schema: TSchema | undefined): Fields => (schema ?? {}) as Fields

const KEY = 'Idempotency-Key'

/** The parameters of an operation in the published description, with examples (CORE-87). */
export function describeParameters(operation: Operation, schemas: NamedSchemas): JsonSchema[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const { properties: known = {} } = fieldsOf(operation.params)
  const path = {
    properties: Object.fromEntries(inPath.map((name) => [name, known[name] ?? Type.String()])),
    required: inPath,
  }
  const key = {
    properties: { [KEY]: Type.String({ minLength: 1, maxLength: 255 }) },
    required: operation.key === 'required' ? [KEY] : [],
  }
  const parametersIn = (place: Place, { properties = {}, required = [] }: Fields): JsonSchema[] =>
    Object.entries(properties).map(([name, field]) => {
      const isRequired = required.includes(name)
      const parameter = { operation, name, place, isRequired }
      return { name, in: place, required: isRequired, ...describeOne(parameter, field, schemas) }
    })
  return [
    ...parametersIn('path', path),
    ...parametersIn('query', fieldsOf(operation.query)),
    ...parametersIn('header', fieldsOf(operation.headers)),
    ...(takesKey(operation) ? parametersIn('header', key) : []),
  ]
}

type Parameter = Readonly<{
  operation: Operation
  name: string
  place: Place
  isRequired: boolean
}>

/** Adds the forms that every query accepts (CORE-14). Required parameters do not get the descriptions of filters. */
function describeOne(
  { operation, name, place, isRequired }: Parameter,
  field: TSchema,
  { reference, find }: NamedSchemas,
): JsonSchema {
  const { description: own, ...schema } = reference(field)
  const places = [operation.id, ...(place === 'query' && isRequired ? [] : [place])]
  const doc = describeField(
    name,
    { description: own, ...schema },
    { places, find, isParameter: true },
  )
  const isList = schema['type'] === 'array'
  const forms = [
    ...(isDateFilter(name, schema) ? ['A plain date is that whole UTC day.'] : []),
    ...(isList ? ['Repeated, or separated by commas.'] : []),
  ]
  return {
    description: [doc.description, ...(place === 'query' ? forms : [])].join(' '),
    schema,
    ...(doc.example !== undefined && { example: doc.example }),
  }
}
