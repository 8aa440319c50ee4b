/** Approves or declines an authorization (chapter 40, section 5): pure. */
import { currencyOf } from '../../../kernel/money/currency.ts'
import { fail } from '../../../kernel/errors.ts'
import { AMOUNT_MAX, type Money } from '../../../kernel/money/money.ts'
import type { AccountSnapshot } from '../../internal-accounts/index.ts'
import { isClosedByExpiry, type Card } from '../record/card.ts'
import type { DeclineReason, Direction, PendingOutcome } from '../transaction/card-transaction.ts'

export type AuthorizationKind =
  | 'AUTHORIZATION'
  | 'FINANCIAL_AUTHORIZATION'
  | 'CREDIT_AUTHORIZATION'
  | 'CREDIT_AUTHORIZATION_ADVICE'
  | 'FINANCIAL_CREDIT_AUTHORIZATION'

type KindEntry = Readonly<{
  direction: Direction
  /** One message authorizes and clears. */
  isSingleMessage: boolean
  /** The message informs of a decision made elsewhere. */
  isAdvice: boolean
}>

const DUAL = { isSingleMessage: false, isAdvice: false } as const
const SINGLE = { isSingleMessage: true, isAdvice: false } as const

export const AUTHORIZATION_KINDS: Readonly<Record<AuthorizationKind, KindEntry>> = {
  AUTHORIZATION: { direction: 'DEBIT', ...DUAL },
  FINANCIAL_AUTHORIZATION: { direction: 'DEBIT', ...SINGLE },
  CREDIT_AUTHORIZATION: { direction: 'CREDIT', ...DUAL },
  CREDIT_AUTHORIZATION_ADVICE: { direction: 'CREDIT', isSingleMessage: false, isAdvice: true },
  FINANCIAL_CREDIT_AUTHORIZATION: { direction: 'CREDIT', ...SINGLE },
}

/** The outcome that a sandbox platform chose; always empty in production. */
export type Simulated = Readonly<{
  decline?: Extract<DeclineReason, 'CARD_PAUSED' | 'INSUFFICIENT_FUNDS'>
  pending?: PendingOutcome
}>

export type AuthorizationQuestion = Readonly<{
  card: Pick<Card, 'state' | 'provisioned' | 'maxSpendPerTransaction' | 'updatedAt'>
  hasDelegatedKey: boolean
  account: Pick<AccountSnapshot, 'status' | 'type' | 'payer'>
  /** Undefined for a balance inquiry, which has no amount. */
  requested: Readonly<{ kind: AuthorizationKind; amount: bigint }> | undefined
  available: bigint
  simulated: Simulated
}>

/** The first check that fails decides; undefined where all pass (AUTHZ-1 to AUTHZ-10). */
export function declineReasonOf(question: AuthorizationQuestion): DeclineReason | undefined {
  const { account, requested, simulated } = question
  const kind = requested && AUTHORIZATION_KINDS[requested.kind]
  const isCredit = kind?.direction === 'CREDIT'
  const ofCard = declineByCard(question, kind?.isAdvice ?? false)
  if (ofCard) return ofCard
  if (!isCredit && isAboveLimit(question)) return 'SPENDING_LIMIT_EXCEEDED'
  if (simulated.decline) return simulated.decline
  if (account.status !== 'ACTIVE') return 'FUNDING_SOURCE_UNAVAILABLE'
  if (isCredit) return undefined
  const isWallet = account.type === 'EMBEDDED_WALLET'
  if (isWallet && !question.hasDelegatedKey) return 'FUNDING_SOURCE_NOT_AUTHORIZED'
  return (requested?.amount ?? 0n) > question.available ? 'INSUFFICIENT_FUNDS' : undefined
}

function declineByCard(
  { card, account: { payer } }: AuthorizationQuestion,
  isAdvice: boolean,
): DeclineReason | undefined {
  if (card.state === 'CLOSED') return isClosedByExpiry(card) ? 'CARD_EXPIRED' : 'CARD_CLOSED'
  if (card.state === 'PROCESSING' || !card.provisioned) return 'CARD_NOT_ACTIVE'
  if (card.state === 'FROZEN' && !isAdvice) return 'CARD_PAUSED'
  const isEligible = payer?.status === 'APPROVED' && !payer.isDeleted
  return isEligible ? undefined : 'CARDHOLDER_INELIGIBLE'
}

function isAboveLimit({ card, requested }: AuthorizationQuestion): boolean {
  const { maxSpendPerTransaction: limit } = card
  return limit !== null && requested !== undefined && requested.amount > limit
}

const DOLLAR = 'USD'
const DOLLAR_COINS: readonly string[] = ['USDC', 'USDB']

/** A card in dollar coins takes dollars, one to one (AUTHZ-22). Fails: INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE. */
export const inCardCurrency = (money: Money, cardCurrency: string): bigint =>
  atPar(money, cardCurrency) ?? fail('INVALID_CURRENCY')

/** Undefined where the two currencies are not one to one. Fails: AMOUNT_OUT_OF_RANGE. */
export function atPar({ amount, currency }: Money, cardCurrency: string): bigint | undefined {
  if (currency === cardCurrency) return amount
  if (currency !== DOLLAR || !DOLLAR_COINS.includes(cardCurrency)) return undefined
  const finer = currencyOf(cardCurrency).decimals - currencyOf(DOLLAR).decimals
  const converted = amount * 10n ** BigInt(finer)
  return converted <= AMOUNT_MAX ? converted : fail('AMOUNT_OUT_OF_RANGE')
}
