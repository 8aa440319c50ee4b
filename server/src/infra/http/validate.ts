import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'
import type { FieldError } from '../../kernel/errors.ts'
import { FORMATS } from '../../kernel/formats.ts'
import { toFieldErrors } from './field-errors.ts'
import { unstorableText } from './unstorable-text.ts'

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
  return ajv
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
    return [...findings, ...unstorableText(value)]
  }
}

export const bodyValidator = (schema: TSchema): Validator => validatorOf(bodies, schema)
export const queryValidator = (schema: TSchema): Validator => validatorOf(queries, schema)
