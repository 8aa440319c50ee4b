/** The `sql` tag and `given` as they are in server/src/infra/db, on values that are not known yet. */
import type ts from 'typescript'
import { unresolved, type SqlValue, type Value } from './value.ts'

export const fragment = (parts: readonly string[], ...templates: readonly ts.Node[]): SqlValue => ({
  kind: 'sql',
  parts,
  templates,
})

/** Also of what is written as the object that the tag would make. */
export function toSql(value: Value, node: ts.Node): SqlValue {
  if (value.kind === 'sql') return value
  if (value.kind === 'record') {
    const parts = value.fields.get('parts')
    const [text] = parts?.kind === 'list' ? parts.items : []
    if (text?.kind === 'text') return fragment([text.text])
    throw unresolved(node, text)
  }
  throw unresolved(node, value)
}

/** Undefined among the inputs is a gap for a parameter. */
export function fillTemplate(
  strings: readonly string[],
  inputs: readonly (SqlValue | undefined)[],
  node: ts.Node,
): SqlValue {
  const parts = [strings[0] ?? '']
  const append = (text: string): void => void (parts[parts.length - 1] += text)
  inputs.forEach((input, index) => {
    const [first = '', ...more] = input?.parts ?? ['', '']
    append(first)
    parts.push(...more)
    append(strings[index + 1] ?? '')
  })
  return fragment(parts, node, ...inputs.flatMap((input) => input?.templates ?? []))
}

export function joinFragments(fragments: readonly SqlValue[], separator: string): SqlValue {
  const parts = ['']
  fragments.forEach(({ parts: [first = '', ...more] }, index) => {
    parts[parts.length - 1] += `${index === 0 ? '' : separator}${first}`
    parts.push(...more)
  })
  return fragment(parts, ...fragments.flatMap(({ templates }) => templates))
}

/** `columns` has the type of each column in front; `isPlain` is one row of plain values. */
export function givenRows(
  name: string,
  columns: ReadonlyMap<string, Value>,
  isPlain: boolean,
): SqlValue {
  const types = [...columns.values()].map((column) => {
    const type = column.kind === 'list' ? column.items[0] : undefined
    return type?.kind === 'text' ? type.text : 'unknown'
  })
  const gaps = types.map((type, index) => {
    const end = index < types.length - 1 ? ', ' : ''
    return isPlain ? `::${type}${end}` : `::${type}[]${end}`
  })
  const last = gaps.pop() ?? ''
  const alias = ` ${name}(${[...columns.keys()].join(', ')})`
  const [open, close] = isPlain ? ['(values (', '))'] : ['unnest(', ')']
  return fragment([open, ...gaps, `${last}${close}${alias}`])
}

export const textOf = ({ parts }: SqlValue): string =>
  parts.reduce((text, part, index) => `${text}$${index}${part}`)
