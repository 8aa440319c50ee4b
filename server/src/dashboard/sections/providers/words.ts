/** What codes of orders and exceptions mean, for people. */
import type { ORDER_STATES, RESOLUTIONS, WAITING_FOR } from '../../../orders/index.ts'

type OrderState = (typeof ORDER_STATES)[number]
type WaitingFor = (typeof WAITING_FOR)[number]
type ExceptionType = keyof typeof RESOLUTIONS

export const STATE_WORDS: Readonly<Record<OrderState, string>> = {
  QUEUED: 'Not sent yet',
  UNKNOWN: 'Sent; no answer yet, so the outcome is unknown',
  ACCEPTED: 'Accepted by the provider',
  SENT: 'On its way; it cannot be cancelled any more',
  SETTLED: 'The money arrived',
  RETURNED: 'The money arrived and came back in full',
  DECIDED: 'The provider has decided',
  FAILED: 'It was not carried out',
}

export const WAITING_WORDS: Readonly<Record<WaitingFor, string>> = {
  SCHEDULED: 'Its time has not come yet.',
  SCREENING: 'The screening has not decided yet.',
  PROVIDER_PAUSED: 'The provider is paused; it is sent when the provider is enabled again.',
  CIRCUIT_OPEN: 'The provider does not answer; it is tried every 30 seconds.',
  PROVIDER_ANSWER: 'The provider has not answered yet; the order is sent again until it does.',
  PROVIDER_REPORT: 'The provider accepted it; its report is awaited.',
  OPERATOR: 'You: it has an open exception.',
}

export const EXCEPTION_WORDS: Readonly<Record<ExceptionType, string>> = {
  OUTCOME_UNKNOWN:
    'The provider never said what became of this order. It may have been carried out or not: ask the provider, then decide.',
  OVERDUE:
    'The provider accepted this order, and its outcome is more than a day late: ask the provider, then decide.',
  REPORT_GAP: 'A report of this order is missing, so the later ones are not applied.',
  SETTLED_AFTER_FAILED:
    'The provider said that this failed, and we acted on it. Now it says that the money was paid. Only one can be true.',
  FAILED_AFTER_SETTLED:
    'The provider said that the money was paid. Now it says that this failed. Only one can be true.',
  AMOUNT_MISMATCH: 'The provider says that it paid another amount or currency than we ordered.',
  SEQUENCE_REUSED:
    'Two reports with the same number, or the same return id, say different things. The first one was applied.',
  REFERENCE_CHANGED:
    'The provider now calls this order by another reference than before. It may be speaking of another payment.',
  PROOF_MISSING:
    'The provider says that the coins were sent, but names no transaction on the network that we ordered.',
  RETURN_EXCEEDS:
    'The provider reports that more came back than was paid, or that it came back before it was paid.',
  RETURN_NOT_CREDITED:
    'Part of a payout came back, and the account of the payer is full. Resolve it once there is room.',
  UNREPORTED_RETURN:
    'Money came in that carries the reference of a payout: a return, it seems, that the provider did not report.',
  SCREENING_REVIEW:
    'The screening found a possible match. The payment waits until you release or refuse it.',
  PRICE_JUMP: 'A price is so far from the last one that it was not applied.',
  INVALID_ORDER:
    'The provider says that our order was wrong in itself. It was not carried out; find out why before others fail like it.',
  RETURN_FAILED: 'Money that was to go back to its sender could not be sent.',
  PULL_RETURNED:
    'Money that we had pulled was taken back after the payment went out. The platform’s account was charged.',
  DEPOSIT_CHANGED:
    'A deposit was reported a second time with other content. Only the first report counts.',
  INSTRUCTION_INVALID:
    'The provider opened an account with details that cannot be used. The account stays pending.',
  DECISION_INVALID: 'The provider’s decision breaks the rules of its order. It was not applied.',
  DECIDED_OTHERWISE:
    'The provider decided after an operator had, and differently. The operator’s decision stands.',
  STATE_REFUSED:
    'The card processor refused to change a card’s state. Ours has changed; theirs may differ.',
  CARD_NUMBER_SENT:
    'The card processor sent a whole card number. It was not stored; the processor has to stop this.',
  AUTHORIZATION_CHANGED:
    'A card authorization came a second time with other content. The first decision stands.',
  EVENT_NOT_BOOKABLE: 'A card event could not be booked.',
}
