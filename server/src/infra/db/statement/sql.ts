import { invariant } from '../../../kernel/invariant.ts'
import { arrayEncoder, type ArrayEncoder } from './binary-array.ts'
import { toParameter } from './parameter.ts'

/**
 * The `sql` tag. Values become numbered parameters, nested fragments are spliced in, and every distinct text gets
 * a statement name, so the server parses and plans it once per connection.
 */
export type Sql = Readonly<{ parts: readonly string[]; values: readonly unknown[] }>
export type Statement = Readonly<{
  name: string
  text: string
  values: (string | Buffer | null)[]
}>

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'parts' in value && 'values' in value

/** One way of filling a template: what stands in its first gap, then in the next, and the text that comes of it. */
type Filling = { next: WeakMap<object, Filling>; parts?: readonly string[] }

const newFilling = (): Filling => ({ next: new WeakMap() })
const fillings = new WeakMap<TemplateStringsArray, Filling>()
/** Stands for a value, whose text is the same whatever it is. */
const A_VALUE = {}

/** Texts are put together once: the same template with the same fragments in it has the same parts. */
function fillingOf(strings: TemplateStringsArray, inputs: readonly unknown[]): Filling {
  let filling = fillings.get(strings) ?? newFilling()
  fillings.set(strings, filling)
  for (const input of inputs) {
    const gap = isSql(input) ? input.parts : A_VALUE
    const next: Filling = filling.next.get(gap) ?? newFilling()
    filling.next.set(gap, next)
    filling = next
  }
  return filling
}

function mergeParts(strings: TemplateStringsArray, inputs: readonly unknown[]): readonly string[] {
  const parts: string[] = [strings[0] ?? '']
  inputs.forEach((input, index) => {
    const rest = strings[index + 1] ?? ''
    if (!isSql(input)) {
      parts.push(rest)
      return
    }
    parts[parts.length - 1] += input.parts[0] ?? ''
    parts.push(...input.parts.slice(1))
    parts[parts.length - 1] += rest
  })
  return parts
}

function tag(strings: TemplateStringsArray, ...inputs: unknown[]): Sql {
  if (!inputs.some(isSql)) return { parts: strings, values: inputs }
  const filling = fillingOf(strings, inputs)
  filling.parts ??= mergeParts(strings, inputs)
  const values: unknown[] = []
  for (const input of inputs) {
    if (isSql(input)) values.push(...input.values)
    else values.push(input)
  }
  return { parts: filling.parts, values }
}

const empty: Sql = { parts: [''], values: [] }

function join(fragments: readonly Sql[], separator: string): Sql {
  return fragments.reduce<Sql>(
    (all, fragment, index) =>
      index === 0 ? fragment : tag`${all}${{ parts: [separator], values: [] }}${fragment}`,
    empty,
  )
}

export const sql = Object.assign(tag, {
  empty,
  join,
  /** A fragment joined by `and`; `true` when there is nothing to ask. */
  and: (conditions: readonly Sql[]): Sql =>
    conditions.length === 0 ? tag`true` : join(conditions, ' and '),
  /**
   * One of our own words (a status, a type) as a literal. Plans are made once for all values of a parameter; for a
   * word the planner knows whether it is rare or common.
   */
  word: (value: string): Sql => {
    invariant(/^[A-Z_]+$/.test(value), 'only our own words become literals')
    return { parts: [`'${value}'`], values: [] }
  },
  /** A value for a `jsonb` parameter: an array would otherwise be taken for a PostgreSQL array. */
  json: (value: unknown): string => JSON.stringify(value),
})

/** The condition on a value that is there; none where it is not. */
export const when = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

const names = new Map<string, string>()
type Known = Readonly<{
  name: string
  text: string
  /** By the number of the parameter, of those that are said to be lists. */
  encoders: readonly (ArrayEncoder | undefined)[]
}>
const statementsOfTemplates = new WeakMap<readonly string[], Known>()

const LIST_TYPE = /^::([a-z]+)\[\]/

function encoderBefore(part: string): ArrayEncoder | undefined {
  const type = LIST_TYPE.exec(part)?.[1]
  return type === undefined ? undefined : arrayEncoder(type)
}

function textOf(parts: readonly string[]): string {
  return parts.reduce((text, part, index) => `${text}$${index}${part}`)
}

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `f${names.size}`
    names.set(text, name)
  }
  return name
}

export function toStatement(query: Sql): Statement {
  let known = statementsOfTemplates.get(query.parts)
  if (known === undefined) {
    const text = textOf(query.parts)
    known = { name: nameOf(text), text, encoders: query.parts.slice(1).map(encoderBefore) }
    statementsOfTemplates.set(query.parts, known)
  }
  const { name, text, encoders } = known
  const values = query.values.map(
    (value, index) => (Array.isArray(value) && encoders[index]?.(value)) || toParameter(value),
  )
  return { name, text, values }
}
