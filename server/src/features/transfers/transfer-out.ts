import { fail, failFields, mustPass, type FieldError } from '../../kernel/errors.ts'
import { failNotFound, mustParseId, newId, type Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import { amountFromWire } from '../../kernel/money/wire-money.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { reply } from '../../infra/http/reply.ts'
import type { LaneCaller } from '../../infra/work/lane-command.ts'
import type { LaneKind } from '../../ledger/lane.ts'
import { mustHaveLiveOwner } from '../customers/index.ts'
import { invoiceRefusal } from '../external-accounts/index.ts'
import { writeVolumes } from '../rates/index.ts'
import { lockScaPayers, type ScaPayer } from '../sca/index.ts'
import { deliveryKeysOf, moveMoney, type Payment } from '../payments/index.ts'
import {
  draftOutgoing,
  isAccessible,
  loadPaymentTerms,
  wantedRatesOf,
  mustBeSendable,
  mustBeUsable,
  mustNeedNoProof,
  mustPassGates,
  paymentFieldErrors,
  pricePayment,
  type Mandate,
} from '../payment-terms/index.ts'
import { insertTransactions, outgoingToWire, type Transaction } from '../transactions/index.ts'
import type { TransferOutRequest } from './schema.ts'
import { findTransferSides, type TransferSides } from './sides.ts'

type Loaded = Readonly<{
  sides: TransferSides
  /** Set where both accounts were found. */
  terms: ReturnType<Awaited<ReturnType<typeof loadPaymentTerms>>> | undefined
  /** Set where the owner of the paying account has to prove payments (chapter 21). */
  scaPayer: ScaPayer | undefined
}>

export type TransferOutInput = TransferOutRequest & Readonly<{ mandate?: Mandate }>

type Row = Readonly<{ platformId: Id<'platform'>; transactions: readonly Transaction[] }>

/**
 * Pays from an internal account to an external one of the same currency, like a quote and its execution in one call
 * (XFER-1 to XFER-4, XFER-6 to XFER-8). A refusal leaves nothing behind.
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT, INVALID_CURRENCY, INVALID_AMOUNT, USER_NOT_FOUND, USER_NOT_READY,
 * END_USER_TERMS_NOT_ACCEPTED, MISSING_MANDATORY_USER_INFO, INVALID_BANK_ACCOUNT,
 * EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED, QUOTE_REQUEST_FAILED,
 * TRANSACTION_SIZE_LIMIT_EXCEEDED, AMOUNT_OUT_OF_RANGE, DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE,
 * CONFLICT (SCA-55). For an agent also FORBIDDEN; where its policy needs an approval, money moves after that.
 */
export const transferOut: LaneKind<
  TransferOutInput,
  Loaded,
  Row,
  ReturnType<typeof outgoingToWire>
> = {
  name: 'transferOut',
  load: loadTransfers,
  keys: ({ platform }, _request, { sides: { internal, external } }) =>
    internal && external
      ? deliveryKeysOf({
          platformId: platform.id,
          paying: { kind: 'internal', account: internal },
          receiving: { kind: 'external', account: external },
          feeAccountId: undefined,
        })
      : [],
  decide(caller, request, loaded, batch) {
    const { payment, terms, mayRun } = buildTransfer(caller, request, loaded)
    const { platformId, transaction } = payment
    if (!mayRun) {
      const answer = reply(201, outgoingToWire(platformId, transaction))
      return { reply: answer, row: { platformId, transactions: [transaction] } }
    }
    const moved = moveMoney(
      { eventContext: caller, payment, batch },
      { kind: 'transfer', terms, isNew: true },
    )
    return {
      reply: {
        ...reply(201, outgoingToWire(platformId, moved.accepted)),
        isWorkDue: moved.isDueNow,
      },
      row: { platformId, transactions: [moved.transaction, ...moved.received] },
    }
  },
  save(tx, rows) {
    insertTransactions(
      tx,
      rows.flatMap(({ platformId, transactions }) =>
        transactions.map((transaction) => ({ platformId, transaction })),
      ),
    )
  },
  savesBeforeLock: true,
  saveTogether: writeVolumes,
}

async function loadTransfers(
  tx: Tx,
  commands: readonly (LaneCaller & Readonly<{ input: TransferOutInput }>)[],
): Promise<Loaded[]> {
  const found = await findTransferSides(
    tx,
    commands.map(({ platform, input: { source, destination } }) => ({
      platformId: platform.id,
      internalId: mustParseId('internalAccount', source.accountId),
      externalId: mustParseId('externalAccount', destination.accountId),
    })),
  )
  const asked = commands.map(({ platform, now, ports }, index) => {
    const { internal, external } = found[index] as TransferSides
    if (!internal || !external) return undefined
    const paying = { kind: 'internal', account: internal } as const
    const ends = { paying, receiving: { kind: 'external', account: external } as const }
    const corridor = { sending: internal.currency, receiving: external.currency }
    return { platform, now, ports, ...corridor, ends }
  })
  const [payerOf, terms] = await Promise.all([
    lockScaPayers(
      tx,
      found.flatMap((sides, index) => scaKeyOf(commands[index], sides) ?? []),
    ),
    loadPaymentTerms(
      tx,
      asked.flatMap((one) => one ?? []),
      asked.flatMap((one) => (one ? wantedRatesOf(one, one.ends) : [])),
    ),
  ])
  return found.map((sides, index) => {
    const one = asked[index]
    const key = scaKeyOf(commands[index], sides)
    return { sides, terms: one && terms(one), scaPayer: key && payerOf(key) }
  })
}

/** The customer whose proof the transfer may need; undefined where the platform pays. */
function scaKeyOf(caller: LaneCaller | undefined, { internal }: TransferSides) {
  const customerId = internal?.customerId
  return caller && customerId ? { platformId: caller.platform.id, customerId } : undefined
}

function buildTransfer(caller: LaneCaller, request: TransferOutInput, loaded: Loaded) {
  const { platform, now } = caller
  const { internal, external } = loaded.sides
  const { mandate } = request
  if (!internal || !isAccessible(mandate, internal)) return failNotFound('internalAccount')
  if (!external || external.deletedAt || !loaded.terms || !isAccessible(mandate, external)) {
    return failNotFound('externalAccount')
  }
  for (const account of [internal, external]) mustHaveLiveOwner(account)
  const { terms } = loaded
  const paying = { kind: 'internal', account: internal } as const
  const receiving = { kind: 'external', account: external } as const
  const lock = lockOf(request, external.invoiceAmount)
  const errors = storedErrors(caller, request, { internal, external })
  if (errors.length > 0 || !lock) failFields(errors)
  const permits = (money: Money): boolean =>
    mandate?.permits({
      accountIds: [internal.id],
      money,
      payeeMadeAt: external.madeByAgentAt,
    }) ?? true
  // The policy refuses before the payment does. It judges an invoice again with its price, which includes the fees.
  permits({ amount: lock.amount, currency: internal.currency })
  const { corridor } = terms
  if (corridor.sending !== corridor.receiving) {
    fail('INVALID_CURRENCY', { currency: corridor.sending })
  }
  mustBeSendable(terms)
  mustPassGates(platform, { payer: internal.payer, paying, receiving })
  mustNeedNoProof(loaded.scaPayer, { receiving, now })
  mustPass(invoiceRefusal(external, lock))
  const priced = pricePayment({ ...terms, paying, receiving, lock })
  const mayRun = permits(priced.price.sending)
  mustBeUsable({ paying, receiving }, { received: priced.price.receiving, prices: terms.prices })
  const transaction = draftOutgoing({
    id: newId('transaction'),
    now,
    paying,
    receiving,
    priced,
    prices: terms.prices,
    chosenRail: request.destination.paymentRail,
    paymentReference: request.remittanceInformation ?? null,
    agentId: mandate?.agentId ?? null,
  })
  const payment: Payment = {
    platformId: platform.id,
    transaction,
    paying,
    receiving,
    feeAccountId: undefined,
  }
  return { payment, terms, mayRun }
}

/** An invoice with an amount is paid exactly that, whether or not the request repeats it (XFER-3). */
function lockOf({ amount }: TransferOutRequest, invoiceAmount: bigint | null) {
  const asked = amount === undefined ? invoiceAmount : amountFromWire(amount)
  if (asked === null) return undefined
  const side = invoiceAmount === null ? 'SENDING' : 'RECEIVING'
  return { side, amount: asked } as const
}

type Accounts = Readonly<{ [K in keyof TransferSides]-?: NonNullable<TransferSides[K]> }>

function storedErrors(
  { platform }: LaneCaller,
  { amount, destination, purposeOfPayment }: TransferOutRequest,
  { internal, external }: Accounts,
): FieldError[] {
  const errors: FieldError[] = []
  if (internal.type === 'EMBEDDED_WALLET') {
    const message = 'is a wallet that its owner signs for; use a quote'
    errors.push({ field: 'source.accountId', message })
  }
  if (amount === undefined && external.invoiceAmount === null) {
    errors.push({ field: 'amount', message: 'is required' })
  }
  const receiving = { kind: 'external', account: external } as const
  const { paymentRail } = destination
  const purpose = purposeOfPayment ?? null
  errors.push(
    ...paymentFieldErrors({ platform, receiving, paymentRail, purposeOfPayment: purpose }),
  )
  return errors
}
