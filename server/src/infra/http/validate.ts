import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { FieldError } from '../../kernel/errors.ts'
import { FORMATS } from '../../kernel/formats.ts'
import { isCheckedWhenUsed } from './checked-when-used.ts'
import { toFieldErrors } from './field-errors.ts'
import { queryNormaliser } from './query-values.ts'
import { unstorableValues } from './unstorable-values.ts'
import { FILE_FORMAT } from './wire-schema.ts'

export type Validator = (value: unknown) => FieldError[]

function createAjv(coerceTypes: boolean | 'array'): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    useDefaults: coerceTypes !== false,
    coerceTypes,
    verbose: true,
    discriminator: true,
  })
  for (const [name, test] of Object.entries(FORMATS)) ajv.addFormat(name, test)
  // Says how wide a number is; the bounds that are checked stand beside it.
  ajv.addFormat('int64', true)
  ajv.addKeyword({
    keyword: 'x-text',
    type: 'string',
    modifying: true,
    // Lengths are those of the text that is kept.
    before: 'maxLength',
    validate: tidyText,
  })
  return ajv
}

/** U+0000 to U+001F and U+007F; the second block of controls is harmless and stays. */
const CONTROL = /[^\P{Cc}\x80-\x9f]/u

type TextPlace = Readonly<{ parentData: Record<string, unknown>; parentDataProperty: string }>

/** CUST-5: people's words are kept without blanks at both ends, in one Unicode form; control characters are refused. */
function tidyText(_schema: unknown, value: string, _parent: unknown, place?: unknown): boolean {
  const { parentData, parentDataProperty } = place as TextPlace
  const kept = value.trim().normalize('NFC')
  parentData[parentDataProperty] = kept
  return !CONTROL.test(kept)
}

const bodies = createAjv(false)
/** Query values arrive as text; a repeatable one given once becomes a list of one. */
const queries = createAjv('array')

function validatorOf(ajv: Ajv, schema: TSchema): Validator {
  const validate: ValidateFunction = ajv.compile(schema)
  return (value) => {
    const findings = validate(value)
      ? []
      : toFieldErrors((validate.errors ?? []) as ErrorObject[], value)
    return [...findings, ...unstorableValues(value)]
  }
}

export const bodyValidator = (schema: TSchema): Validator => validatorOf(bodies, schema)

/** Values are brought into the form of the schema first (CORE-14). */
export function queryValidator(schema: TSchema): Validator {
  const validate = validatorOf(queries, schema)
  const normalise = queryNormaliser(schema)
  return (value) => {
    normalise(value as Record<string, unknown>)
    return validate(value)
  }
}

/**
 * For what a caller sends: a read-only field may hold anything, since it is ignored, and so may what is checked only
 * when it is used; a file is no JSON at all.
 */
export const requestValidator = (schema: TSchema): Validator =>
  isCheckedWhenUsed(schema) ? () => [] : bodyValidator(asRequest(schema))

type Part = TSchema & Readonly<{ readOnly?: unknown; format?: unknown }>

function asRequest(schema: TSchema): TSchema {
  const text = JSON.stringify(schema, (_key, part: Part | null) =>
    part && mayHoldAnything(part) ? {} : part,
  )
  return JSON.parse(text) as TSchema
}

const mayHoldAnything = (part: Part): boolean =>
  part.readOnly === true || isCheckedWhenUsed(part) || part.format === FILE_FORMAT
