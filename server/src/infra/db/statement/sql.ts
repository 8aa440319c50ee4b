import { invariant } from '../../../kernel/invariant.ts'
import { listWriter, type ListWriter } from './bind-message.ts'

/**
 * The `sql` tag. Values become numbered parameters, nested fragments are spliced in, and every distinct text gets
 * a statement name, so the server parses and plans it once per connection.
 */
export type Sql = Readonly<{ parts: readonly string[]; values: readonly unknown[] }>
export type Statement = Readonly<{
  name: string
  text: string
  /** By the number of the parameter; undefined for parameters that are not lists. */
  listWriters: readonly (ListWriter | undefined)[]
}>

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'parts' in value && 'values' in value

/** A node of the cache of texts: the fragments of one template, gap by gap, lead to the text that they form. */
type Filling = { next: WeakMap<object, Filling>; parts?: readonly string[] }

const newFilling = (): Filling => ({ next: new WeakMap() })
const fillings = new WeakMap<TemplateStringsArray, Filling>()
/** Stands for any value, since values do not change the text. */
const A_VALUE = {}

/** Texts are built once: the same template with the same fragments has the same parts. */
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
  /** The conditions joined by `and`; `true` without conditions. */
  and: (conditions: readonly Sql[]): Sql =>
    conditions.length === 0 ? tag`true` : join(conditions, ' and '),
  /**
   * A status or type of ours as a literal. Plans are made once for all values of a parameter; for a literal the planner
   * knows whether it is rare or common.
   */
  word: (value: string): Sql => {
    invariant(/^[A-Z_]+$/.test(value), 'only our own words become literals')
    return { parts: [`'${value}'`], values: [] }
  },
  /** A value for a `jsonb` parameter: an array would otherwise be taken for a PostgreSQL array. */
  json: (value: unknown): string => JSON.stringify(value),
})

/** The condition for a value; none where it is undefined. */
export const when = <T>(value: T | undefined, condition: (value: T) => Sql): Sql[] =>
  value === undefined ? [] : [condition(value)]

const names = new Map<string, string>()
const statementsOfTemplates = new WeakMap<readonly string[], Statement>()

const LIST_TYPE = /^::([a-z]+)\[\]/

function writerBefore(part: string): ListWriter | undefined {
  const type = LIST_TYPE.exec(part)?.[1]
  return type === undefined ? undefined : listWriter(type)
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

export function toStatement({ parts }: Pick<Sql, 'parts'>): Statement {
  let known = statementsOfTemplates.get(parts)
  if (known === undefined) {
    const text = textOf(parts)
    known = { name: nameOf(text), text, listWriters: parts.slice(1).map(writerBefore) }
    statementsOfTemplates.set(parts, known)
  }
  return known
}
