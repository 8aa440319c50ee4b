/** Signature requests: operations that wait for a wallet's signature (SIGN-1). */
import { addMs, isPast, toWireTime } from '../../../kernel/clock.ts'
import { formatId, newId, type Id } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import { canonicalJson } from '../../../crypto/encoding/canonical-json.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { AuthMethodType } from '../credentials/auth-method.ts'
import { schedulePruning } from '../job-definitions.ts'
import { signatureRequest, type SignatureRequestEvent } from './machine.ts'
import {
  insertSignatureRequest,
  saveSignatureRequest,
  type NewSignatureRequest,
  type SignatureRequest,
  type SignatureRequestChange,
} from './store.ts'
import { FAILED_RETRIES_MAX, REQUEST_LIFETIME_MS } from '../rules.ts'
import { requestBody } from '../secrets.ts'
import type { Wallet } from '../wallets/wallet.ts'

export type WireChallenge = {
  type?: AuthMethodType
  payloadToSign: string
  requestId: string
  expiresAt: string
}

export type SignatureRequestDraft = Readonly<{
  operation: string
  resourceId: string
  wallet: Pick<Wallet, 'accountId'>
  body: unknown
  credentialId?: Id<'authMethod'> | undefined
  context?: Readonly<Record<string, unknown>> | undefined
  /** Set if the resource expires before the usual lifetime ends. */
  expiresAt?: Date
  payload(request: Readonly<{ id: Id<'request'>; expiresAt: Date }>): string
}>

/** Opens a signature request, written with the commit. */
export function openSignatureRequest(
  work: Work,
  draft: SignatureRequestDraft,
): NewSignatureRequest {
  const request = newSignatureRequest(work, draft)
  insertSignatureRequest(work.tx, work.platform.id, request)
  schedulePruning(work)
  return request
}

export function newSignatureRequest(
  { keyring, now }: Pick<Work, 'keyring' | 'now'>,
  draft: SignatureRequestDraft,
): NewSignatureRequest {
  const id = newId('request')
  const expiresAt = draft.expiresAt ?? addMs(now, REQUEST_LIFETIME_MS)
  return {
    id,
    operation: draft.operation,
    resourceId: draft.resourceId,
    accountId: draft.wallet.accountId,
    credentialId: draft.credentialId ?? null,
    body: requestBody.seal(keyring, bodyText(draft.body), id),
    payloadToSign: draft.payload({ id, expiresAt }),
    context: draft.context ?? {},
    createdAt: now,
    expiresAt,
  }
}

/** A call without a body equals a call with an empty object. */
const bodyText = (body: unknown): string => canonicalJson(body ?? {})

type Opener = Pick<Work, 'keyring'>

export function isBodyOf(work: Opener, request: SignatureRequest, body: unknown): boolean {
  return (
    requestBody.open(work.keyring, request.body, request.id).toString('utf8') === bodyText(body)
  )
}

export function readBody(work: Opener, request: SignatureRequest): unknown {
  return JSON.parse(requestBody.open(work.keyring, request.body, request.id).toString('utf8'))
}

/** Whether a retry may still name the request: it has not expired, and failed retries have not voided it. */
export function isUsable({ expiresAt, failedRetries }: SignatureRequest, now: Date): boolean {
  return !isPast({ deadline: expiresAt, now }) && failedRetries < FAILED_RETRIES_MAX
}

type StoredAnswer = Partial<Pick<SignatureRequest, 'stampDigest' | 'reply'>>

/** The row after an event. Only an answer that a job prepares keeps stamp and reply, for the retry that fetches it. */
export function changeOf(
  { id, state }: Pick<SignatureRequest, 'id' | 'state'>,
  event: SignatureRequestEvent,
  { stampDigest = null, reply = null }: StoredAnswer = {},
): SignatureRequestChange {
  return { id, state: advance(signatureRequest, state, event), stampDigest, reply }
}

/** Moves a signature request, whose wallet is locked, by an event; written with the commit. */
export function moveSignatureRequest(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  request: SignatureRequest,
  { event, ...answer }: StoredAnswer & Readonly<{ event: SignatureRequestEvent }>,
): void {
  saveSignatureRequest(tx, platform.id, changeOf(request, event, answer))
}

export function challengeToWire(
  { id, payloadToSign, expiresAt }: Pick<SignatureRequest, 'id' | 'payloadToSign' | 'expiresAt'>,
  type?: AuthMethodType,
): WireChallenge {
  return {
    ...(type && { type }),
    payloadToSign,
    requestId: formatId('request', id),
    expiresAt: toWireTime(expiresAt),
  }
}
