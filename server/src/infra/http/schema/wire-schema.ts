import { Type, type Static, type TObject, type TProperties, type TSchema } from './type.ts'
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

/** An object of the API. Unknown fields are ignored and, in sandbox, reported. */
export function object<P extends TProperties>(
  name: string,
  properties: P,
  options: { description?: string } = {},
): TObject<P> {
  return named(name, Type.Object(properties, options))
}

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** Marks a field that is shown once and not stored: a client that loses it has to start over, also under the same key. */
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
 * Free text of a request: it is trimmed, and its length is counted in characters after that (CUST-5).
 */
export const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, 'x-text': true, ...(description ? { description } : {}) })

/**
 * A union whose variant is selected by the value of one field; only that variant is checked. `shared` are fields of all
 * variants, which are checked also where no variant is selected.
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

/** A variant that is published but not supported yet, and never offered as a choice. */
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
