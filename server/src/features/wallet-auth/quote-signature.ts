/**
 * Signatures for quotes that are paid from a wallet (SIGN-18 to SIGN-20). A quote has a payload of its own for life;
 * a stamp over it executes the quote with or without a Request. State (409) is the caller's to check before.
 */
import { addMs } from '../../kernel/clock.ts'
import { refuse, type Refusal } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import { executeQuote, type QuoteToSign } from '../../crypto/wallet/activities.ts'
import { payloadToSign } from '../../crypto/wallet/payload-to-sign.ts'
import { reply, type Reply } from '../../infra/http/reply.ts'
import type { Work } from '../../infra/work.ts'
import { judgeRetry, judgeStamp } from './judge-retry.ts'
import { challengeToWire, openRequest, type WireChallenge } from './request.ts'
import { saveRequest } from './request-store.ts'
import { REQUEST_LIFETIME_MS } from './rules.ts'
import { readSignedHeaders, type Headers } from './signed-headers.ts'
import type { Wallet } from './wallet.ts'

const OPERATION = 'executeQuote'

/** What is signed for a quote, made with it and stored with it (SIGN-18). */
export function quotePayload(
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
  quote: Omit<QuoteToSign, 'walletId'>,
  at: Date,
): string {
  const activity = executeQuote({ ...quote, walletId })
  return payloadToSign({ organizationId, activity, at })
}

export type QuoteSigning = Readonly<{
  /** Locked. */
  wallet: Wallet
  quoteId: Id<'quote'>
  /** The quote's own. */
  payloadToSign: string
  quoteExpiresAt: Date
  body: unknown
  headers: Headers
}>

/**
 * Undefined when the quote may be executed; a Request that was named is then spent. Without a stamp what is to be
 * signed (202). Refuses as a signed retry does.
 */
export async function judgeQuoteSignature(
  work: Work,
  signing: QuoteSigning,
): Promise<Reply<202, WireChallenge> | Refusal | undefined> {
  const { wallet, quoteId, body } = signing
  const given = readSignedHeaders(work, signing.headers)
  if (given.stamp === undefined) {
    return given.requestId === undefined
      ? askForStamp(work, signing)
      : refuse('WALLET_SIGNATURE_MISSING')
  }
  if (given.requestId === undefined) {
    const { payloadToSign: payload } = signing
    return judgeStamp(work, { stampText: given.stamp, payloadToSign: payload, wallet })
  }
  const verdict = await judgeRetry(work, {
    operation: OPERATION,
    resourceId: quoteId,
    body,
    headers: given,
    wallet,
    maySign: () => true,
  })
  if (!verdict.ok) return verdict
  const { id } = verdict.request
  const spent = { id, state: 'SETTLED', stampDigest: null, reply: null } as const
  saveRequest(work.tx, work.platform.id, spent)
  return undefined
}

/** SIGN-19: as long as a Request lives, but not longer than the quote. */
function askForStamp(work: Work, signing: QuoteSigning): Reply<202, WireChallenge> {
  const { wallet, quoteId, body, quoteExpiresAt } = signing
  const latest = addMs(work.now, REQUEST_LIFETIME_MS)
  const request = openRequest(work, {
    operation: OPERATION,
    resourceId: quoteId,
    wallet,
    body,
    expiresAt: quoteExpiresAt < latest ? quoteExpiresAt : latest,
    payload: () => signing.payloadToSign,
  })
  return reply(202, challengeToWire(request))
}
