import type { LaneCaller } from '../../infra/lane-command.ts'
import type { Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import {
  challengeToWire,
  type ChallengeMaker,
  type IssuedChallenge,
  type ScaFactor,
} from '../sca/index.ts'
import { holdPayment, type OutgoingTransaction, type Payment } from '../transactions/index.ts'
import type { Book } from '../../ledger/book.ts'
import type { PayerCheck } from './payer-check.ts'
import { askForProof, checkNow, noteChallenge, stepsOf } from './quote-sca.ts'
import type { Quote } from './quote.ts'
import { quoteToWire, type WireQuote } from './wire.ts'

type Asking = Readonly<{
  caller: LaneCaller & Pick<ChallengeMaker, 'outbox'>
  quote: Omit<Quote, 'rate'>
  check: PayerCheck
  scaFactor: ScaFactor | undefined
  service: Pick<ChallengeMaker, 'keyring' | 'settings'>
}>

export type AskedBeforehand = Readonly<{
  transaction: OutgoingTransaction
  body: WireQuote
  row: Readonly<{
    platformId: Id<'platform'>
    transaction: OutgoingTransaction
    issued: IssuedChallenge
  }>
}>

/**
 * Before a payment moves: sets its money aside, and asks its customer for the first proof (SCA-41, SCA-42).
 * Fails: INVALID_INPUT, CONFLICT, RATE_LIMITED, NOT_IMPLEMENTED, INSUFFICIENT_BALANCE; nothing is posted then.
 */
export function requestAuthorization(
  {
    eventContext,
    payment,
    book,
  }: Readonly<{ eventContext: Asking['caller']; payment: Payment; book: Book }>,
  { caller, quote, check, scaFactor, service }: Asking,
): AskedBeforehand {
  const before = payment.transaction
  const [purpose] = stepsOf(quote, before)
  invariant(purpose, 'what is authorized has a step')
  const issued = askForProof(
    { ...caller, ...service },
    { quote, transaction: before, check: checkNow(book, check), purpose, asked: scaFactor },
  )
  const transaction = holdPayment({ eventContext, payment, book })
  noteChallenge(book, issued)
  const challenge = challengeToWire(issued.challenge, check.payer.use)
  return {
    transaction,
    body: quoteToWire({ quote, transaction }, caller.now, challenge),
    row: { platformId: payment.platformId, transaction, issued },
  }
}
