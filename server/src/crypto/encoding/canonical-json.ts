/**
 * Canonical JSON, RFC 8785: keys sorted by UTF-16 code units, no white space, numbers and strings as ECMAScript
 * writes them. What a wallet signs is made of it (chapter 20, 3.6), and two bodies are equal as JSON values exactly
 * when their canonical texts are (SIGN-5).
 */
import { invariant } from '../../kernel/invariant.ts'

/** A member that is undefined is left out, as everywhere in JSON. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return canonicalScalar(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${canonicalScalar(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

function canonicalScalar(value: unknown): string {
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  const isText = typeof value === 'string' && value.isWellFormed()
  invariant(
    isNumber || isText || typeof value === 'boolean' || value === null,
    `Canonical JSON has no place for this ${typeof value}.`,
  )
  return JSON.stringify(value)
}
