import type { ErrorObject } from 'ajv'
import type { FieldConstraint, FieldError } from '../../kernel/errors.ts'

type Params = Record<string, unknown>

/** A JSON pointer (`/roles/0`) as the dot path of a FieldError (`roles.0`). */
function dotPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

const child = (parent: string, name: unknown): string =>
  parent === '' ? String(name) : `${parent}.${String(name)}`

type Finding = Readonly<{ message: string; constraint?: FieldConstraint }>

const FINDINGS: Record<string, (params: Params, error: ErrorObject) => Finding> = {
  required: () => ({ message: 'is required' }),
  type: (params) => ({ message: `must be ${article([params['type']].flat().join(' or '))}` }),
  format: (params) => ({
    message: `must be a valid ${String(params['format'])}`,
    constraint: { format: String(params['format']) },
  }),
  pattern: (params) => ({
    message: 'has the wrong form',
    constraint: { pattern: String(params['pattern']) },
  }),
  enum: (params) => enumFinding((params['allowedValues'] as unknown[]).map(String)),
  const: (params) => enumFinding([String(params['allowedValue'])]),
  minLength: (params) => lengthFinding('minLength', params['limit'], 'at least'),
  maxLength: (params) => lengthFinding('maxLength', params['limit'], 'at most'),
  minimum: (params) => ({
    message: `must be at least ${String(params['limit'])}`,
    constraint: { minimum: params['limit'] as number },
  }),
  maximum: (params) => ({
    message: `must be at most ${String(params['limit'])}`,
    constraint: { maximum: params['limit'] as number },
  }),
  minItems: (params) => ({ message: `must have at least ${String(params['limit'])} entries` }),
  maxItems: (params) => ({ message: `must have at most ${String(params['limit'])} entries` }),
  discriminator: (params) => ({ message: `${String(params['tag'])} names no known variant` }),
}

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

function enumFinding(allowed: string[]): Finding {
  return { message: `must be one of ${allowed.join(', ')}`, constraint: { enum: allowed } }
}

function lengthFinding(name: 'minLength' | 'maxLength', limit: unknown, words: string): Finding {
  return {
    message: `must have ${words} ${String(limit)} characters`,
    constraint: { [name]: limit as number },
  }
}

/** Keywords that only say "one of the parts failed"; the parts speak for themselves. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not'])

function toFieldError(error: ErrorObject): FieldError | undefined {
  if (SUMMARIES.has(error.keyword)) return undefined
  const parent = dotPath(error.instancePath)
  const params = error.params as Params
  const field = error.keyword === 'required' ? child(parent, params['missingProperty']) : parent
  const finding = FINDINGS[error.keyword]?.(params, error)
  return { field, ...(finding ?? { message: error.message ?? 'is invalid' }) }
}

/** A union with null (`clearable`) fails twice on a wrong value; the half that asks for null says nothing useful. */
function isNullBranch(error: ErrorObject): boolean {
  return error.keyword === 'type' && (error.params as Params)['type'] === 'null'
}

/** CORE-30 and ERR-2: one FieldError per broken field, in the order found; a body of the wrong type is field "". */
export function toFieldErrors(errors: readonly ErrorObject[], value: unknown): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const asked = errors.find((error) => error.instancePath === '' && error.keyword === 'type')
    if (asked) return [{ field: '', message: 'must be a JSON object' }]
  }
  const found = new Map<string, FieldError>()
  for (const error of errors) {
    if (
      isNullBranch(error) &&
      errors.some((e) => e !== error && e.instancePath === error.instancePath)
    )
      continue
    const fieldError = toFieldError(error)
    if (fieldError && !found.has(fieldError.field)) found.set(fieldError.field, fieldError)
  }
  return [...found.values()]
}
