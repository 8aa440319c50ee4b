/** Fields that only reviewers request; their controls are derived from the API's schema. */
import {
  CustomerUpdateSchema,
  isObject,
  valueAt,
  type CustomerType,
} from '../../../features/customers/index.ts'
import type { Field } from './fields.ts'

/** The label of a path: `businessInfo.purposeOfAccount` becomes `Purpose of account`. */
export function inWords(name: string): string {
  const last = name.split('.').at(-1) ?? name
  const spaced = last
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`
}

/** Undefined for fields that the applicant cannot change here. */
export function furtherField(customerType: CustomerType, name: string): Field | undefined {
  const schema = schemaAt(customerType, name)
  if (!schema) return undefined
  const label = inWords(name)
  const common = { name, label, missing: `Enter or choose: ${label.toLowerCase()}` }
  const values = enumOf(schema) ?? enumOf(schema['items'])
  if (values) {
    const options = values.map((value) => ({ value, label: inWords(value) }))
    return { ...common, control: schema['type'] === 'array' ? 'choices' : 'choice', options }
  }
  if (valueAt(schema, 'items.format') === COUNTRY) return { ...common, control: 'countries' }
  if (schema['format'] === COUNTRY) return { ...common, control: 'country' }
  if (schema['format'] === 'date') return { ...common, control: 'date', isShort: true }
  return schema['type'] === 'string' ? { ...common, control: 'text' } : undefined
}

const COUNTRY = 'iso3166-1-alpha-2'
/** Fields that only the platform changes (chapter 11, section 8). */
const NOT_HERE = ['email', 'phoneNumber', 'umaAddress', 'currencies', 'customerType']

type Schema = Readonly<Record<string, unknown>>

function schemaAt(customerType: CustomerType, name: string): Schema | undefined {
  if (NOT_HERE.includes(name)) return undefined
  const variants: unknown = valueAt(CustomerUpdateSchema, 'oneOf')
  const variant = (Array.isArray(variants) ? variants : []).find((one) =>
    enumOf(valueAt(one, 'properties.customerType'))?.includes(customerType),
  ) as unknown
  return name
    .split('.')
    .reduce<Schema | undefined>(
      (schema, part) => notNull(valueAt(schema, `properties.${part}`)),
      notNull(variant),
    )
}

/** The part of a clearable field's schema that is not null. */
function notNull(schema: unknown): Schema | undefined {
  if (!isObject(schema)) return undefined
  const variants = schema['anyOf']
  if (!Array.isArray(variants)) return schema
  return variants.filter(isObject).find(({ type }) => type !== 'null')
}

function enumOf(schema: unknown): readonly string[] | undefined {
  const values = valueAt(schema, 'enum')
  return Array.isArray(values) ? values.map(String) : undefined
}
