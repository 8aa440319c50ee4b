/** Quotes that a wallet pays: the payload to sign, and the check of the signature (SIGN-18 to SIGN-20). */
import type { Keyring } from '../../../crypto/seal.ts'
import { refusalToError, type ErrorBody } from '../../../kernel/errors.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { errorReply } from '../../../infra/http/error-reply.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Outbox } from '../../../infra/work/outbox.ts'
import {
  findSigningFacts,
  judgeQuoteSignature,
  quotePayload,
  type QuoteSigning,
  type QuoteVerdict,
  type SignatureChange,
  type SignedHeaders,
  type WalletName,
  type WireChallenge,
} from '../../wallet-auth/index.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import type { PayingSide } from '../../payment-terms/index.ts'
import type { Quote } from '../record/quote.ts'
import type { LoadedQuote } from '../record/loaded-quote.ts'

const WALLET = 'EMBEDDED_WALLET'

type Internal = Extract<PayingSide, { kind: 'internal' }>

export const isWallet = (side: PayingSide | undefined): side is Internal =>
  side?.kind === 'internal' && side.account.type === WALLET

/** The payload is created with the quote and never changes (SIGN-18). */
export function instructionsToSign(
  wallet: WalletName,
  {
    quote,
    transaction,
  }: { quote: Pick<Quote, 'id' | 'destination' | 'createdAt'>; transaction: OutgoingTransaction },
): NonNullable<OutgoingTransaction['paymentInstructions']> {
  const { sent, received, fees } = transaction
  invariant(received && fees !== null, 'A quote is priced.')
  const payloadToSign = quotePayload(
    wallet,
    {
      quoteId: quote.id,
      destination: quote.destination,
      feesIncluded: fees,
      sendingCurrency: sent.currency,
      receivingCurrency: received.currency,
      totalSendingAmount: sent.amount,
      totalReceivingAmount: received.amount,
    },
    quote.createdAt,
  )
  const accountOrWalletInfo = { accountType: WALLET, payloadToSign }
  return [{ isPlatformAccount: false, accountOrWalletInfo }]
}

/** The parts of a request that a stamp is judged by. */
export type Signing = Readonly<{ body: unknown; headers: SignedHeaders }>

/** A signature with the stored rows that it is judged by. */
export type SigningWithFacts = Readonly<{
  signing: QuoteSigning
  facts: Awaited<ReturnType<typeof findSigningFacts>>[number]
}>

type Signed = LaneCaller & Readonly<{ input: Readonly<{ signing: Signing }> }>

/** The signing of each quote that a wallet pays; undefined for all others, even if they send a stamp (SIGN-13). */
export async function loadSignings(
  tx: Tx,
  commands: readonly Signed[],
  loaded: readonly (LoadedQuote | undefined)[],
): Promise<(SigningWithFacts | undefined)[]> {
  const signings = commands.map(({ platform, now, input }, index) => {
    const one = loaded[index]
    if (!one || !isWallet(one.payment.paying)) return undefined
    const { id: quoteId, expiresAt: quoteExpiresAt } = one.quote
    const { id: accountId } = one.payment.paying.account
    const payloadToSign = payloadOf(one.payment.transaction)
    return { platform, now, accountId, quoteId, payloadToSign, quoteExpiresAt, ...input.signing }
  })
  const wanted = signings.flatMap((signing) => signing ?? [])
  const facts = await findSigningFacts(tx, wanted)
  const byPlace = new Map(wanted.map((signing, n) => [signing, facts[n]]))
  return signings.map((signing) => {
    const found = signing && byPlace.get(signing)
    return found && { signing, facts: found }
  })
}

function payloadOf({ paymentInstructions }: OutgoingTransaction): string {
  const payload = paymentInstructions?.[0]?.accountOrWalletInfo['payloadToSign']
  invariant(typeof payload === 'string', 'A quote from a wallet says what is to be signed.')
  return payload
}

/** The answer to an execution that is not signed: the challenge, or the refusal. */
export type SigningBody = WireChallenge | ErrorBody

/** `answer` is set where the quote may not be executed; `change` is what to write in either case. */
export type SignatureOutcome = Readonly<{
  answer?: Reply<number, SigningBody>
  change?: SignatureChange
}>

export function judgeSigning(
  judge: Readonly<{ keyring: Keyring; outbox: Outbox }>,
  found: SigningWithFacts | undefined,
): SignatureOutcome {
  if (!found) return {}
  const verdict: QuoteVerdict = judgeQuoteSignature(judge, found.signing, found.facts)
  const { change } = verdict
  const kept = change ? { change } : {}
  if (verdict.kind === 'SIGNED') return kept
  const answer =
    verdict.kind === 'CHALLENGED'
      ? reply(202, verdict.challenge)
      : errorReply(refusalToError(verdict.refusal))
  return { answer, ...kept }
}

/** One Idempotency-Key may serve the first call and the signed retry (SIGN-12). */
export const isFinalAnswer = ({ status }: Reply): boolean => status !== 202 && status !== 401
