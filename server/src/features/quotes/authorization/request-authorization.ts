import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Batch } from '../../../ledger/batch.ts'
import { invariant } from '../../../kernel/invariant.ts'
import {
  challengeToWire,
  type ChallengeMaker,
  type IssuedChallenge,
  type ScaFactor,
} from '../../sca/index.ts'
import { moveMoney, type Payment } from '../../payments/index.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import type { LoadedQuote } from '../record/loaded-quote.ts'
import type { PayerCheck } from './payer-check.ts'
import { askForProof, proofStepsOf, recordChallenge, withSendsOfBatch } from './proof.ts'
import type { Quote } from '../record/quote.ts'
import { quoteToWire, type WireQuote } from '../record/wire.ts'

type AuthorizationContext = Readonly<{
  caller: LaneCaller & Pick<ChallengeMaker, 'outbox'>
  payment: Payment
  batch: Batch
}>

type AuthorizationRequest = Readonly<{
  quote: Omit<Quote, 'rate'>
  terms: LoadedQuote['terms']
  check: PayerCheck
  scaFactor: ScaFactor | undefined
  /** The quote is created by this request. */
  isNew?: boolean
}>

export type RequestedAuthorization = Readonly<{
  transaction: OutgoingTransaction
  issued: IssuedChallenge
  body: WireQuote
}>

/**
 * Holds the money of a payment and asks its customer for the first proof (SCA-41, SCA-42).
 * Fails: DAILY_VOLUME_LIMIT_EXCEEDED, INVALID_INPUT, CONFLICT, RATE_LIMITED, NOT_IMPLEMENTED, INSUFFICIENT_BALANCE;
 * nothing is posted then.
 */
export function requestAuthorization(
  { caller, payment, batch }: AuthorizationContext,
  { quote, terms, check, scaFactor, isNew = false }: AuthorizationRequest,
): RequestedAuthorization {
  const { transaction: before } = payment
  const [purpose] = proofStepsOf(quote, before)
  invariant(purpose, 'what is authorized has a step')
  const moved = moveMoney(
    { eventContext: caller, payment, batch },
    {
      kind: 'quote',
      terms,
      isNew,
      authorize: () =>
        askForProof(caller, {
          quote,
          transaction: before,
          check: withSendsOfBatch(batch.state, check),
          purpose,
          asked: scaFactor,
        }),
    },
  )
  const { transaction, authorization: issued } = moved
  recordChallenge(batch.state, issued)
  const challenge = challengeToWire(issued.challenge, check.payer.use)
  return { transaction, issued, body: quoteToWire({ quote, transaction }, caller.now, challenge) }
}
