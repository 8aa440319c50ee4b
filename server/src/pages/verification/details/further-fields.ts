/** Fields that only reviewers request; their controls are derived from the API's schema. */
import {
  CustomerUpdateSchema,
  isObject,
  valueAt,
  type CustomerType,
} from '../../../features/customers/index.ts'
import { plainKey } from '../../language/locale.ts'
import type { Field } from './fields.ts'

/** Undefined for fields that the applicant cannot change here. */
export function furtherField(customerType: CustomerType, name: string): Field | undefined {
  const schema = schemaAt(customerType, name)
  const label = plainKey(`field.${name.split('.').at(-1) ?? name}`)
  if (!schema || !label) return undefined
  const common = { name, label }
  const values = enumOf(schema) ?? enumOf(schema['items'])
  if (values) {
    const control = schema['type'] === 'array' ? 'choices' : 'choice'
    return { ...common, control, options: values }
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
