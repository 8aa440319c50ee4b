/**
 * Signatures for quotes that are paid from a wallet (SIGN-18 to SIGN-20). A quote has a payload of its own for life;
 * a stamp over it executes the quote with or without a Request. What many quotes need is read at once; judging reads
 * and writes nothing, so that it fits into a batch of payments. State (409) is the caller's to check before. Of a
 * quote's Requests nobody is in the way: whoever comes here has the quote locked.
 */
import { addMs } from '../../../kernel/clock.ts'
import { refuse, type Refusal } from '../../../kernel/errors.ts'
import { parseId, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import { executeQuotePayload, type QuoteToSign } from '../../../crypto/wallet/activities.ts'
import { payloadToSign } from '../../../crypto/wallet/payload-to-sign.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work.ts'
import { schedulePruning } from '../job-definitions.ts'
import { decideRetry, decideStamp, signingKeyOf, type Known } from './judge-retry.ts'
import { challengeToWire, newSignatureRequest, type WireChallenge } from './signature-request.ts'
import {
  countFailedRetry,
  insertSignatureRequest,
  listRequests,
  saveSignatureRequest,
  type NewSignatureRequest,
} from './store.ts'
import { REQUEST_LIFETIME_MS } from '../rules.ts'
import { listSessionsByKey } from '../sessions/store.ts'
import type { SignedHeaders } from './signed-headers.ts'
import type { Wallet } from '../wallets/wallet.ts'

const OPERATION = 'executeQuote'

/** What is signed for a quote, made with it and stored with it (SIGN-18). */
export function quotePayload(
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
  quote: Omit<QuoteToSign, 'walletId'>,
  at: Date,
): string {
  const activity = executeQuotePayload({ ...quote, walletId })
  return payloadToSign({ organizationId, activity, at })
}

/** A call that wants to execute a quote. */
export type QuoteSigning = Readonly<{
  platform: Platform
  now: Date
  /** The wallet's. */
  accountId: Id<'internalAccount'>
  quoteId: Id<'quote'>
  /** The quote's own. */
  payloadToSign: string
  quoteExpiresAt: Date
  body: unknown
  headers: SignedHeaders
}>

/** What the signatures of some quotes, of any platforms, are judged by, one element per signing: one round trip. */
export async function findKnownOfQuotes(
  tx: Tx,
  signings: readonly QuoteSigning[],
): Promise<Known[]> {
  const named = signings.map(namedBy)
  const [requests, sessions] = await Promise.all([
    listRequests(
      tx,
      named.flatMap(({ request }) => request ?? []),
    ),
    listSessionsByKey(
      tx,
      named.flatMap(({ session }) => session ?? []),
    ),
  ])
  return named.map(({ request, session }) => ({
    request: request && requests.find(({ id }) => id === request.id),
    session:
      session &&
      sessions.find(
        ({ accountId, publicKey }) =>
          accountId === session.accountId && publicKey === session.publicKey,
      ),
  }))
}

function namedBy({ platform, now, accountId, headers: { stamp, requestId } }: QuoteSigning) {
  const { id: platformId } = platform
  const id = requestId === undefined ? undefined : parseId('request', requestId)
  const publicKey = stamp === undefined ? undefined : signingKeyOf(platform, stamp)
  return {
    request: id && { platformId, id },
    session: publicKey === undefined ? undefined : { platformId, accountId, publicKey, now },
  }
}

/** What is kept of a judged signature. */
export type SignatureChange = Readonly<{ platformId: Id<'platform'> }> &
  Readonly<
    | { opened: NewSignatureRequest }
    | { spent: Id<'request'> }
    /** A refused stamp counts against the Request; the tenth voids it (SIGN-8). */
    | { failed: Id<'request'> }
  >

export type QuoteVerdict = Readonly<
  | { kind: 'SIGNED'; change?: SignatureChange }
  | { kind: 'ASKED'; challenge: WireChallenge; change: SignatureChange }
  | { kind: 'REFUSED'; refusal: Refusal; change?: SignatureChange }
>

type Judge = Pick<Work, 'keyring' | 'outbox'>

/** Whether the quote may be executed; without a stamp, what is to be signed. Refuses as a signed retry does. */
export function judgeQuoteSignature(
  { keyring, outbox }: Judge,
  signing: QuoteSigning,
  known: Known,
): QuoteVerdict {
  const { platform, now, quoteId, body, headers } = signing
  const { stamp: stampText, requestId } = headers
  if (stampText === undefined) {
    if (requestId === undefined) return askForStamp({ keyring, outbox }, signing)
    return { kind: 'REFUSED', refusal: refuse('WALLET_SIGNATURE_MISSING') }
  }
  if (requestId === undefined) {
    const { payloadToSign: payload } = signing
    const refusal = decideStamp({ platform }, { stampText, payloadToSign: payload }, known)
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
    known,
  )
  const platformId = platform.id
  if (verdict.ok) return { kind: 'SIGNED', change: { platformId, spent: verdict.request.id } }
  const { volumeDay: failed, ...refusal } = verdict
  return { kind: 'REFUSED', refusal, ...(failed && { change: { platformId, failed } }) }
}

/** SIGN-19: as long as a Request lives, but not longer than the quote. */
function askForStamp({ keyring, outbox }: Judge, signing: QuoteSigning): QuoteVerdict {
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
  return { kind: 'ASKED', challenge: challengeToWire(opened), change }
}

/** Travels with the commit. */
export function writeSignatureChange(tx: Tx, change: SignatureChange): void {
  const { platformId } = change
  if ('opened' in change) insertSignatureRequest(tx, platformId, change.opened)
  else if ('failed' in change) countFailedRetry(tx, platformId, change.failed)
  else {
    const settled = { id: change.spent, state: 'SETTLED', stampDigest: null, reply: null } as const
    saveSignatureRequest(tx, platformId, settled)
  }
}
