/**
 * Signatures for quotes that are paid from a wallet (SIGN-18 to SIGN-20). A quote keeps one payload for life; a stamp
 * over it executes the quote with or without a signature request. One query reads the rows of many quotes, and judging
 * is pure, so that both fit into a batch of payments. Callers check the state (409) before and hold the quote's lock.
 */
import { addMs } from '../../../kernel/clock.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { executeQuotePayload, type QuoteToSign } from '../../../crypto/wallet/activities.ts'
import { payloadToSign } from '../../../crypto/wallet/payload-to-sign.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import { schedulePruning } from '../job-definitions.ts'
import { decideRetry, decideStamp, signingKeyOf, type SigningFacts } from './judge-retry.ts'
import {
  challengeToWire,
  changeOf,
  newSignatureRequest,
  type WireChallenge,
} from './signature-request.ts'
import {
  countFailedRetry,
  insertSignatureRequest,
  listSignatureRequests,
  saveSignatureRequest,
  type NewSignatureRequest,
  type SignatureRequestChange,
} from './store.ts'
import { REQUEST_LIFETIME_MS } from '../rules.ts'
import { listSessionsByKey } from '../sessions/store.ts'
import type { SignedHeaders } from './signed-operation.ts'
import type { Wallet } from '../wallets/wallet.ts'

const OPERATION = 'executeQuote'

/** The payload to sign for a quote, made and stored with it (SIGN-18). */
export function quotePayload(
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
  quote: Omit<QuoteToSign, 'walletId'>,
  at: Date,
): string {
  const activity = executeQuotePayload({ ...quote, walletId })
  return payloadToSign({ organizationId, activity, at })
}

/** A call to execute a quote that a wallet pays. */
export type QuoteSigning = Readonly<{
  platform: Platform
  now: Date
  /** The account of the wallet. */
  accountId: Id<'internalAccount'>
  quoteId: Id<'quote'>
  /** The payload of the quote. */
  payloadToSign: string
  quoteExpiresAt: Date
  body: unknown
  headers: SignedHeaders
}>

/** The facts for the signatures of quotes of any platforms, one element per signing, in one round trip. */
export async function findSigningFacts(
  tx: Tx,
  signings: readonly QuoteSigning[],
): Promise<SigningFacts[]> {
  const keys = signings.map(keysOf)
  const [requests, sessions] = await Promise.all([
    listSignatureRequests(
      tx,
      keys.flatMap(({ request }) => request ?? []),
    ),
    listSessionsByKey(
      tx,
      keys.flatMap(({ session }) => session ?? []),
    ),
  ])
  return keys.map(({ request, session }) => ({
    request: request && requests.find(({ id }) => id === request.id),
    session:
      session &&
      sessions.find(
        ({ accountId, publicKey }) =>
          accountId === session.accountId && publicKey === session.publicKey,
      ),
  }))
}

function keysOf({ platform, now, accountId, headers: { stamp, requestId } }: QuoteSigning) {
  const { id: platformId } = platform
  const id = requestId === undefined ? undefined : parseId('request', requestId)
  const publicKey = stamp === undefined ? undefined : signingKeyOf(platform, stamp)
  return {
    request: id && { platformId, id },
    session: publicKey === undefined ? undefined : { platformId, accountId, publicKey, now },
  }
}

/** The write that a judged signature causes. */
export type SignatureChange = Readonly<{ platformId: Id<'platform'> }> &
  Readonly<
    | { opened: NewSignatureRequest }
    | { settled: SignatureRequestChange }
    /** A refused stamp counts against the request; the tenth voids it (SIGN-8). */
    | { failed: Id<'request'> }
  >

export type QuoteVerdict = Readonly<
  | { kind: 'SIGNED'; change?: SignatureChange }
  | { kind: 'CHALLENGED'; challenge: WireChallenge; change: SignatureChange }
  | { kind: 'REFUSED'; refusal: Refusal; change?: SignatureChange }
>

type Judge = Pick<Work, 'keyring' | 'outbox'>

/** Decides whether the quote may be executed; without a stamp it returns the payload to sign. Refuses as a signed retry does. */
export function judgeQuoteSignature(
  { keyring, outbox }: Judge,
  signing: QuoteSigning,
  facts: SigningFacts,
): QuoteVerdict {
  const { platform, now, quoteId, body, headers } = signing
  const { stamp: stampText, requestId } = headers
  if (stampText === undefined) {
    if (requestId === undefined) return challengeQuote({ keyring, outbox }, signing)
    return { kind: 'REFUSED', refusal: refuse('WALLET_SIGNATURE_MISSING') }
  }
  if (requestId === undefined) {
    const { payloadToSign: payload } = signing
    const refusal = decideStamp({ platform }, { stampText, payloadToSign: payload }, facts)
    return refusal ? { kind: 'REFUSED', refusal } : { kind: 'SIGNED' }
  }
  const verdict = decideRetry(
    { platform, now, keyring },
    {
      operation: OPERATION,
      resourceId: quoteId,
      body,
      stampText,
      signerProblemOf: () => undefined,
    },
    facts,
  )
  const platformId = platform.id
  if (verdict.ok) {
    const settled = changeOf(verdict.request, 'settle')
    return { kind: 'SIGNED', change: { platformId, settled } }
  }
  const { failedRequestId: failed, ...refusal } = verdict
  return { kind: 'REFUSED', refusal, ...(failed && { change: { platformId, failed } }) }
}

/** The challenge expires with the quote, or after the usual lifetime if that is sooner (SIGN-19). */
function challengeQuote({ keyring, outbox }: Judge, signing: QuoteSigning): QuoteVerdict {
  const { platform, now, accountId, quoteId, body, quoteExpiresAt } = signing
  const latest = addMs(now, REQUEST_LIFETIME_MS)
  const opened = newSignatureRequest(
    { keyring, now },
    {
      operation: OPERATION,
      resourceId: quoteId,
      wallet: { accountId },
      body,
      expiresAt: quoteExpiresAt < latest ? quoteExpiresAt : latest,
      payload: () => signing.payloadToSign,
    },
  )
  schedulePruning({ platform, now, outbox })
  const change = { platformId: platform.id, opened }
  return { kind: 'CHALLENGED', challenge: challengeToWire(opened), change }
}

/** Queues the write for the commit. */
export function writeSignatureChange(tx: Tx, change: SignatureChange): void {
  const { platformId } = change
  if ('opened' in change) insertSignatureRequest(tx, platformId, change.opened)
  else if ('failed' in change) countFailedRetry(tx, platformId, change.failed)
  else saveSignatureRequest(tx, platformId, change.settled)
}
