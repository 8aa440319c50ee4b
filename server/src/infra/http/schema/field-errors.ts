import type { ErrorObject } from 'ajv'
import type { FieldConstraint, FieldError } from '../../../kernel/errors.ts'
import { formatMessage } from '../../../kernel/text/formats.ts'
import { isDateFilter } from '../input/query-values.ts'

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
  required: (params, error) => ({
    message: 'is required',
    ...choiceOf(error, String(params['missingProperty'])),
  }),
  type: (params, error) => ({
    message: isWrittenAmount(error)
      ? SMALLEST_UNIT
      : `must be ${article([params['type']].flat().join(' or '))}`,
  }),
  format: ({ format }, { instancePath }) => ({
    message: `${formatMessage(String(format))}${isDateFilter(dotPath(instancePath), { format }) ? ', or a date' : ''}`,
    constraint: { format: String(format) },
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
  minItems: (params) => ({ message: `must have at least ${entries(params['limit'])}` }),
  maxItems: (params) => ({ message: `must have at most ${entries(params['limit'])}` }),
  uniqueItems: () => ({ message: 'must not repeat an entry' }),
  discriminator: (params, error) => enumFinding(tagValues(error, String(params['tag']))),
  'x-text': () => ({ message: 'must not contain control or invisible characters' }),
}

const SMALLEST_UNIT =
  'must be an integer: amounts are in the smallest unit of the currency, 1050 for 10.50 USD'

/** An amount with decimals, or as text, as people write amounts (ERR-23). */
const isWrittenAmount = ({ data, parentSchema }: ErrorObject): boolean =>
  (parentSchema as { format?: unknown } | undefined)?.format === 'int64' &&
  (typeof data === 'number' || (typeof data === 'string' && /^[\d.,]+$/.test(data)))

type Variant = Readonly<{
  properties?: Record<string, { const?: unknown; enum?: unknown[] }>
  'x-reserved'?: boolean
}>

/** The tags of a union's variants, without reserved ones. */
function tagValues({ parentSchema }: ErrorObject, tag: string): string[] {
  const variants = ((parentSchema as { oneOf?: Variant[] } | undefined)?.oneOf ?? [])
    .filter((variant) => variant['x-reserved'] !== true)
    .map(({ properties }) => properties?.[tag])
    .flatMap((value) => value?.enum ?? [value?.const])
  return variants.map(String)
}

/** The allowed values of a missing field. */
function choiceOf({ parentSchema }: ErrorObject, name: string): Pick<Finding, 'constraint'> {
  const allowed = (parentSchema as Variant | undefined)?.properties?.[name]?.enum
  return allowed ? { constraint: { enum: allowed.map(String) } } : {}
}

const entries = (limit: unknown): string => (limit === 1 ? 'one entry' : `${String(limit)} entries`)

const article = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

function enumFinding(allowed: string[]): Finding {
  const choice = allowed.length === 1 ? '' : 'one of '
  return { message: `must be ${choice}${allowed.join(', ')}`, constraint: { enum: allowed } }
}

function lengthFinding(name: 'minLength' | 'maxLength', limit: unknown, words: string): Finding {
  const characters = limit === 1 ? 'character' : 'characters'
  return {
    message: `must have ${words} ${String(limit)} ${characters}`,
    constraint: { [name]: limit as number },
  }
}

/** Keywords whose errors only mean that a part failed; the part has its own error. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not'])

/** A null for a field that cannot be cleared counts as missing (CORE-7). */
const isNullField = ({ data, instancePath }: ErrorObject, body: unknown): boolean =>
  data === null && !Array.isArray(valueAt(body, instancePath.split('/').slice(1, -1)))

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (Object(inner) as Params)[key], value)

function toFieldError(error: ErrorObject, body: unknown): FieldError | undefined {
  if (SUMMARIES.has(error.keyword)) return undefined
  const parent = dotPath(error.instancePath)
  if (error.keyword === 'type' && isNullField(error, body)) {
    return { field: parent, message: 'is required' }
  }
  const params = error.params as Params
  const member = { required: params['missingProperty'], discriminator: params['tag'] }
  const name = member[error.keyword as keyof typeof member]
  const field = name === undefined ? parent : child(parent, name)
  const finding = FINDINGS[error.keyword]?.(params, error)
  return { field, ...(finding ?? { message: error.message ?? 'is invalid' }) }
}

/** A union with null (`clearable`) fails twice on a wrong value; the error about null helps nobody. */
function isNullBranch(error: ErrorObject): boolean {
  return error.keyword === 'type' && (error.params as Params)['type'] === 'null'
}

type MergedError = { error: FieldError; schema: unknown }

/**
 * Merges the errors of one schema about one field; those of another part of a union are left out. The message of a
 * format is more helpful than that of the pattern beside it.
 */
function addError(byField: Map<string, MergedError>, error: FieldError, schema: unknown): void {
  const known = byField.get(error.field)
  if (!known) byField.set(error.field, { error, schema })
  else if (known.schema === schema && error.constraint) {
    const constraint = { ...error.constraint, ...known.error.constraint }
    const { message } = error.constraint.format === undefined ? known.error : error
    byField.set(error.field, { error: { ...known.error, message, constraint }, schema })
  }
}

/** One FieldError per broken field, in the order found; a body of the wrong type is field "" (CORE-30, ERR-2). */
export function toFieldErrors(errors: readonly ErrorObject[], value: unknown): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const isWrongType = errors.some(
      ({ instancePath, keyword }) => instancePath === '' && keyword === 'type',
    )
    if (isWrongType) return [{ field: '', message: 'must be a JSON object' }]
  }
  const byField = new Map<string, MergedError>()
  for (const error of errors) {
    if (
      isNullBranch(error) &&
      errors.some((e) => e !== error && e.instancePath === error.instancePath)
    )
      continue
    const fieldError = toFieldError(error, value)
    if (fieldError) addError(byField, fieldError, error.parentSchema)
  }
  return [...byField.values()].map(({ error }) => error)
}
