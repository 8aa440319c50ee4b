/** Deposits that a provider outside sends back (PROV-83). */
import { fail } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockOpenOrder, openException, type Order, type OrderKind } from '../../../orders/index.ts'
import { isCryptoNetwork } from '../../transactions/index.ts'
import type { Deposit } from '../deposit.ts'
import { lockOwn, saved } from '../own-transaction.ts'
import { readSenderAccount } from '../provided/store.ts'
import { receiveFromOrder } from '../provided/receive-from-order.ts'
import { returnDeposit } from './return-deposit.ts'
import { lockDeposit } from '../store.ts'

const idOf = ({ transactionId }: Order) => {
  invariant(transactionId, 'The return of a deposit names it.')
  return transactionId
}

async function depositOf({ tx }: Work, order: Order): Promise<Deposit> {
  const deposit = await lockDeposit(tx, idOf(order))
  invariant(deposit, 'A deposit is never gone.')
  return deposit
}

const UNKNOWN_SENDER = 'Unknown'

export const returnOrders: OrderKind = {
  types: ['DEPOSIT_RETURN'],
  port: 'rails',
  lock: async (work, order) => void (await depositOf(work, order)),
  async body(work, order) {
    const deposit = await depositOf(work, order)
    const { report, money, paidTo, source } = deposit
    const { rail, sender, trace } = report
    const from = await readSenderAccount(work, deposit)
    return {
      ...(isCryptoNetwork(rail) ? { network: rail, asset: money.currency } : { rail }),
      debtor: { type: 'BUSINESS', name: work.platform.name },
      ...(paidTo !== null && { debtorAccount: { accountNumber: paidTo } }),
      creditor: { type: 'INDIVIDUAL', name: sender ?? UNKNOWN_SENDER },
      ...(from && { creditorAccount: { accountNumber: from.account, bank: from.bank } }),
      originalReference: source?.depositId ?? trace,
    }
  },
  onSettled: async (work, order) => void (await returnDeposit(work, idOf(order))),
  async onFailed(work, order, { reason }) {
    const deposit = await depositOf(work, order)
    saved(work, { ...deposit, status: await statusBefore(work, deposit) })
    const { id: orderId, providerId } = order
    const subject = formatId('transaction', deposit.id)
    openException(work, {
      type: 'RETURN_FAILED',
      providerId,
      orderId,
      subject,
      details: { reason, depositId: deposit.source?.depositId },
    })
  },
  /** What the sender's bank did not take comes in once more (PROV-55), and waits for the operator. */
  async onReturned(work, order, { amount }) {
    const { money, report } = await depositOf(work, order)
    const depositId = `${formatId('order', order.id)}/${order.returnedAmount}`
    await receiveFromOrder(work, order, { depositId, money: { ...money, amount }, report })
    return 0n
  },
  async onSettledAfterAll(work, order) {
    const transactionId = idOf(order)
    const other = await lockOpenOrder(work.tx, { platformId: order.platformId, transactionId })
    if (other) fail('CONFLICT', { reason: 'HELD_BY_PROVIDER' })
    await returnDeposit(work, transactionId)
  },
}

/** What a deposit was before its return was ordered. */
async function statusBefore(work: Work, deposit: Deposit): Promise<Deposit['status']> {
  if (deposit.ownerPlatformId === null) return 'UNATTRIBUTED'
  const { transaction } = await lockOwn(work, deposit)
  return transaction.refund ? 'RETURNING' : 'HELD'
}
