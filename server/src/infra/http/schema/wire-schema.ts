import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { Type } from './type.ts'
import { ID_KINDS, type IdKind } from '../../../kernel/ids.ts'
import { AMOUNT_MAX } from '../../../kernel/money/money.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '../../../kernel/page.ts'
import { ENVIRONMENTS } from '../../../kernel/platform.ts'
import type { Upload } from '../input/upload.ts'

/** Gives a schema its name in the published description; equal names must mean the same schema. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, 'x-name': name }
}

/** An object of the API. Unknown fields are allowed: they are ignored and, in sandbox, pointed out. */
export function object<P extends TProperties>(
  name: string,
  properties: P,
  options: { description?: string } = {},
): TObject<P> {
  return named(name, Type.Object(properties, options))
}

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Part of an answer that is shown once and not stored: a client that loses the answer has to start over, also under the same key. */
export const SHOWN_ONCE = { 'x-shown-once': true } as const

/** An id inside a body or query: a field whose form is checked (CORE-4). */
export const idField = (kind: IdKind, description?: string) =>
  Type.String({
    pattern: `^${ID_KINDS[kind].prefix}:${UUID}$`,
    ...(description ? { description } : {}),
  })

/** An id in the path: any text, since a malformed one is simply not found (CORE-3). */
export const pathId = (description: string) => Type.String({ description })

export const oneOf = <const V extends readonly string[]>(
  values: V,
  options: { description?: string; default?: V[number] } = {},
) => Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })

export const environmentSchema = () => oneOf(ENVIRONMENTS)

/**
 * Words that people chose, in a request: blanks at both ends are dropped, the rest is kept as it is (CUST-5). Its
 * length is counted in characters, after that.
 */
export const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, 'x-text': true, ...(description ? { description } : {}) })

/**
 * A union whose variants are told apart by the value of one field: only the variant that the value names is looked
 * at. `shared` are fields that all variants have; they are checked also when the tag names none.
 */
export function taggedUnion<V extends TSchema>(
  { name, tag, shared = {} }: { name: string; tag: string; shared?: TProperties },
  variants: readonly V[],
) {
  return named(
    name,
    Type.Unsafe<Static<V>>({
      type: 'object',
      required: [tag],
      properties: shared,
      discriminator: { propertyName: tag },
      oneOf: variants,
    }),
  )
}

/** A variant that the interface names but nobody may use yet: published, never offered as a choice. */
export const reserved = <S extends TSchema>(variant: S): S => ({ ...variant, 'x-reserved': true })

export const amount = (
  options: { minimum?: number; maximum?: number; description?: string } = {},
) => Type.Integer({ format: 'int64', minimum: 1, maximum: amountToWire(AMOUNT_MAX), ...options })

export const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) })

export const FILE_FORMAT = 'binary'

/** A file of a multipart form. */
export const filePart = (description: string) =>
  Type.Unsafe<Upload>({ type: 'string', format: FILE_FORMAT, description })

/** The names of a form's files. */
export function filePartsOf(form: TSchema): string[] {
  const { properties = {} } = form as { properties?: Record<string, { format?: string }> }
  return Object.keys(properties).filter((name) => properties[name]?.format === FILE_FORMAT)
}

/** An optional PATCH field that `null` clears (CORE-7). */
export const clearable = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
  ),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
}

export const CurrencySchema = object('Currency', {
  code: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  decimals: Type.Integer(),
})

export const MoneySchema = object('CurrencyAmount', {
  amount: Type.Integer({ format: 'int64' }),
  currency: CurrencySchema,
})

export function listOf<S extends TSchema>(
  name: string,
  item: S,
  options: { total?: boolean } = {},
) {
  return object(name, {
    data: Type.Array(item),
    hasMore: Type.Boolean(),
    nextCursor: Type.Optional(Type.String()),
    ...(options.total ? { totalCount: Type.Optional(Type.Integer()) } : {}),
  } as {
    data: ReturnType<typeof Type.Array<S>>
    hasMore: ReturnType<typeof Type.Boolean>
    nextCursor: ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>
  })
}
