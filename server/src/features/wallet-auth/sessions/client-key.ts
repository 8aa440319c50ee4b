import { failFields, type FieldError } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { POINT_PATTERN } from '../../../crypto/wallet/keys/point.ts'
import {
  parseClientPublicKey,
  type ClientPublicKey,
} from '../../../crypto/wallet/keys/session-key.ts'

const FIELD = 'clientPublicKey'
const UNCOMPRESSED_PATTERN = '^04[0-9a-fA-F]{128}$'

const keyOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[FIELD] : undefined

const problem = (pattern: string): FieldError[] => [
  { field: FIELD, constraint: { pattern }, message: 'must be a point of the P-256 curve in hex' },
]

/** The key may have either encoding and lies on the curve (CHAL-3, SESS-5). Accepts unvalidated input; never throws. */
export function checkClientKey(body: unknown): FieldError[] {
  const key = keyOf(body)
  const isSound = key === undefined || (typeof key === 'string' && parseClientPublicKey(key))
  return isSound ? [] : problem(POINT_PATTERN)
}

/** An export takes an uncompressed key only (EXPT-1). */
export function checkExportKey(body: unknown): FieldError[] {
  const key = keyOf(body)
  const isSound =
    key === undefined || (typeof key === 'string' && parseClientPublicKey(key)?.model === 'SEALED')
  return isSound ? [] : problem(UNCOMPRESSED_PATTERN)
}

/** Reads the key from a body that no schema has checked (CHAL-3). Fails: INVALID_INPUT. */
export function mustHaveClientKey(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return failFields([{ field: '', message: 'must be a JSON object' }])
  }
  const key = keyOf(body)
  const isSound = typeof key === 'string' && checkClientKey(body).length === 0
  return isSound ? key : failFields(problem(POINT_PATTERN))
}

export function clientKeyOf(text: string): ClientPublicKey {
  const key = parseClientPublicKey(text)
  invariant(key, 'A client key is checked before it is used.')
  return key
}
