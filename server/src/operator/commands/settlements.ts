import { toWireTime } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { formatId, mustParseId, type Id } from '../../kernel/ids.ts'
import { amountToWire } from '../../kernel/wire-money.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Work } from '../../infra/work.ts'
import {
  confirmSettlement,
  failSettlement,
  findPlatformOfTransaction,
  listOpenSettlements,
  OUTGOING_FAILURE_REASONS,
  retryFailedRefund,
  type OutgoingFailureReason,
  type Transaction,
} from '../../features/transactions/index.ts'
import { settleUmaPayout } from '../../features/uma/index.ts'
import { onlyWord, UsageError, type Command, type Given } from '../command.ts'
import { inPlatform } from '../in-platform.ts'
import { limitOf } from './service.ts'

const toShown = ({ id, status, failureReason, refund }: Transaction) => ({
  transactionId: formatId('transaction', id),
  status,
  ...(failureReason && { failureReason }),
  ...(refund && { refundStatus: refund.status }),
})

/** Runs a use-case on the transaction that a command names, in the platform it belongs to. */
async function onTransaction(
  deps: Deps,
  given: Given,
  {
    action,
    body,
  }: Readonly<{
    action: string
    body: (work: Work, id: Id<'transaction'>) => Promise<Transaction>
  }>,
): Promise<unknown> {
  const resource = onlyWord(given, 'transactionId')
  const id = mustParseId('transaction', resource)
  const owner = (await findPlatformOfTransaction(deps.db.read, id)) ?? fail('TRANSACTION_NOT_FOUND')
  const platformId = formatId('platform', owner)
  return inPlatform(deps, { platformId, action, resource }, async (work) =>
    toShown(await body(work, id)),
  )
}

const refundsRetry: Command = {
  name: 'refunds retry',
  about: 'Try a failed refund again; it completes or stays failed.',
  takes: ['transactionId'],
  run: (deps, given) =>
    onTransaction(deps, given, { action: 'refunds retry', body: retryFailedRefund }),
}

const list: Command = {
  name: 'settlements list',
  about: 'Payments of production that wait for money to be moved by hand, oldest first.',
  options: { limit: { about: 'At most this many (default 50).', value: 'N' } },
  async run({ db }, given) {
    const open = await listOpenSettlements(db.read, limitOf(given))
    return open.map(({ platformId, id, type, status, refundStatus, amount, ...more }) => ({
      transactionId: formatId('transaction', id),
      platformId: formatId('platform', platformId),
      type,
      status,
      refundStatus: refundStatus ?? undefined,
      amount: amountToWire(amount),
      currency: more.currency,
      paymentRail: more.paymentRail ?? undefined,
      reference: more.reference ?? undefined,
      createdAt: toWireTime(more.createdAt),
    }))
  },
}

const confirm: Command = {
  name: 'settlements confirm',
  about: 'The money of the next leg was moved: a pull, a payout, a transfer-in, a refund.',
  takes: ['transactionId'],
  run: (deps, given) =>
    onTransaction(deps, given, {
      action: 'settlements confirm',
      body: async (work, id) =>
        (await settleUmaPayout(work, id, true)) ?? confirmSettlement(work, id),
    }),
}

function reasonOf(given: Given): OutgoingFailureReason {
  const text = given.text('reason') ?? 'QUOTE_EXECUTION_FAILED'
  const reason = OUTGOING_FAILURE_REASONS.find((one) => one === text)
  if (!reason) throw new UsageError(`--reason is one of ${OUTGOING_FAILURE_REASONS.join(', ')}.`)
  return reason
}

const failed: Command = {
  name: 'settlements fail',
  about:
    'The next leg did not succeed, or a completed payout came back; what was taken is refunded.',
  takes: ['transactionId'],
  options: { reason: { about: 'Why (default QUOTE_EXECUTION_FAILED).', value: 'REASON' } },
  run: (deps, given) => {
    const reason = reasonOf(given)
    return onTransaction(deps, given, {
      action: 'settlements fail',
      body: async (work, id) =>
        (await settleUmaPayout(work, id, false)) ?? failSettlement(work, id, reason),
    })
  },
}

export const settlementCommands: readonly Command[] = [refundsRetry, list, confirm, failed]
