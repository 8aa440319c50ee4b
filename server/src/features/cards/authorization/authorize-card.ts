import { mapKeyOf } from '../../../infra/db/statement/resource-key.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import { reply } from '../../../infra/http/reply.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { BalanceKey } from '../../../ledger/balances/balance-rows.ts'
import type { Book } from '../../../ledger/book.ts'
import { availableOf, heldOf } from '../../../ledger/chart.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import { lockAccountsIn, type AccountSnapshot } from '../../internal-accounts/index.ts'
import {
  declineReasonOf,
  inCardCurrency,
  type AuthorizationKind,
  type Simulated,
} from './decision.ts'
import { cardAt } from '../record/card.ts'
import {
  confirmationDueAt,
  endsAt,
  isOpen,
  type CardTransaction,
} from '../transaction/card-transaction.ts'
import type { Merchant } from '../transaction/card-transaction.ts'
import type { CardTransactionRow } from '../transaction/store.ts'
import { emitStatus } from '../transaction/emit-status.ts'
import type { WireCardTransaction } from '../transaction/wire.ts'
import { approvedTransaction, declinedTransaction, ownersOf } from './first-step.ts'
import type { Step } from '../transaction/steps.ts'
import { confirmPullJob, endAuthorizationJob } from '../job-definitions.ts'
import { insertCardTransactions } from '../transaction/save-card-transaction.ts'
import {
  firstFundingAccounts,
  lockCardsForShare,
  type CardKey,
  type CardSnapshot,
} from '../record/store.ts'

export type AuthorizationInput = Readonly<{
  /** Undefined where the text is no id of a card, so nothing is found. */
  cardId: Id<'card'> | undefined
  kind: AuthorizationKind
  amount: bigint
  currency: string
  merchant: Merchant
  simulated: Simulated
}>

type Loaded = Readonly<{ card: CardSnapshot; account: AccountSnapshot }>

/**
 * Decides on an authorization and pulls its amount from the card's first account, in one commit (AUTHZ-21). A decline is
 * no error: it is stored and emitted like an approval.
 * Refuses: REFERENCE_NOT_FOUND, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE.
 */
export const authorizeCard: LaneKind<
  AuthorizationInput,
  Loaded | undefined,
  CardTransactionRow,
  WireCardTransaction
> = {
  name: 'card authorization',
  async load(tx, commands) {
    const keys = commands.flatMap(({ platform, input: { cardId: id } }) =>
      id === undefined ? [] : [{ platformId: platform.id, id }],
    )
    const loaded = await loadCards(tx, keys)
    return commands.map(({ platform, now, input: { cardId = '' } }) => {
      const found = loaded.get(mapKeyOf({ platformId: platform.id, id: cardId }))
      return found && { ...found, card: cardAt(found.card, now) }
    })
  },
  keys: (_caller, { simulated }, loaded) =>
    loaded
      ? [keyOf(loaded, availableOf), ...(simulated.pending ? [keyOf(loaded, heldOf)] : [])]
      : [],
  decide(caller, input, found, { book }) {
    const loaded = found ?? failNotFound('card')
    const { transaction, journals } = decide(caller, input, { loaded, book })
    const { platformId } = loaded.card
    book.mustApply(platformId, caller.now, journals)
    const wire = emitStatus(caller, transaction)
    enqueueFollowUps(caller, transaction)
    return { reply: reply(202, wire), row: { platformId, transaction } }
  },
  save: insertCardTransactions,
  savesBeforeLock: true,
}

async function loadCards(tx: Tx, keys: readonly CardKey[]): Promise<Map<string, Loaded>> {
  const distinct = [...new Map(keys.map((key) => [mapKeyOf(key), key])).values()]
  if (distinct.length === 0) return new Map()
  // Both locks take one round trip. The cards are locked first, so their funding sources cannot change in between.
  const [cards, rows] = await Promise.all([
    lockCardsForShare(tx, distinct),
    lockAccountsIn(tx, firstFundingAccounts(distinct)),
  ])
  const accounts = new Map(rows.map((account) => [mapKeyOf(account), account]))
  return new Map(
    cards.map((card) => {
      const account = accounts.get(mapKeyOf(accountKeyOf(card)))
      invariant(account, 'The account that funds a card exists.')
      return [mapKeyOf(card), { card, account }]
    }),
  )
}

/** Only the first funding source is consulted (AUTHZ-20). */
function accountKeyOf({ platformId, fundingAccountIds: [id] }: CardSnapshot) {
  invariant(id !== undefined, 'A card has a funding source.')
  return { platformId, id }
}

const keyOf = ({ card, account }: Loaded, part: typeof availableOf): BalanceKey => ({
  platformId: card.platformId,
  account: part(account.id),
  currency: account.currency,
})

function decide(
  { now }: LaneCaller,
  { kind, amount: given, currency, merchant, simulated }: AuthorizationInput,
  { loaded, book }: { loaded: Loaded; book: Book },
): Step {
  const { card, account } = loaded
  const amount = inCardCurrency({ amount: given, currency }, card.currency)
  const reason = declineReasonOf({
    card,
    hasDelegatedKey: card.delegatedAccountIds.includes(account.id),
    account,
    requested: { kind, amount },
    available: book.balanceOf(keyOf(loaded, availableOf)),
    simulated,
  })
  const request = { ...ownersOf(card, account), kind, merchant, amount, now }
  return reason
    ? declinedTransaction(request, reason)
    : approvedTransaction(request, simulated.pending)
}

/** Enqueues the confirmation of a pending pull, and the end of an open authorization. */
export function enqueueFollowUps(
  caller: Pick<Work, 'platform' | 'now' | 'outbox'>,
  transaction: CardTransaction,
): void {
  const payload = { cardTransactionId: transaction.id }
  const { pendingOutcome, createdAt } = transaction
  if (pendingOutcome) {
    const dueAt = confirmationDueAt(createdAt, pendingOutcome)
    enqueue(caller, confirmPullJob, payload, { dueAt })
  }
  if (isOpen(transaction)) {
    enqueue(caller, endAuthorizationJob, payload, { dueAt: endsAt(transaction) })
  }
}
