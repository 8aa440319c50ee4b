import { toWireTime } from '../../../kernel/clock.ts'

/** A value as a statement's parameter: text, bytes, or null. Arrays become PostgreSQL's, other objects JSON. */
export function toParameter(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return toArray(value)
  if (value instanceof Date) return toWireTime(value)
  return Buffer.isBuffer(value) ? value : JSON.stringify(value)
}

function toArray(values: readonly unknown[]): string {
  let text = '{'
  for (const [index, value] of values.entries()) text += `${index > 0 ? ',' : ''}${element(value)}`
  return `${text}}`
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return toArray(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  const text = toParameter(value) as string
  return typeof value === 'string' || typeof value === 'object' ? quoted(text) : text
}

/** JSON also escapes control characters and unpaired surrogates, which PostgreSQL reads unescaped. */
const ESCAPED_BY_JSON_ALONE = /[^ -\ud7ff\ue000-\uffff]/

/** Few texts need escapes, so that is checked first. JSON escapes quotes and backslashes alike, faster than `replace`. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  if (!ESCAPED_BY_JSON_ALONE.test(text)) return JSON.stringify(text)
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
