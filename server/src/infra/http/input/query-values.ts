import type { TSchema } from '../schema/type.ts'
import { DAY_MS, addMs, isCalendarDate, toWireTime } from '../../../kernel/clock.ts'

type Query = Record<string, unknown>
type Property = Readonly<{ type?: unknown; format?: unknown }>

const INTEGER = /^-?\d+$/
const DAY_STARTS = /^startDate$|After$/
const DAY_ENDS = /^endDate$|Before$/
const LAST_DAY = '9999-12-31'

/** A filter that takes a plain date in the place of a timestamp (CORE-14). */
export const isDateFilter = (name: string, { format }: Property): boolean =>
  format === 'date-time' && (DAY_STARTS.test(name) || DAY_ENDS.test(name))

/**
 * Brings the values of a query into the form that its schema describes (CORE-14). Changes the query itself; a value of
 * any other form stays, and the schema refuses it.
 */
export function queryNormaliser(schema: TSchema): (query: Query) => void {
  const { properties = {} } = schema as { properties?: Record<string, Property> }
  const steps = Object.entries(properties).flatMap(([name, property]) => {
    const normalise = normaliserOf(name, property)
    return normalise ? [{ name, normalise }] : []
  })
  return (query) => {
    for (const { name, normalise } of steps) {
      const given = query[name]
      if (given === undefined) continue
      const value = normalise(given)
      if (value === undefined) delete query[name]
      else query[name] = value
    }
  }
}

type Normaliser = (given: unknown) => unknown

function normaliserOf(name: string, property: Property): Normaliser | undefined {
  if (name === 'cursor') return (given) => (given === '' ? undefined : given)
  if (property.type === 'array') return listIn
  if (property.type === 'integer') return digitsOnly
  if (isDateFilter(name, property)) return (given) => instantIn(name, given)
  return undefined
}

/** Accepts a list that is repeated, separated by commas, or both. A list of empty parts counts as absent. */
function listIn(given: unknown): unknown {
  const parts = [given].flat().flatMap((one) => String(one).split(','))
  const named = parts.filter((part) => part !== '')
  return named.length > 0 ? named : undefined
}

/** Refuses integers that are not written in digits alone, since Ajv accepts everything that JavaScript reads as one. */
const digitsOnly: Normaliser = (given) =>
  typeof given === 'string' && !INTEGER.test(given) ? 'no integer' : given

/** A plain date is the whole UTC day; `…Before` excludes its own instant and so names the next midnight. */
function instantIn(name: string, given: unknown): unknown {
  if (typeof given !== 'string' || !isCalendarDate(given)) return given
  if (DAY_STARTS.test(name)) return `${given}T00:00:00.000Z`
  if (name === 'endDate' || given === LAST_DAY) return `${given}T23:59:59.999Z`
  return toWireTime(addMs(new Date(`${given}T00:00:00.000Z`), DAY_MS))
}
