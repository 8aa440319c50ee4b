import { fail, mustPass, type ErrorCode, type ErrorDetails } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { reply, type Reply } from '../../../infra/http/reply.ts'
import { dropJobs } from '../../../infra/jobs/drop-jobs.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import type { LaneCaller } from '../../../infra/work/lane-command.ts'
import type { Batch, BatchState } from '../../../ledger/batch.ts'
import type { Decided, LaneKind } from '../../../ledger/lane.ts'
import { writeVolumes } from '../../rates/index.ts'
import {
  writeChallenge,
  type ChallengeMaker,
  type IssuedChallenge,
  type ScaFactor,
} from '../../sca/index.ts'
import {
  currentTransaction,
  deliveryKeysOf,
  heldKeysOf,
  moveMoney,
  recordTransaction,
} from '../../payments/index.ts'
import {
  insertTransactions,
  moveOutgoing,
  saveTransactions,
  type IncomingTransaction,
  type OutgoingTransaction,
} from '../../transactions/index.ts'
import { writeSignatureChange, type SignatureChange } from '../../wallet-auth/index.ts'
import { requestAuthorization } from '../authorization/request-authorization.ts'
import { expireQuoteJob } from './expire-quote.ts'
import { loadPayerChecks, type PayerCheck } from '../authorization/payer-check.ts'
import { needsProof } from '../authorization/proof.ts'
import { quoteStatusOf } from '../record/quote.ts'
import { executionRefusal, isRateAvailable } from '../record/rules.ts'
import { loadQuotes, mustStillBePayable, type LoadedQuote } from '../record/loaded-quote.ts'
import {
  isFinalAnswer,
  judgeSigning,
  loadSignings,
  type SigningWithFacts,
  type Signing,
  type SigningBody,
} from './wallet-source.ts'
import { quoteToWire, type WireQuote } from '../record/wire.ts'

export type ExecuteInput = Readonly<{
  /** Undefined where the text is no id of a quote, so nothing is found. */
  quoteId: Id<'quote'> | undefined
  scaFactor: ScaFactor | undefined
  /** Used only where a wallet pays. */
  signing: Signing
  /** The agent's action whose approval executes the quote. */
  approvedActionId?: Id<'agentAction'>
}>

/** A quote to execute, with the check of its payer and the signature of its wallet, where it needs one. */
export type Execution = LoadedQuote &
  Readonly<{ check: PayerCheck | undefined; signing: SigningWithFacts | undefined }>

export type ExecutedQuote = Readonly<{
  platformId: Id<'platform'>
  /** The state at acceptance, where it got that far. */
  accepted?: OutgoingTransaction
  transaction: OutgoingTransaction
  received: readonly IncomingTransaction[]
  /** The challenge that the customer answers before the money moves. */
  issued?: IssuedChallenge
}>

/** The rows to write; a missing or wrong signature changes no quote. */
type ExecutionRow = Readonly<{ executed?: ExecutedQuote; change?: SignatureChange | undefined }>

/**
 * Moves the money of a quote at its locked price (QUOTE-12 to QUOTE-15). A refusal leaves the quote as it was. While an
 * agent's action on it waits for approval, only that approval executes it (QUOTE-13).
 * Fails: QUOTE_NOT_FOUND, INVALID_INPUT, QUOTE_EXPIRED, CONFLICT, USER_NOT_FOUND, USER_NOT_READY,
 * END_USER_TERMS_NOT_ACCEPTED, MISSING_MANDATORY_USER_INFO, INVALID_CURRENCY, INVALID_BANK_ACCOUNT,
 * EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED,
 * DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE, SCA_SESSION_REQUIRED, RATE_LIMITED, NOT_IMPLEMENTED. From a
 * wallet also what a signed retry is refused with; without a stamp the answer says what is to be signed (SIGN-19).
 */
export const executeQuote: LaneKind<
  ExecuteInput,
  Execution | undefined,
  ExecutionRow,
  WireQuote | SigningBody
> = {
  name: 'executeQuote',
  load: loadExecutions,
  keys: (_caller, _input, loaded) => {
    if (!loaded) return []
    const { payment, check } = loaded
    return [...deliveryKeysOf(payment), ...(check ? heldKeysOf(payment) : [])]
  },
  decide(caller, input, found, batch) {
    const loaded = found ?? failNotFound('quote')
    const { quote, payment, terms } = loaded
    const transaction = currentTransaction(batch.state, payment)
    mustBeOpen(caller, loaded, { transaction, input })
    const { answer, change } = judgeSigning(caller, loaded.signing)
    if (answer) return { reply: answer, row: { change } }
    if (!isRateAvailable(terms, transaction)) {
      const { reply: answered, row } = rejectUnpriced(caller, loaded, batch.state)
      return { reply: answered, row: { ...row, change } }
    }
    const { platformId } = payment
    const context = { payment: { ...payment, transaction }, batch }
    const { check } = loaded
    if (needsProof(check, { ...payment, now: caller.now })) {
      const { body, ...asked } = requestAuthorization(
        { caller, ...context },
        { quote, terms, check, ...input },
      )
      const executed = { platformId, ...asked, received: [] }
      return { reply: reply(200, body), row: { executed, change } }
    }
    const moved = moveMoney({ eventContext: caller, ...context }, { kind: 'quote', terms })
    const shown = quoteToWire({ quote, transaction: moved.accepted }, caller.now)
    return {
      reply: { ...reply(200, shown), isWorkDue: moved.isDueNow },
      row: { executed: { platformId, ...moved }, change },
    }
  },
  save(tx, rows) {
    const executed = rows.flatMap((row) => row.executed ?? [])
    if (executed.length > 0) saveExecuted(tx, executed)
    for (const { change } of rows) if (change) writeSignatureChange(tx, change)
  },
  keeps: isFinalAnswer,
  savesBeforeLock: true,
  saveTogether: writeVolumes,
}

/** Without a current price the quote fails before anything is debited (RATE-11). */
function rejectUnpriced(
  caller: LaneCaller & Pick<ChallengeMaker, 'outbox'>,
  loaded: LoadedQuote,
  state: BatchState,
): Decided<ExecutionRow, WireQuote> {
  const { quote, payment } = loaded
  const failureReason = 'QUOTE_RATE_UNAVAILABLE'
  const before = currentTransaction(state, payment)
  const transaction = moveOutgoing(caller, before, 'fail', { failureReason })
  recordTransaction(state, transaction)
  return {
    reply: reply(200, quoteToWire({ quote, transaction }, caller.now)),
    row: { executed: { platformId: payment.platformId, transaction, received: [] } },
  }
}

/**
 * Checks that a quote that waits for an approval could be executed: it is open, and from a wallet it is signed. Fails:
 * as executing does, and WALLET_SIGNATURE_MISSING where there is no signature yet.
 */
export function mustBeExecutable(
  caller: LaneCaller & Pick<ChallengeMaker, 'outbox'>,
  input: ExecuteInput,
  { loaded, batch }: Readonly<{ loaded: Execution; batch: Batch }>,
): OutgoingTransaction {
  const transaction = currentTransaction(batch.state, loaded.payment)
  mustBeOpen(caller, loaded, { transaction, input })
  const { answer } = judgeSigning(caller, loaded.signing)
  if (answer) failUnsigned(answer)
  return transaction
}

/** An agent has no second step in which to sign, so a missing signature is a refusal (ACT-11). */
export function failUnsigned({ status, body }: Reply): never {
  if (status === 202) return fail('WALLET_SIGNATURE_MISSING')
  const { code, details } = body as Readonly<{ code: ErrorCode; details?: ErrorDetails }>
  return fail(code, details)
}

async function loadExecutions(
  tx: Tx,
  commands: readonly (LaneCaller & { input: ExecuteInput })[],
): Promise<(Execution | undefined)[]> {
  const loaded = await loadQuotes(tx, commands)
  const [checks, signings] = await Promise.all([
    loadPayerChecks(
      tx,
      commands.map(({ platform, keyring }, index) => {
        const one = loaded[index]
        return one && { ...one.payment, platform, keyring }
      }),
    ),
    loadSignings(tx, commands, loaded),
  ])
  return loaded.map(
    (one, index) => one && { ...one, check: checks[index], signing: signings[index] },
  )
}

type Executing = Readonly<{ transaction: OutgoingTransaction; input: ExecuteInput }>

function mustBeOpen(
  { platform, now }: LaneCaller,
  loaded: LoadedQuote,
  { transaction: { status, approvalActionId }, input }: Executing,
): void {
  const { expiresAt, source } = loaded.quote
  const isRealtimeFunding = source.sourceType === 'REALTIME_FUNDING'
  const awaitedActionId = approvalActionId === input.approvedActionId ? null : approvalActionId
  mustPass(
    executionRefusal(
      { status: quoteStatusOf(status), expiresAt, isRealtimeFunding, awaitedActionId },
      now,
    ),
  )
  mustStillBePayable(platform, loaded)
}

/** Saves the transactions of executed quotes, and drops the jobs that would expire them. */
export function saveExecuted(tx: Tx, rows: readonly ExecutedQuote[]): void {
  saveTransactions(tx, rows)
  const received = rows.flatMap(({ platformId, received }) =>
    received.map((transaction) => ({ platformId, transaction })),
  )
  if (received.length > 0) insertTransactions(tx, received)
  dropJobs(
    tx,
    expireQuoteJob,
    rows.map(({ platformId, transaction }) => ({ platformId, key: transaction.id })),
  )
  for (const { platformId, issued } of rows) if (issued) writeChallenge(tx, platformId, issued)
}
