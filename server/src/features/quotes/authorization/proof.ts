/** Whether a quote needs the customer's proof, and what the customer is asked then (SCA-40 to SCA-45, SCA-54). */
import { Type } from '../../../infra/http/schema/type.ts'
import { scaPaymentChallenge } from '../../../crypto/passkey/sca-passkey.ts'
import { addMs } from '../../../kernel/clock.ts'
import { fail, failFields } from '../../../kernel/errors.ts'
import { formatId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { moneyToText } from '../../../kernel/money/wire-money.ts'
import { defineJob, jobId } from '../../../infra/jobs/define-job.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { BatchState } from '../../../ledger/batch.ts'
import {
  CHALLENGE_LIFETIME_MS,
  draftChallenge,
  hasSession,
  mustBeAvailable,
  mustChooseFactor,
  type ChallengeMaker,
  type IssuedChallenge,
  type QuotePurpose,
  type ScaCustomer,
  type ScaFactor,
} from '../../sca/index.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import { isTrustedPayee, type ReceivingSide } from '../../payment-terms/index.ts'
import type { Quote } from '../record/quote.ts'
import type { PayerCheck } from './payer-check.ts'

/** A payment to a trusted payee needs a session instead of a proof (SCA-54). Fails: SCA_SESSION_REQUIRED. */
export function needsProof(
  check: PayerCheck | undefined,
  { receiving, now }: Readonly<{ receiving: ReceivingSide; now: Date }>,
): check is PayerCheck {
  if (!check) return false
  if (!isTrustedPayee(check.payer, receiving)) return true
  if (!hasSession(check.payer.sca.security, now)) fail('SCA_SESSION_REQUIRED')
  return false
}

/** What the customer proves, one step after the other (SCA-45). */
export function proofStepsOf(
  { source }: Pick<Quote, 'source'>,
  { sent, received }: Pick<OutgoingTransaction, 'sent' | 'received'>,
): readonly QuotePurpose[] {
  if (source.sourceType !== 'REALTIME_FUNDING') return ['PAYOUT']
  return sent.currency === received?.currency ? ['TRANSFER'] : ['CURRENCY_CONVERSION', 'PAYOUT']
}

/** The factor of the proof (SCA-43). Fails: INVALID_INPUT on a `scaFactor` that cannot be used, CONFLICT without any. */
export function chooseQuoteFactor(sca: ScaCustomer, requested: ScaFactor | undefined) {
  if (requested === 'TOTP') {
    const message = 'an app’s code cannot be tied to an amount'
    const constraint = { enum: ['SMS_OTP', 'PASSKEY'] }
    return failFields([{ field: 'scaFactor', constraint, message }])
  }
  if (requested) mustBeAvailable(sca, requested, 'scaFactor')
  return mustChooseFactor(sca, { requested, alsoTotp: false })
}

export const endAuthorizationJob = defineJob(
  'quotes.endAuthorization',
  Type.Object({ quoteId: jobId('quote'), challengeId: jobId('scaChallenge') }),
)

export type ProofRequest = Readonly<{
  quote: Pick<Quote, 'id' | 'source' | 'expiresAt'>
  transaction: OutgoingTransaction
  check: PayerCheck
  purpose: QuotePurpose
  asked: ScaFactor | undefined
}>

/**
 * Issues the challenge of one step, and the job that fails the quote if no proof comes in time. The message, and what a
 * passkey signs, contain amounts and payee (SCA-44). Fails: INVALID_INPUT, CONFLICT, RATE_LIMITED, NOT_IMPLEMENTED.
 */
export function askForProof(maker: ChallengeMaker, request: ProofRequest): IssuedChallenge {
  const { quote, transaction, check, purpose, asked } = request
  const { sent, received, destination } = transaction
  const { sca } = check.payer
  invariant(received, 'a quote is priced')
  const lifetimeEnd = addMs(maker.now, CHALLENGE_LIFETIME_MS)
  const isRealtime = quote.source.sourceType === 'REALTIME_FUNDING'
  const expiresAt = isRealtime && quote.expiresAt < lifetimeEnd ? quote.expiresAt : lifetimeEnd
  const issued = draftChallenge(maker, sca, {
    subject: { purpose, quoteId: quote.id },
    ...chooseQuoteFactor(sca, asked),
    about: `to pay ${moneyToText(sent)} to ${check.payee}`,
    passkeyChallengeOf: (id) =>
      scaPaymentChallenge({
        challengeId: formatId('scaChallenge', id),
        quoteId: formatId('quote', quote.id),
        sendingAmount: sent.amount.toString(),
        sendingCurrency: sent.currency,
        receivingAmount: received.amount.toString(),
        receivingCurrency: received.currency,
        payee: 'accountId' in destination ? destination.accountId : destination.umaAddress,
      }),
    expiresAt,
  })
  const payload = { quoteId: quote.id, challengeId: issued.challenge.id }
  enqueue(maker, endAuthorizationJob, payload, { dueAt: expiresAt })
  return issued
}

/** When the commands of a batch have sent messages, which count against the limit of the commands after them. */
const newSends = () => new Map<Id<'customer'>, readonly Date[]>()

export function withSendsOfBatch(state: BatchState, check: PayerCheck): PayerCheck {
  const { sca } = check.payer
  const smsSentAt = state(newSends).get(sca.customer.id) ?? sca.smsSentAt
  return { ...check, payer: { ...check.payer, sca: { ...sca, smsSentAt } } }
}

export function recordChallenge(
  state: BatchState,
  { challenge, smsSentAt }: IssuedChallenge,
): void {
  state(newSends).set(challenge.customerId, smsSentAt)
}
