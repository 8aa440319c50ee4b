/** Runs agents' transfers that the platform has approved (ACT-21). */
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work/work.ts'
import { newBatchState } from '../../ledger/batch.ts'
import { postWith } from '../../ledger/post.ts'
import { writeVolumes } from '../rates/index.ts'
import { lockScaPayers } from '../sca/index.ts'
import {
  beginCollection,
  collectionKeysOf,
  deliveryKeysOf,
  moveMoney,
  type WaitingPayment,
} from '../payments/index.ts'
import {
  insertTransactions,
  saveTransaction,
  type IncomingTransaction,
  type OutgoingTransaction,
  type Transaction,
} from '../transactions/index.ts'
import {
  loadPaymentTerms,
  mustBeReceivable,
  mustBeSendable,
  mustNeedNoProof,
  mustPassGates,
} from '../payment-terms/index.ts'

/**
 * Runs a pending transfer at the price that it has. The caller holds its locks and has re-checked it (obstacleTo), so
 * only the checks that are a transfer's own follow here.
 * Fails: INVALID_CURRENCY where the currency was disabled meanwhile, MISSING_MANDATORY_USER_INFO, CONFLICT (SCA-55),
 * DAILY_VOLUME_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE; nothing is posted then.
 */
export function resumeTransfer(work: Work, waiting: WaitingPayment): Promise<Transaction> {
  const { transaction } = waiting
  return transaction.type === 'INCOMING'
    ? resumeIn(work, { ...waiting, transaction })
    : resumeOut(work, { ...waiting, transaction })
}

async function resumeOut(
  work: Work,
  { transaction, paying, receiving, payer }: WaitingPayment<OutgoingTransaction>,
): Promise<OutgoingTransaction> {
  const { tx, platform, now, ports } = work
  invariant(paying.kind === 'internal' && receiving.kind === 'external', 'A transfer goes out.')
  const corridor = { sending: paying.account.currency, receiving: receiving.account.currency }
  const asked = { platform, now, ports, ...corridor }
  const terms = (await loadPaymentTerms(tx, [asked]))(asked)
  const { customerId } = paying.account
  const key = customerId && { platformId: platform.id, customerId }
  const payerOf = await lockScaPayers(tx, key ? [key] : [])
  mustBeSendable(terms)
  mustPassGates(platform, { payer, paying, receiving })
  mustNeedNoProof(key ? payerOf(key) : undefined, { receiving, now })
  const payment = {
    platformId: platform.id,
    transaction,
    paying,
    receiving,
    feeAccountId: undefined,
  }
  const state = newBatchState()
  const moved = await postWith(work, deliveryKeysOf(payment), (book) =>
    moveMoney(
      { eventContext: work, payment, batch: { book, state } },
      { kind: 'transfer', terms, isNew: true },
    ),
  )
  writeVolumes(tx, state)
  saveTransaction(work, moved.transaction)
  const received = moved.received.map((one) => ({ platformId: platform.id, transaction: one }))
  if (received.length > 0) insertTransactions(tx, received)
  return moved.transaction
}

async function resumeIn(
  work: Work,
  { transaction: before, paying, receiving, payer, terms }: WaitingPayment<IncomingTransaction>,
): Promise<IncomingTransaction> {
  const { platform } = work
  invariant(paying.kind === 'external' && receiving.kind === 'internal', 'A transfer comes in.')
  const { currency } = receiving.account
  mustPassGates(platform, { payer, paying, receiving })
  mustBeReceivable({ receiving }, { corridor: { sending: currency, receiving: currency }, terms })
  const keys = collectionKeysOf({ platformId: platform.id, account: receiving.account })
  const begun = await postWith(work, keys, (book) =>
    beginCollection(work, { transaction: before, external: paying.account, book }),
  )
  const { transaction } = begun
  saveTransaction(work, transaction)
  return transaction
}
