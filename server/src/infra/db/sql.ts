import { invariant } from '../../kernel/invariant.ts'

/**
 * The `sql` tag. Values become numbered parameters, nested fragments are spliced in, and every distinct text gets
 * a statement name, so the server parses and plans it once per connection.
 */
export type Sql = Readonly<{ parts: readonly string[]; values: readonly unknown[] }>
export type Statement = Readonly<{ name: string; text: string; values: unknown[] }>

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'parts' in value && 'values' in value

function tag(strings: TemplateStringsArray, ...inputs: unknown[]): Sql {
  if (!inputs.some(isSql)) return { parts: strings, values: inputs }
  const parts: string[] = [strings[0] ?? '']
  const values: unknown[] = []
  inputs.forEach((input, index) => {
    const rest = strings[index + 1] ?? ''
    if (!isSql(input)) {
      values.push(input)
      parts.push(rest)
      return
    }
    parts[parts.length - 1] += input.parts[0] ?? ''
    parts.push(...input.parts.slice(1))
    values.push(...input.values)
    parts[parts.length - 1] += rest
  })
  return { parts, values }
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

const names = new Map<string, string>()
const statementsOfTemplates = new WeakMap<readonly string[], { name: string; text: string }>()

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
    known = { name: nameOf(text), text }
    statementsOfTemplates.set(query.parts, known)
  }
  return { ...known, values: query.values as unknown[] }
}
