/**
 * Builds the schemas of the service: plain JSON Schema with the type of the values that it admits. Unlike TypeBox, which
 * derives that type from the schema's form, each schema names it itself: checking all types takes half as long.
 */

/** Where a schema says the type of its values; no such member is there when it runs. */
declare const VALUE: unique symbol
declare const IS_OPTIONAL: unique symbol

export type TSchema<T = unknown> = Readonly<{ [VALUE]: T }>
/** The type of the values that a schema admits. */
export type Static<S extends TSchema> = S[typeof VALUE]

/** A field that may be absent. */
export type TOptional<S extends TSchema> = S & Readonly<{ [IS_OPTIONAL]: true }>
export type TProperties = Readonly<Record<string, TSchema>>

type OptionalIn<P extends TProperties> = {
  [K in keyof P]: P[K] extends Readonly<{ [IS_OPTIONAL]: true }> ? K : never
}[keyof P]
type ObjectOf<P extends TProperties> = Flat<
  { -readonly [K in Exclude<keyof P, OptionalIn<P>>]: Static<P[K]> } & {
    -readonly [K in OptionalIn<P>]?: Static<P[K]>
  }
>
type Flat<T> = { [K in keyof T]: T[K] }

export interface TObject<P extends TProperties = TProperties> extends TSchema<ObjectOf<P>> {
  readonly properties: P
  readonly required?: readonly string[]
}
export interface TArray<S extends TSchema> extends TSchema<Static<S>[]> {
  readonly items: S
}
export type TUnion<S extends readonly TSchema[]> = TSchema<Static<S[number]>> &
  Readonly<{ anyOf: S }>
export type TNull = TSchema<null>

type AllOf<S extends readonly TSchema[]> = S extends readonly [
  infer First extends TSchema,
  ...infer Rest extends readonly TSchema[],
]
  ? Static<First> & AllOf<Rest>
  : unknown

/** Of JSON Schema, and our own that begin with `x-`. */
type Keywords = object

const OPTIONAL = '~optional'

/** What is built has the type that its builder says, and no more than JSON at run time. */
const schema = <S extends TSchema>(keywords: Keywords): S => keywords as unknown as S

const ofType =
  <T>(type: string) =>
  (keywords?: Keywords): TSchema<T> =>
    schema({ type, ...keywords })

/** Adds a mark that is not part of the JSON. */
const optional = <S extends TSchema>(made: S): TOptional<S> =>
  Object.defineProperty({ ...made }, OPTIONAL, { value: true }) as TOptional<S>

function object<P extends TProperties>(properties: P, keywords?: Keywords): TObject<P> {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] ?? {})))
  return schema({
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    ...keywords,
  })
}

export const Type = {
  Array: <S extends TSchema>(items: S, keywords?: Keywords): TArray<S> =>
    schema({ type: 'array', items, ...keywords }),
  Boolean: ofType<boolean>('boolean'),
  Enum: <const V extends readonly string[]>(values: V, keywords?: Keywords): TSchema<V[number]> =>
    schema({ enum: [...values], ...keywords }),
  /** The list itself cannot be changed. */
  Immutable: <S extends TSchema>(made: TArray<S>): TSchema<readonly Static<S>[]> => schema(made),
  Integer: ofType<number>('integer'),
  Intersect: <S extends readonly TSchema[]>(
    allOf: readonly [...S],
    keywords?: Keywords,
  ): TSchema<AllOf<S>> => schema({ allOf, ...keywords }),
  Literal: <const V extends string | number | boolean>(value: V, keywords?: Keywords): TSchema<V> =>
    schema({ type: typeof value, const: value, ...keywords }),
  Null: ofType<null>('null'),
  Number: ofType<number>('number'),
  Object: object,
  Optional: optional,
  Record: <S extends TSchema>(
    key: TSchema<string>,
    value: S,
    keywords?: Keywords,
  ): TSchema<Record<string, Static<S>>> => {
    const { pattern = '^.*$' } = key as { pattern?: string }
    return schema({ type: 'object', patternProperties: { [pattern]: value }, ...keywords })
  },
  String: ofType<string>('string'),
  Union: <S extends readonly TSchema[]>(anyOf: readonly [...S], keywords?: Keywords): TUnion<S> =>
    schema({ anyOf, ...keywords }),
  Unknown: (keywords?: Keywords): TSchema => schema({ ...keywords }),
  Unsafe: <T>(keywords: Keywords): TSchema<T> => schema({ ...keywords }),
}
