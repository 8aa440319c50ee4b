/** A proof as callers send it: a code, or a passkey assertion with its origin (SCA-4). */
import { isJsonObject, type JsonObject } from '../../../crypto/encoding/json-object.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { isIpAddress } from '../../../kernel/text/ip-address.ts'

export type PasskeyProof = Readonly<{ passkeyAssertion: JsonObject; origin: string }>
export type Proof = Readonly<{ code: string }> | PasskeyProof

/** `null` counts as absent. */
export type ProofFields = Readonly<{
  code?: string | null
  passkeyAssertion?: Readonly<Record<string, unknown>> | null
  origin?: string | null
}>

/** Exactly one of both is given, an assertion with its origin. Accepts unvalidated input; never throws. */
export function checkProof(body: unknown): FieldError[] {
  if (!isJsonObject(body)) return []
  const { code, passkeyAssertion, origin } = body
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null
  const errors: FieldError[] = []
  if (isGiven(code) === isGiven(passkeyAssertion)) {
    errors.push({ field: 'code', message: 'give exactly one of code and passkeyAssertion' })
  }
  if (isGiven(passkeyAssertion) && !isGiven(origin)) {
    errors.push({ field: 'origin', message: 'is required with passkeyAssertion' })
  }
  return errors
}

/** The end user's address must be an IP address (SCA-9). Accepts unvalidated input; never throws. */
export function checkIpAddress(body: unknown): FieldError[] {
  const address = isJsonObject(body) ? body['endUserIpAddress'] : undefined
  if (typeof address !== 'string' || isIpAddress(address)) return []
  return [{ field: 'endUserIpAddress', message: 'must be an IPv4 or IPv6 address' }]
}

/** The proof in a request that passed checkProof. */
export function proofOf({ code, passkeyAssertion, origin }: ProofFields): Proof {
  if (typeof code === 'string') return { code }
  invariant(passkeyAssertion && typeof origin === 'string', 'a checked request holds a proof')
  return { passkeyAssertion, origin }
}

/** The note of the audit entry with the end user's address (SCA-9). */
export function endUserNote(body: unknown): string | undefined {
  const address = isJsonObject(body) ? body['endUserIpAddress'] : undefined
  return typeof address === 'string' ? `end user at ${address}` : undefined
}
