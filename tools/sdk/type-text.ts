import type { Schema } from './interface-description.ts'

/** Names that would hide one of the language or the browser, or that say nothing outside the interface. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody', Event: 'EventRecord' }

/** `CustomerOneOf` is simply a `Customer`; no two names fall together (the generator's test). */
export const typeNameOf = (schemaName: string): string =>
  RENAMED[schemaName] ?? schemaName.replace(/OneOf$/, '')

export const schemaNameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

/** A file may be given as whatever the caller has at hand. */
export const UPLOAD = 'Upload'

/** The schema as TypeScript, without a line break but inside object types. */
export function typeText(schema: Schema): string {
  const name = schemaNameOf(schema)
  if (name !== undefined) return typeNameOf(name)
  if (schema.oneOf !== undefined) return unionText(schema.oneOf)
  if (schema.anyOf !== undefined) return unionText(schema.anyOf)
  if (schema.allOf !== undefined) return schema.allOf.map(typeText).join(' & ')
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ')
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? UPLOAD : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return `${bracketed(typeText(schema.items ?? {}))}[]`
    case 'object':
      return objectText(schema)
    default:
      return 'unknown'
  }
}

/** An alternative that takes anything is there for the checks that code does; it would swallow the others. */
function unionText(members: readonly Schema[]): string {
  const texts = members.filter((member) => Object.keys(member).length > 0).map(typeText)
  return [...new Set(texts)].join(' | ')
}

export function objectText({ properties = {}, required = [], ...schema }: Schema): string {
  const names = Object.keys(properties)
  if (names.length === 0) {
    const isOpen = schema.patternProperties !== undefined || schema.additionalProperties === true
    return isOpen ? 'Record<string, unknown>' : 'Record<string, never>'
  }
  const lines = Object.entries(properties).map(([name, property]) =>
    propertyText({ name, schema: property, isRequired: required.includes(name) }),
  )
  return `{\n${lines.join('\n')}\n}`
}

export function propertyText({
  name,
  schema,
  isRequired,
}: {
  name: string
  schema: Schema
  isRequired: boolean
}): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)
  return `${docComment([schema.description], schema)}${key}${isRequired ? '' : '?'}: ${typeText(schema)}`
}

export const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`

const bracketed = (text: string): string => (/ \| /.test(text) ? `(${text})` : text)

/** A doc comment of these paragraphs, or nothing where there are none. */
export function docComment(
  paragraphs: readonly (string | undefined)[],
  { deprecated = false }: Readonly<{ deprecated?: boolean }> = {},
): string {
  const said = [...paragraphs, deprecated ? '@deprecated' : undefined].filter(
    (paragraph) => paragraph !== undefined && paragraph !== '',
  )
  if (said.length === 0) return ''
  const lines = said.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrapped((paragraph ?? '').replaceAll('*/', '*∕')),
  ])
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

const COLUMNS = 96

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= COLUMNS) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
