/**
 * The payload that a wallet's key signs (chapter 20, 3.6): canonical JSON with the activity, its signature request and
 * the time. The text is stored as it is made; a stamp is judged against those bytes (SIGN-7).
 */
import { createHash } from 'node:crypto'
import { formatId } from '../../kernel/ids.ts'
import type { Id } from '../../kernel/ids.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import type { Activity } from './activities.ts'

const SESSION_SECONDS = '900'

export function payloadToSign({
  organizationId,
  activity,
  requestId,
  at,
}: {
  organizationId: string
  activity: Activity
  /** Absent from the payload of a quote, which lives as long as the quote (SIGN-18). */
  requestId?: Id<'request'>
  at: Date
}): string {
  return canonicalJson({
    organizationId,
    parameters: activity.parameters,
    requestId: requestId && formatId('request', requestId),
    timestampMs: String(at.getTime()),
    type: activity.type,
  })
}

/**
 * The challenge of a passkey login (3.11, CHAL-4): 64 lowercase hex characters, whose UTF-8 bytes are what the
 * authenticator signs. It fixes the signature request and the key of the session.
 */
export function passkeyLoginChallenge({
  organizationId,
  credentialId,
  clientPublicKey,
  requestId,
  at,
}: {
  organizationId: string
  /** The WebAuthn id. */
  credentialId: string
  /** As sent. */
  clientPublicKey: string
  requestId: Id<'request'>
  at: Date
}): string {
  const activity = {
    type: 'ACTIVITY_TYPE_STAMP_LOGIN',
    parameters: { credentialId, expirationSeconds: SESSION_SECONDS, publicKey: clientPublicKey },
  }
  const payload = payloadToSign({ organizationId, activity, requestId, at })
  return createHash('sha256').update(payload, 'utf8').digest('hex')
}
