/** The values of a form, its errors, and the request made of it. Pure. */
import type { FieldError } from '../../../kernel/errors.ts'
import { isObject, valueAt, type CustomerRecord } from '../../../features/customers/index.ts'
import type { Locale } from '../../language/locale.ts'
import { missingText, wrongText } from './field-words.ts'
import type { Field, FieldGroup } from './fields.ts'

/** An error of one field or, without a field, of the form. */
export type FormError = Readonly<{ field: string | undefined; message: string }>

export type FormState = Readonly<{
  /** Several for a field with multiple choices. */
  valuesOf(field: Field): readonly string[]
  errorOf(field: Field): string | undefined
  isRequired(field: Field): boolean
  /** Stored and never shown. */
  isHeld(field: Field): boolean
  /** Typed, but not shown again. */
  isWithheld(field: Field): boolean
}>

export const fieldsOf = (groups: readonly FieldGroup[]): readonly Field[] =>
  groups.flatMap(({ fields }) => fields)

const textsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null ? [] : [String(one)]))

/** The values of a stored resource, in the shape of the API. */
export const storedValues =
  (record: unknown) =>
  ({ name, control }: Field): string[] =>
    control === 'secret' ? [] : textsOf(valueAt(record, name))

/** The typed values, so that the form shows them again, except for a government-issued number. */
const typedValues =
  (typed: URLSearchParams) =>
  ({ name, control }: Field): string[] =>
    control === 'secret' ? [] : typed.getAll(name)

/** The values to show: typed, else stored. */
export const shownValues = (
  typed: URLSearchParams | undefined,
  stored: CustomerRecord,
): Pick<FormState, 'valuesOf' | 'isWithheld'> => ({
  valuesOf: typed ? typedValues(typed) : storedValues(stored),
  isWithheld: ({ name, control }) => control === 'secret' && Boolean(typed?.get(name)),
})

/** The request of a form, without empty fields. */
export function requestOf(fields: readonly Field[], typed: URLSearchParams): CustomerRecord {
  const request: Record<string, unknown> = {}
  for (const field of fields) {
    const given = typed
      .getAll(field.name)
      .map((text) => text.trim())
      .filter((text) => text !== '')
    if (given.length > 0) put(request, field.name.split('.'), valueOf(field, given))
  }
  return request
}

function valueOf({ control }: Field, given: readonly string[]): unknown {
  if (control === 'countries' || control === 'choices') return [...new Set(given)]
  const [text = ''] = given
  return control === 'percentage' && /^\d{1,9}$/.test(text) ? parseInt(text, 10) : text
}

function put(into: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = isObject(into[name]) ? { ...into[name] } : {}
  put(inner, rest, value)
  into[name] = inner
}

type Filled = Readonly<{ fields: readonly Field[]; request: CustomerRecord }>

/** The API's errors at the fields of the form, in the page's words. */
export function formErrors(
  locale: Locale,
  errors: readonly FieldError[],
  { fields, request }: Filled,
): FormError[] {
  return errors.map(({ field: path, message }) => {
    const field = fields.find(({ name }) => isAt(path, name) || isAt(name, path))
    if (!field) return { field: undefined, message: locale.say('finding.general') }
    const isMissing = field.isOptional !== true && valueAt(request, field.name) === undefined
    const said = isMissing ? missingText(locale, field) : wrongText(locale, field, message)
    return { field: field.name, message: said }
  })
}

const isAt = (path: string, parent: string): boolean =>
  path === parent || path.startsWith(`${parent}.`)

/** Errors of required fields that were left empty. */
export const missingErrors = (
  locale: Locale,
  { fields, request }: Filled,
  isNeeded: (field: Field) => boolean,
): FormError[] =>
  fields
    .filter((field) => isNeeded(field) && valueAt(request, field.name) === undefined)
    .map((field) => ({ field: field.name, message: missingText(locale, field) }))

/** One error per field, in the order of the form; errors without a field come first. */
export function inOrder(fields: readonly Field[], errors: readonly FormError[]): FormError[] {
  const first = fields.flatMap(({ name }) => errors.find(({ field }) => field === name) ?? [])
  return [...errors.filter(({ field }) => field === undefined), ...first]
}
