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
import { isTrustedBy } from '../../external-accounts/index.ts'
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
  type ScaPayer,
} from '../../sca/index.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import type { ReceivingSide } from '../../payment-terms/index.ts'
import type { Quote } from '../record/quote.ts'
import type { PayerCheck } from './payer-check.ts'

const isTrustedPayee = ({ sca }: ScaPayer, receiving: ReceivingSide): boolean =>
  receiving.kind === 'external' && isTrustedBy(receiving.account, sca.customer.id)

type Paid = Readonly<{ receiving: ReceivingSide; now: Date }>

/** SCA-54: a payee that the payer trusts needs a session instead of a proof. Fails: SCA_SESSION_REQUIRED. */
export function needsProof(
  check: PayerCheck | undefined,
  { receiving, now }: Paid,
): check is PayerCheck {
  if (!check) return false
  if (!isTrustedPayee(check.payer, receiving)) return true
  if (!hasSession(check.payer.sca.security, now)) fail('SCA_SESSION_REQUIRED')
  return false
}

/** Pushed funds wait for no proof, so a quote that needs one takes none (9.5). Fails: CONFLICT. */
export function mustNeedNoProof(payer: ScaPayer | undefined, { receiving, now }: Paid): void {
  if (!payer) return
  if (isTrustedPayee(payer, receiving) && hasSession(payer.sca.security, now)) return
  fail('CONFLICT', { reason: 'SCA_REQUIRED' })
}

/** SCA-45: what is proven, step by step. */
export function stepsOf(
  { source }: Pick<Quote, 'source'>,
  { sent, received }: Pick<OutgoingTransaction, 'sent' | 'received'>,
): readonly QuotePurpose[] {
  if (source.sourceType !== 'REALTIME_FUNDING') return ['PAYOUT']
  return sent.currency === received?.currency ? ['TRANSFER'] : ['CURRENCY_CONVERSION', 'PAYOUT']
}

/**
 * SCA-43: by what the customer will prove it. Fails: INVALID_INPUT on `scaFactor` for one that it cannot be, CONFLICT
 * where the customer has none.
 */
export function chooseQuoteFactor(sca: ScaCustomer, asked: ScaFactor | undefined) {
  if (asked === 'TOTP') {
    const message = 'an app’s code cannot be tied to an amount'
    const constraint = { enum: ['SMS_OTP', 'PASSKEY'] }
    return failFields([{ field: 'scaFactor', constraint, message }])
  }
  if (asked) mustBeAvailable(sca, asked, 'scaFactor')
  return mustChooseFactor(sca, { asked, alsoTotp: false })
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
 * Asks for one step's proof; a quote without it by then has failed. Amounts and payee are in the message, and in what
 * a passkey signs (SCA-44). Fails: INVALID_INPUT, CONFLICT, RATE_LIMITED, NOT_IMPLEMENTED.
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

/** The messages that the commands of a batch have sent. */
const newSends = () => new Map<Id<'customer'>, readonly Date[]>()

export function checkNow(state: BatchState, check: PayerCheck): PayerCheck {
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
