import { fail, mustPass, type FieldError } from '../../kernel/errors.ts'
import type { Money } from '../../kernel/money/money.ts'
import type { Platform } from '../../kernel/platform.ts'
import { mustBeAbleToPay, mustHaveProviderData, type Payer } from '../customers/index.ts'
import { isClosed, isTrustedBy, paymentSideRefusal } from '../external-accounts/index.ts'
import { mustBeActive } from '../internal-accounts/index.ts'
import type { Corridor, Prices, Terms } from '../rates/index.ts'
import { hasSession, type ScaPayer } from '../sca/index.ts'
import { currencyOfSide, type PayingSide, type ReceivingSide, type BothSides } from './sides.ts'
import type { Id } from '../../kernel/ids.ts'
import { hasStrictIdentifiers } from '../../kernel/platform-traits.ts'

type Received = Readonly<{ received: Money; prices: Prices }>

/**
 * The paying customer may pay and has the data that the sending currency requires; the owner of an internal account
 * that is paid has those of its currency (QUOTE-9, CUST-34, CUST-66).
 * Fails: USER_NOT_FOUND, USER_NOT_READY, END_USER_TERMS_NOT_ACCEPTED, MISSING_MANDATORY_USER_INFO.
 */
export function mustPassGates(
  platform: Platform,
  { payer, paying, receiving }: BothSides & Readonly<{ payer: Payer | null }>,
): void {
  if (payer) mustBeAbleToPay(platform, payer)
  const owner = receiving.kind === 'internal' ? receiving.account.payer : null
  mustHaveProviderData([
    ...(payer ? [{ payer, currency: currencyOfSide(paying) }] : []),
    ...(owner ? [{ payer: owner, currency: currencyOfSide(receiving) }] : []),
  ])
}

type Configured = Readonly<{ corridor: Pick<Corridor, 'sending' | 'receiving'>; terms: Terms }>

/** The platform's configuration allows sending the currency (QUOTE-6). Fails: INVALID_CURRENCY. */
export function mustBeSendable({ corridor, terms }: Configured): void {
  if (terms.isOutgoingEnabled) return
  fail('INVALID_CURRENCY', { currency: corridor.sending, transactionType: 'OUTGOING' })
}

/** The platform allows receiving the currency on internal accounts (QUOTE-25). Fails: INVALID_CURRENCY. */
export function mustBeReceivable(
  { receiving }: Pick<BothSides, 'receiving'>,
  { corridor, terms }: Configured,
): void {
  if (receiving.kind !== 'internal' || terms.isIncomingEnabled) return
  fail('INVALID_CURRENCY', { currency: corridor.receiving, transactionType: 'INCOMING' })
}

/**
 * Only active accounts pay and are paid (IACC-8, EACC-14, EACC-17, CUST-69). Fails: USER_NOT_FOUND, USER_NOT_READY,
 * INVALID_BANK_ACCOUNT, EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED, CONFLICT where an external account or its customer was
 * deleted meanwhile.
 */
export function mustBeUsable({ paying, receiving }: BothSides, received: Received): void {
  mustBeAbleToSend(paying)
  mustBeAbleToReceive(receiving, received)
}

/** Fails: USER_NOT_READY, INVALID_BANK_ACCOUNT, CONFLICT. */
export function mustBeAbleToSend(paying: PayingSide): void {
  if (paying.kind === 'internal') mustBeActive(paying.account)
  if (paying.kind !== 'external') return
  const { status } = paying.account
  if (isClosed(paying.account)) fail('CONFLICT', { reason: 'SOURCE_DELETED' })
  if (status !== 'ACTIVE') fail('INVALID_BANK_ACCOUNT', { status })
}

/** Fails: USER_NOT_READY, INVALID_BANK_ACCOUNT, EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED, CONFLICT. */
export function mustBeAbleToReceive(
  receiving: ReceivingSide,
  { received, prices }: Received,
): void {
  if (receiving.kind === 'uma') return
  if (receiving.kind === 'internal') return mustBeActive(receiving.account)
  mustPass(paymentSideRefusal({ account: receiving.account, received, prices }))
}

/** Whether the payee is an external account that the payer trusts (SCA-54). */
export const isTrustedPayee = ({ sca }: ScaPayer, receiving: ReceivingSide): boolean =>
  receiving.kind === 'external' && isTrustedBy(receiving.account, sca.customer.id)

/**
 * Transfers and pushed funds wait for no proof: a payer who would have to give one needs a session, and a payee whom it
 * trusts (SCA-55). Fails: CONFLICT.
 */
export function mustNeedNoProof(
  payer: ScaPayer | undefined,
  { receiving, now }: Readonly<{ receiving: ReceivingSide; now: Date }>,
): void {
  if (!payer || (isTrustedPayee(payer, receiving) && hasSession(payer.sca.security, now))) return
  fail('CONFLICT', { reason: 'SCA_REQUIRED' })
}

type AskedPayment = Readonly<{
  platform: Pick<Platform, 'environment' | 'strictIdentifiers'>
  receiving: ReceivingSide
  paymentRail: string | undefined
  purposeOfPayment: string | null
}>

/** Errors of a request that depend on the account that is paid (QUOTE-8, QUOTE-22). */
export function paymentFieldErrors(asked: AskedPayment): FieldError[] {
  const { platform, receiving, paymentRail, purposeOfPayment } = asked
  const errors: FieldError[] = []
  const rails = receiving.kind === 'external' ? receiving.account.paymentRails : []
  if (paymentRail !== undefined && !rails.includes(paymentRail)) {
    errors.push({
      field: 'destination.paymentRail',
      ...(rails.length > 0 && { constraint: { enum: rails } }),
      message: rails.length > 0 ? 'must be a rail of the account' : 'the account is paid over none',
    })
  }
  const isRupees = receiving.kind === 'external' && receiving.account.accountType === 'INR_ACCOUNT'
  if (hasStrictIdentifiers(platform) && isRupees && purposeOfPayment === null) {
    errors.push({ field: 'purposeOfPayment', message: 'is required for this account' })
  }
  return errors
}

/** A payment as an agent's policy judges it. */
export type Movement = Readonly<{
  accountIds: readonly Id<'internalAccount'>[]
  money: Money
  /** When an agent created the external account that is paid; null where no agent did (ACT-31). */
  payeeMadeAt: Date | null
}>

/** An agent's right to pay for a customer. The payment itself is the same as any other. */
export type Mandate = Readonly<{
  agentId: Id<'agent'>
  customerId: Id<'customer'>
  /** False where the payment has to wait for the platform's approval. Fails: FORBIDDEN. */
  permits(movement: Movement): boolean
}>

/** An agent finds only what belongs to its customer (ACT-7). */
export const isAccessible = (
  mandate: Pick<Mandate, 'customerId'> | undefined,
  { customerId }: Readonly<{ customerId: Id<'customer'> | null }>,
): boolean => mandate === undefined || customerId === mandate.customerId
