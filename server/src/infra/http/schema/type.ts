import type { Type as TypeBox } from 'typebox'

/** The builders that our schemas use. */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Immutable'
  | 'Integer'
  | 'Intersect'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>

type Schema = Readonly<Record<string, unknown>>

const OPTIONAL = '~optional'

const ofType = (type: string) => (options?: Schema) => ({ type, ...options })

/** Adds a mark that is not part of the JSON. */
const asOptional = (schema: Schema) =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true })

function ofObject(properties: Readonly<Record<string, Schema>>, options?: Schema) {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})))
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    ...options,
  }
}

/** Builds schemas with the types of TypeBox but without its 370 modules, which take longer to load than a command to run. */
export const Type = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly string[], options?: Schema) => ({ enum: [...values], ...options }),
  Immutable: (schema: Schema) => schema,
  Integer: ofType('integer'),
  Intersect: (allOf: readonly Schema[], options?: Schema) => ({ allOf, ...options }),
  Literal: (value: unknown, options?: Schema) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: ofObject,
  Optional: asOptional,
  Record: ({ pattern = '^.*$' }: { pattern?: string }, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { [pattern]: value },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
} as unknown as Builders
