import type { FieldError } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import { POINT_PATTERN } from '../../crypto/wallet/point.ts'
import { parseClientPublicKey, type ClientPublicKey } from '../../crypto/wallet/session-key.ts'

const FIELD = 'clientPublicKey'
const UNCOMPRESSED_PATTERN = '^04[0-9a-fA-F]{128}$'

const keyOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[FIELD] : undefined

const problem = (pattern: string): FieldError[] => [
  { field: FIELD, constraint: { pattern }, message: 'must be a point of the P-256 curve in hex' },
]

/** CHAL-3, SESS-5: of either encoding, and on the curve. Bears any body; a missing key is the schema's to find. */
export function checkClientKey(body: unknown): FieldError[] {
  const key = keyOf(body)
  const isSound = key === undefined || (typeof key === 'string' && parseClientPublicKey(key))
  return isSound ? [] : problem(POINT_PATTERN)
}

/** EXPT-1: uncompressed only. */
export function checkExportKey(body: unknown): FieldError[] {
  const key = keyOf(body)
  const isSound =
    key === undefined || (typeof key === 'string' && parseClientPublicKey(key)?.model === 'SEALED')
  return isSound ? [] : problem(UNCOMPRESSED_PATTERN)
}

/** Where the key is required only for some: CHAL-3. */
export const missingClientKey = (): FieldError[] => problem(POINT_PATTERN)

export function clientKeyOf(text: string): ClientPublicKey {
  const key = parseClientPublicKey(text)
  invariant(key, 'A client key is checked before it is used.')
  return key
}
