import { mapKeyOf } from '../../../infra/db/statement/resource-key.ts'
import { failNotFound, formatId, newId, type Id } from '../../../kernel/ids.ts'
import { reply } from '../../../infra/http/reply.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { BalanceKey } from '../../../ledger/balances/balance-rows.ts'
import type { Book } from '../../../ledger/book.ts'
import {
  availableOf,
  heldOf,
  RECEIVABLE_PLATFORM,
  type LedgerAccount,
} from '../../../ledger/chart.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import type { Journal } from '../../../ledger/posting.ts'
import { creditConvertedDeposit, creditDeposit } from '../../../ledger/recipes/deposits.ts'
import { repayReceivable } from '../../../ledger/recipes/receivable.ts'
import { emit } from '../../../webhooks/emit.ts'
import { mustHaveProviderData } from '../../customers/index.ts'
import {
  internalAccountToWire,
  mustBeActive,
  lockAccountsForShare,
  type AccountSnapshot,
  type WireInternalAccount,
} from '../../internal-accounts/index.ts'
import { creditedAmount } from './credited-amount.ts'
import { sandboxArrival, type Arrival } from './arrival.ts'
import type { NewRow } from '../record/row.ts'
import { insertTransactions } from '../record/store.ts'
import { newTransaction, type IncomingTransaction } from '../record/transaction.ts'
import { incomingToWire } from '../wire/wire.ts'

export type DepositInput = Readonly<{
  /** Undefined where the text is no id of an account, so nothing is found. */
  accountId: Id<'internalAccount'> | undefined
  amount: bigint
  /** Set where it is not the account's own currency. */
  currency?: string
  /** How the money arrived; the sandbox makes it up. */
  arrival?: Arrival
  /** Set where the transaction's id is known already. */
  transactionId?: Id<'transaction'>
  /** The quote for which the money came too late (QUOTE-19). */
  quoteId?: Id<'quote'>
}>

/**
 * Credits money from outside to an internal account (L1), as an INCOMING transaction that starts COMPLETED; answers the
 * account with its new balance. A credit to a platform's account repays its debt first (L14).
 * Refuses: REFERENCE_NOT_FOUND, USER_NOT_READY (IACC-8), MISSING_MANDATORY_USER_INFO (CUST-66), INVALID_CURRENCY,
 * AMOUNT_OUT_OF_RANGE.
 */
export const deposit: LaneKind<
  DepositInput,
  AccountSnapshot | undefined,
  NewRow,
  WireInternalAccount
> = {
  name: 'deposit',
  async load(tx, commands) {
    const keys = new Map(
      commands.flatMap(({ platform, input: { accountId: id } }) =>
        id === undefined
          ? []
          : [[mapKeyOf({ platformId: platform.id, id }), { platformId: platform.id, id }]],
      ),
    )
    const rows = keys.size > 0 ? await lockAccountsForShare(tx, [...keys.values()]) : []
    const found = new Map(rows.map((row) => [mapKeyOf(row), row]))
    return commands.map(({ platform, input }) =>
      found.get(mapKeyOf({ platformId: platform.id, id: input.accountId ?? '' })),
    )
  },
  keys: (_caller, _input, account) => (account ? balancesOf(account) : []),
  decide(caller, input, found, { book }) {
    const account = found ?? failNotFound('internalAccount')
    mustBeActive(account)
    mustBeKnown(input, account)
    const { transaction, via } = received(caller, input, account)
    const journals = journalsOf({ transaction, via, account, book })
    book.mustApply(account.platformId, caller.now, journals)
    emit(caller, 'INCOMING_PAYMENT.COMPLETED', incomingToWire(account.platformId, transaction))
    return {
      reply: reply(200, internalAccountToWire(account, balancesNow(account, book))),
      row: { platformId: account.platformId, transaction },
    }
  },
  save: insertTransactions,
}

/** Only made-up money of the sandbox is refused; real money was held for review before this (CUST-66). */
function mustBeKnown({ arrival }: DepositInput, { payer, currency }: AccountSnapshot): void {
  if (!arrival && payer) mustHaveProviderData([{ payer, currency }])
}

const keyOf = ({ platformId, currency }: AccountSnapshot, name: LedgerAccount): BalanceKey => ({
  platformId,
  account: name,
  currency,
})

function balancesOf(account: AccountSnapshot): BalanceKey[] {
  const names = [
    availableOf(account.id),
    ...(account.customerId === null ? [RECEIVABLE_PLATFORM] : []),
  ]
  return names.map((name) => keyOf(account, name))
}

const balancesNow = (account: AccountSnapshot, book: Book) => ({
  available: book.balanceOf(keyOf(account, availableOf(account.id))),
  held: book.balanceOf(keyOf(account, heldOf(account.id))),
})

type Received = Readonly<{ transaction: IncomingTransaction; via: string }>

/** The transaction of a deposit (IACC-14). */
function received({ now }: LaneCaller, input: DepositInput, account: AccountSnapshot): Received {
  const id = input.transactionId ?? newId('transaction')
  const sent = { amount: input.amount, currency: input.currency ?? account.currency }
  const { via, source } = input.arrival ?? sandboxArrival(id, sent.currency)
  const transaction = newTransaction<IncomingTransaction>({
    id,
    type: 'INCOMING',
    status: 'COMPLETED',
    customerId: account.customerId,
    platformCustomerId: account.platformCustomerId,
    source,
    destination: {
      destinationType: 'ACCOUNT',
      accountId: formatId('internalAccount', account.id),
      currency: account.currency,
    },
    sent,
    received: creditedAmount(sent, account.currency),
    quoteId: input.quoteId ?? null,
    reconciliationReference: referenceOf(account),
    settledAt: now,
    createdAt: now,
  })
  return { transaction, via }
}

/** The reference that identifies deposits to the account; wallets have none. */
function referenceOf({ fundingInstructions }: AccountSnapshot): string | null {
  const references = fundingInstructions.map(({ accountOrWalletInfo: info }) => info['reference'])
  return references.find((reference) => typeof reference === 'string') ?? null
}

function journalsOf({
  transaction: { id, sent, received: credited },
  via: rail,
  account,
  book,
}: Received & { account: AccountSnapshot; book: Book }): Journal[] {
  const money = sent ?? credited
  const arrived = { reference: id, rail, money, accountId: account.id }
  const credit =
    money.currency === credited.currency
      ? creditDeposit(arrived)
      : creditConvertedDeposit({ ...arrived, credited })
  if (account.customerId !== null) return [credit]
  const owed = -book.balanceOf(keyOf(account, RECEIVABLE_PLATFORM))
  const repaid = repayReceivable({ credit, platformAccountId: account.id, credited, owed })
  return repaid ? [credit, repaid] : [credit]
}
