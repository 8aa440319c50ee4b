import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type * as ajvModule from 'ajv'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { TSchema } from './type.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { FORMATS } from '../../../kernel/text/formats.ts'
import { hasInvisible } from '../../../kernel/text/invisible-text.ts'
import { isCheckedWhenUsed } from './checked-when-used.ts'
import { cutLists } from '../input/cut-lists.ts'
import { toFieldErrors } from './field-errors.ts'
import { queryNormaliser } from '../input/query-values.ts'
import { unstorableValues } from '../input/unstorable-values.ts'
import { sharingParts } from './shared-parts.ts'
import { FILE_FORMAT } from './wire-schema.ts'

export type Validator = (value: unknown) => FieldError[]

type AjvOptions = Readonly<{
  coerceTypes: boolean | 'array'
  allErrors: boolean
  /** False to compile each referenced part as a separate function. */
  inlineRefs?: boolean
}>

const require = createRequire(import.meta.url)

/** Ajv, which has sixty modules, is loaded with the first schema; commands that only read compile none. */
function createAjv({ coerceTypes, allErrors, inlineRefs = true }: AjvOptions): Ajv {
  const { Ajv: Compiler } = require('ajv') as typeof ajvModule
  const ajv = new Compiler({
    allErrors,
    strict: false,
    useDefaults: coerceTypes !== false,
    coerceTypes,
    inlineRefs,
    verbose: true,
    discriminator: true,
    // Shortening what it has written takes Ajv almost half the time, and V8 does it again.
    code: { optimize: false },
  })
  for (const [name, test] of Object.entries(FORMATS)) ajv.addFormat(name, test)
  // The format documents the width of a number; the checked bounds are beside it.
  ajv.addFormat('int64', true)
  ajv.addKeyword({
    keyword: 'x-text',
    type: 'string',
    modifying: true,
    // Lengths are checked on the trimmed text.
    before: 'maxLength',
    validate: tidyText,
  })
  return ajv
}

/** U+0000 to U+001F and U+007F; the second block of controls is harmless and stays. */
const CONTROL = /[^\P{Cc}\x80-\x9f]/u

/** Several times the longest text of any field. */
const NORMALISED_CHARS_MAX = 16_384

type TextPlace = Readonly<{ parentData: Record<string, unknown>; parentDataProperty: string }>

/** Trims and normalises free text; refuses control, invisible and direction-changing characters (CUST-5). */
function tidyText(_schema: unknown, value: string, _parent: unknown, place?: unknown): boolean {
  const { parentData, parentDataProperty } = place as TextPlace
  const trimmed = value.trim()
  // Longer text is refused for its length and need not be normalised, which is slow.
  const kept = trimmed.length > NORMALISED_CHARS_MAX ? trimmed : trimmed.normalize('NFC')
  parentData[parentDataProperty] = kept
  return !CONTROL.test(kept) && !hasInvisible(kept)
}

function lazy<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

type Collectors = Readonly<{ first(): Ajv; all(): Ajv }>

const collectors = (coerceTypes: boolean | 'array'): Collectors => ({
  first: lazy(() => createAjv({ coerceTypes, allErrors: false })),
  all: lazy(() => createAjv({ coerceTypes, allErrors: true })),
})

const bodies = collectors(false)
/** Query values arrive as text; a repeatable one given once becomes a list of one. */
const queries = collectors('array')

const notCompiled: (() => ValidateFunction)[] = []

/** Compiles the remaining validators, so that no request waits for one; with pauses, because requests are served meanwhile. */
export async function compileValidators(pauseMs: number): Promise<void> {
  for (let next = notCompiled.pop(); next; next = notCompiled.pop()) {
    next()
    await pause(pauseMs, undefined, { ref: false })
  }
}

/**
 * Validators are compiled when they are first needed: compiling all takes as long as the rest of the service's start.
 *
 * All errors are collected at once where lists are short. For a longer value a pass that stops at the first error
 * decides, and errors are collected from a copy with shortened lists, so that the work is bounded.
 */
function validatorOf({ first, all }: Collectors, schema: TSchema): Validator {
  let compiled: ValidateFunction | undefined
  let decide: ValidateFunction | undefined
  const compile = (): ValidateFunction => (compiled ??= all().compile(schema))
  notCompiled.push(compile)
  return (value) => {
    const cut = cutLists(value)
    const collect = compile()
    const findings =
      cut === value
        ? errorsOf(collect, value)
        : errorsOfLong({ value, cut }, { decide: (decide ??= first().compile(schema)), collect })
    return [...findings, ...unstorableValues(value)]
  }
}

const errorsOf = (validate: ValidateFunction, value: unknown): FieldError[] =>
  validate(value) ? [] : toFieldErrors((validate.errors ?? []) as ErrorObject[], value)

function errorsOfLong(
  { value, cut }: Readonly<{ value: unknown; cut: unknown }>,
  { decide, collect }: Readonly<{ decide: ValidateFunction; collect: ValidateFunction }>,
): FieldError[] {
  const [first] = errorsOf(decide, value)
  if (!first) return []
  const found = errorsOf(collect, cut)
  // Without an error before the cut, it is the one at which the first pass stopped.
  return found.length > 0 ? found : [first]
}

const replies = lazy(() => {
  const ajv = createAjv({ coerceTypes: false, allErrors: true, inlineRefs: false })
  return { ajv, shareParts: sharingParts(ajv) }
})

/** For replies of the service, which only tests validate. Most of them share parts, so each part is compiled once. */
export function replyValidator(schema: TSchema): Validator {
  const { ajv, shareParts } = replies()
  const validate = ajv.compile(shareParts(schema))
  return (value) => errorsOf(validate, value)
}

export const bodyValidator = (schema: TSchema): Validator => validatorOf(bodies, schema)

/** Normalises the values first (CORE-14). */
export function queryValidator(schema: TSchema): Validator {
  const validate = validatorOf(queries, schema)
  const normalise = queryNormaliser(schema)
  return (value) => {
    normalise(value as Record<string, unknown>)
    return validate(value)
  }
}

const requestValidators = new WeakMap<TSchema, Validator>()

/**
 * For requests: read-only fields may have any value, since they are ignored, and so may files and parts that are checked
 * when they are used. Kept per schema, since compiling one takes up to a tenth of a second.
 */
export function requestValidator(schema: TSchema): Validator {
  const known = requestValidators.get(schema)
  if (known) return known
  const validator = isCheckedWhenUsed(schema) ? () => [] : bodyValidator(asRequest(schema))
  requestValidators.set(schema, validator)
  return validator
}

type Part = TSchema & Readonly<{ readOnly?: unknown; format?: unknown }>

function asRequest(schema: TSchema): TSchema {
  const text = JSON.stringify(schema, (_key, part: Part | null) =>
    part && isUnchecked(part) ? {} : part,
  )
  return JSON.parse(text) as TSchema
}

const isUnchecked = (part: Part): boolean =>
  part.readOnly === true || isCheckedWhenUsed(part) || part.format === FILE_FORMAT
