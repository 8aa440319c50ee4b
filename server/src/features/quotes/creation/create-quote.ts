import { reply } from '../../../infra/http/reply.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LaneKind } from '../../../ledger/lane.ts'
import type { Id } from '../../../kernel/ids.ts'
import { insertAddresses, type FundingDraft } from '../../internal-accounts/index.ts'
import { writeVolumes } from '../../rates/index.ts'
import { writeChallenge, type IssuedChallenge } from '../../sca/index.ts'
import { deliveryKeysOf, heldKeysOf, moveMoney } from '../../payments/index.ts'
import { insertTransactions, emitOutgoing, type Transaction } from '../../transactions/index.ts'
import { insertPayerData } from '../../uma/index.ts'
import { requestAuthorization } from '../authorization/request-authorization.ts'
import { buildQuote } from './build-quote.ts'
import { expireQuoteJob } from '../execution/expire-quote.ts'
import { loadPayerChecks, type PayerCheck } from '../authorization/payer-check.ts'
import { chooseQuoteFactor, needsProof } from '../authorization/proof.ts'
import {
  loadQuoteContexts,
  type QuotedCommand,
  type QuoteCommand,
  type QuoteContext,
} from './context.ts'
import { transactionIdOf, type Quote } from '../record/quote.ts'
import { insertQuotes } from '../record/store.ts'
import { quoteToWire, type WireQuote } from '../record/wire.ts'

export type NewQuote = Readonly<{
  platformId: Id<'platform'>
  quote: Quote
  /** The quote's own first; then the incoming ones of a receiver inside. */
  transactions: readonly Transaction[]
  addresses: FundingDraft['addresses']
  /** The challenge of the first proof that the customer has to give. */
  issued?: IssuedChallenge
}>

/** `check` is set where the payer may have to prove the payment now. */
type CheckedContext = QuoteContext & Readonly<{ check: PayerCheck | undefined }>

/**
 * Creates a quote and its transaction. With `isImmediate` it also moves the money in the same step; a refusal leaves
 * nothing behind (QUOTE-10, QUOTE-16).
 * Fails: as buildQuote; immediately also DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE.
 */
export const createQuote: LaneKind<QuoteCommand, CheckedContext, NewQuote, WireQuote> = {
  name: 'createQuote',
  load: loadCheckedContexts,
  keys: ({ platform }, { isImmediate, platformFee }, { paying, receiving, terms, check }) => {
    if (!isImmediate || !paying || !receiving || !terms) return []
    const { fixed, bps } = platformFee ?? terms.terms.platformFee
    const feeAccountId = fixed + bps > 0n ? terms.platformAccountId : undefined
    const touched = { platformId: platform.id, paying, receiving, feeAccountId }
    return [...deliveryKeysOf(touched), ...(check ? heldKeysOf(touched) : [])]
  },
  decide(caller, command, context, batch) {
    const { quote, payment, terms } = buildQuote(caller, command, context)
    const { platformId, transaction } = payment
    const { check, funding } = context
    const made = { platformId, quote, addresses: funding?.addresses ?? [] }
    if (startsAtOnce(command) && needsProof(check, { ...payment, now: caller.now })) {
      // Holds the money of an account; just-in-time funds may not come yet (SCA-42).
      const { scaFactor } = command
      const asked = requestAuthorization(
        { caller, payment, batch },
        { quote, terms, check, scaFactor, isNew: true },
      )
      const row = { ...made, transactions: [asked.transaction], issued: asked.issued }
      return { reply: reply(202, asked.body), row }
    }
    // The proof is asked for at execution, but a factor that cannot be used is refused now.
    if (check && !startsAtOnce(command)) chooseQuoteFactor(check.payer.sca, command.scaFactor)
    if (!command.isImmediate) {
      emitOutgoing(caller, transaction)
      scheduleExpiry(caller, quote)
      const row = { ...made, transactions: [transaction] }
      return { reply: reply(201, quoteToWire({ quote, transaction }, caller.now)), row }
    }
    const moved = moveMoney(
      { eventContext: caller, payment, batch },
      { kind: 'quote', terms, isNew: true },
    )
    const shown = quoteToWire({ quote, transaction: moved.accepted }, caller.now)
    return {
      reply: { ...reply(201, shown), isWorkDue: moved.isDueNow },
      row: { ...made, transactions: [moved.transaction, ...moved.received] },
    }
  },
  save(tx, rows) {
    insertTransactions(
      tx,
      rows.flatMap(({ platformId, transactions }) =>
        transactions.map((transaction) => ({ platformId, transaction })),
      ),
    )
    insertQuotes(
      tx,
      rows.map(({ platformId, quote }) => ({ ...quote, platformId })),
    )
    for (const { platformId, issued } of rows) if (issued) writeChallenge(tx, platformId, issued)
    for (const { platformId, quote } of rows) {
      const { id, sealedPayerData } = quote
      if (sealedPayerData)
        insertPayerData(tx, platformId, {
          transactionId: transactionIdOf(id),
          sealed: sealedPayerData,
        })
    }
    const funded = rows.filter(({ addresses }) => addresses.length > 0)
    for (const [platformId, group] of Map.groupBy(funded, (row) => row.platformId)) {
      insertAddresses(
        tx,
        platformId,
        group.flatMap(({ addresses }) => addresses),
      )
    }
  },
  savesBeforeLock: true,
  saveTogether: writeVolumes,
}

/** Whether money moves, or is asked for, as soon as the quote exists. */
const startsAtOnce = ({ isImmediate, source }: QuoteCommand): boolean =>
  isImmediate || source.sourceType === 'REALTIME_FUNDING'

/** Most commands need no check: their customers give the proof at execution. */
async function loadCheckedContexts(
  tx: Tx,
  commands: readonly QuotedCommand[],
): Promise<CheckedContext[]> {
  const contexts = await loadQuoteContexts(tx, commands)
  const checks = await loadPayerChecks(
    tx,
    commands.map(({ platform, keyring, input }, index) => {
      const { paying, receiving } = contexts[index] as QuoteContext
      const isWanted = startsAtOnce(input) || input.scaFactor !== undefined
      if (!isWanted || !paying || !receiving) return undefined
      return { platform, keyring, paying, receiving }
    }),
  )
  return contexts.map((context, index) => ({ ...context, check: checks[index] }))
}

function scheduleExpiry(
  caller: LaneCaller & Parameters<typeof enqueue>[0],
  { id, expiresAt }: Quote,
): void {
  enqueue(caller, expireQuoteJob, { quoteId: id }, { dueAt: expiresAt, key: id })
}
