import { addMs } from '../../../kernel/clock.ts'
import { fail, mustPass, mustHaveNoErrors, type FieldError } from '../../../kernel/errors.ts'
import { failNotFound, formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import { mustHaveLiveOwner, type Payer } from '../../customers/index.ts'
import { invoiceRefusal, pullRefusal, railProviderOf } from '../../external-accounts/index.ts'
import {
  draftOutgoing,
  isAccessible,
  mayPull,
  mustBeReceivable,
  mustBeSendable,
  mustBeUsable,
  mustPassGates,
  ownerOfSide,
  paymentFieldErrors,
  pricePayment,
  type PaymentTerms,
  type PayingSide,
  type PaymentPrice,
  type ReceivingSide,
} from '../../payment-terms/index.ts'
import type { OutgoingTransaction } from '../../transactions/index.ts'
import type { Payment } from '../../payments/index.ts'
import { sealPayerData } from '../../uma/index.ts'
import { overrideErrors } from './platform-fee-override.ts'
import { transactionIdOf, type Quote } from '../record/quote.ts'
import type { QuoteCommand, QuoteContext } from './context.ts'
import { REALTIME_FUNDING_CURRENCIES } from '../record/rules.ts'
import {
  expiryWith,
  mustBeAcceptedByReceiver,
  mustHavePayerData,
  ratesOfReceiver,
  umaFieldErrors,
} from './uma-target.ts'
import { instructionsToSign, isWallet } from '../execution/wallet-source.ts'

/** A new quote, with the payment that its execution makes. */
export type BuiltQuote = Readonly<{ quote: Quote; payment: Payment; terms: PaymentTerms }>

type FoundSides = Readonly<{
  paying: PayingSide
  receiving: ReceivingSide
  payer: Payer | null
  terms: PaymentTerms
}>

/**
 * Builds a quote: checks in the order of CORE-32 that both sides exist and may be used, then prices it.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, INVALID_INPUT, SELF_PAYMENT, USER_NOT_READY, END_USER_TERMS_NOT_ACCEPTED,
 * MISSING_MANDATORY_USER_INFO, INVALID_BANK_ACCOUNT, INVALID_CURRENCY, INVALID_AMOUNT, NOT_IMPLEMENTED,
 * QUOTE_REQUEST_FAILED, AMOUNT_OUT_OF_RANGE, TRANSACTION_SIZE_LIMIT_EXCEEDED, EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED.
 */
export function buildQuote(
  caller: LaneCaller,
  command: QuoteCommand,
  context: QuoteContext,
): BuiltQuote {
  const sides = mustFindSides(command, context)
  const errors = storedErrors(caller, command, sides)
  mustHaveNoErrors(errors)
  if (isSelfPayment(command) || command.uma?.target?.isPayersOwn) fail('SELF_PAYMENT')
  mustPassGates(caller.platform, sides)
  mustBePayable(caller, command, sides)
  mustHaveFunding(command, context)
  mustHavePayerData(command)
  const priced = pricePayment({
    ...sides,
    ...sides.terms,
    rates: ratesOfReceiver(command, sides.terms),
    lock: command.lock,
    platformFee: command.platformFee,
  })
  const { price } = priced
  const { platformAccountId, prices } = sides.terms
  if (price.platformFees > 0n && !platformAccountId) fail('INVALID_CURRENCY')
  mustBeUsable(sides, { received: price.receiving, prices })
  mustBeAcceptedByReceiver(command, price)
  return assembleQuote(caller, { command, context, sides, priced })
}

/** Everything that the request names must exist. */
function mustFindSides(command: QuoteCommand, context: QuoteContext): FoundSides {
  const { source, destination, uma } = command
  const { paying, receiving, named, terms } = context
  if (uma?.refusal) throw uma.refusal
  if (!paying || isHidden(command, paying)) return failMissing(source)
  if (!receiving || isHidden(command, receiving)) return failMissing(destination)
  const isNamed = named && !named.isDeleted && isAccessible(command.agent, { customerId: named.id })
  if (source.customerId !== undefined && !isNamed) failNotFound('customer')
  for (const side of [paying, receiving]) if ('account' in side) mustHaveLiveOwner(side.account)
  if (!terms) return fail('INVALID_CURRENCY')
  return { paying, receiving, terms, payer: named ?? ownerOfSide(paying) }
}

/** The code of the missing account follows from the kind of its id. */
function failMissing(side: QuoteCommand['source'] | QuoteCommand['destination']): never {
  const sent = 'accountId' in side ? side.accountId : undefined
  const isExternal = sent?.startsWith('ExternalAccount:') === true
  return failNotFound(isExternal ? 'externalAccount' : 'internalAccount', sent)
}

/** Whether an account is deleted, or not of the agent's customer (ACT-7). */
function isHidden({ agent }: QuoteCommand, side: PayingSide | ReceivingSide): boolean {
  if (side.kind === 'external' && side.account.deletedAt !== null) return true
  return 'account' in side && !isAccessible(agent, side.account)
}

const isSelfPayment = ({ source, destination }: QuoteCommand): boolean =>
  'accountId' in source && 'accountId' in destination && source.accountId === destination.accountId

/** Without a provider for deposits there are no addresses, so just-in-time funding is not offered. */
function mustHaveFunding({ source }: QuoteCommand, { funding }: QuoteContext): void {
  if (source.sourceType === 'REALTIME_FUNDING' && !funding) fail('NOT_IMPLEMENTED')
}

/** Errors of the request against stored data, all in one answer. */
function storedErrors(
  { platform }: LaneCaller,
  command: QuoteCommand,
  { paying, receiving, terms }: FoundSides,
): FieldError[] {
  const { source, destination, purposeOfPayment, platformFee, isImmediate } = command
  const errors: FieldError[] = umaFieldErrors(command)
  if (isImmediate && isWallet(paying)) {
    const message = 'is not possible from a wallet, whose owner signs first'
    errors.push({ field: 'immediatelyExecute', message })
  }
  const owner = paying.kind === 'realtime' ? null : paying.account.customerId
  const { customerId } = source
  if (owner && customerId !== undefined && customerId !== formatId('customer', owner)) {
    errors.push({ field: 'source.customerId', message: 'must be the owner of the account' })
  }
  if (receiving.kind === 'internal' && !mayPull(paying, receiving.account)) {
    const message = 'must be an account of the customer whose external account is debited'
    errors.push({ field: 'destination.accountId', message })
  }
  const paymentRail = 'accountId' in destination ? destination.paymentRail : undefined
  errors.push(...paymentFieldErrors({ platform, receiving, paymentRail, purposeOfPayment }))
  const { sending, receiving: received } = terms.corridor
  if (platformFee) {
    errors.push(...overrideErrors({ override: platformFee, sending, receiving: received }))
  }
  return errors
}

/** Checks that money can move from this source to this destination (QUOTE-3, QUOTE-5, QUOTE-6, QUOTE-25, EACC-18). */
function mustBePayable(
  caller: LaneCaller,
  { source, lock }: QuoteCommand,
  { paying, receiving, terms }: FoundSides,
): void {
  if (paying.kind === 'external')
    mustPass(pullRefusal(paying.account, railProviderOf(caller, paying.account)))
  if (source.sourceType === 'REALTIME_FUNDING') {
    const isTaken = (REALTIME_FUNDING_CURRENCIES as readonly string[]).includes(source.currency)
    if (!isTaken || !terms.terms.isSupported)
      fail('INVALID_CURRENCY', { currency: source.currency })
  }
  mustBeSendable(terms)
  mustBeReceivable({ receiving }, terms)
  if (receiving.kind === 'external') mustPass(invoiceRefusal(receiving.account, lock))
}

type Parts = Readonly<{
  command: QuoteCommand
  context: QuoteContext
  sides: FoundSides
  priced: PaymentPrice
}>

function assembleQuote(caller: LaneCaller, parts: Parts): BuiltQuote {
  const { platform, now } = caller
  const { command, sides, priced } = parts
  const { paying, receiving, terms } = sides
  const transaction = transactionOf(now, parts)
  const { approval } = command
  const needsApproval = approval?.isNeeded({ transaction, receiving, prices: terms.prices })
  const lifetimeMs = approval && needsApproval ? approval.lifetimeMs : command.lifetimeMs
  const quote: Quote = {
    id: command.id,
    source: command.source,
    destination: command.destination,
    lockedSide: command.lock.side,
    rate: priced.rate,
    purposeOfPayment: command.purposeOfPayment,
    createdAt: now,
    expiresAt: expiryWith(command, addMs(now, lifetimeMs)),
    ...payerDataOf(caller, command),
  }
  const payment: Payment = {
    platformId: platform.id,
    transaction: withPayload(quote, transaction, parts),
    paying,
    receiving,
    feeAccountId: priced.price.platformFees > 0n ? terms.platformAccountId : undefined,
  }
  return { quote, payment, terms }
}

/** The owner of a wallet signs the priced payment, so its quote contains the payload (SIGN-18). */
function withPayload(quote: Quote, transaction: OutgoingTransaction, { context, sides }: Parts) {
  if (!isWallet(sides.paying)) return transaction
  invariant(context.wallet, 'An account of a wallet has one.')
  const paymentInstructions = instructionsToSign(context.wallet, { quote, transaction })
  return { ...transaction, paymentInstructions }
}

/** Seals the payer data that the receiver asked for, until it is sent. */
function payerDataOf(
  { keyring }: LaneCaller,
  { id, uma }: QuoteCommand,
): Pick<Quote, 'sealedPayerData'> {
  const { payerData = {} } = uma?.target ?? {}
  if (Object.keys(payerData).length === 0) return {}
  return { sealedPayerData: sealPayerData(keyring, transactionIdOf(id), payerData) }
}

function transactionOf(now: Date, { command, context, sides, priced }: Parts): OutgoingTransaction {
  const { destination } = command
  const { instructions = null } = context.funding ?? {}
  return draftOutgoing({
    id: transactionIdOf(command.id),
    now,
    paying: sides.paying,
    receiving: sides.receiving,
    named: context.named,
    priced,
    prices: sides.terms.prices,
    chosenRail: 'accountId' in destination ? destination.paymentRail : undefined,
    quoteId: command.id,
    agentId: command.agent?.agentId ?? null,
    description: command.description,
    paymentReference: command.remittanceInformation,
    reconciliationReference: command.uma?.target?.agreed?.invoice ?? referenceIn(instructions),
    paymentInstructions: instructions,
  })
}

/** The reference that a bank transfer has to contain; a payment to a wallet has none. */
function referenceIn(instructions: OutgoingTransaction['paymentInstructions']): string | null {
  const references = instructions?.map(({ accountOrWalletInfo: info }) => info['reference'])
  return references?.find((reference) => typeof reference === 'string') ?? null
}
