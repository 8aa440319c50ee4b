import { fail } from '../../../kernel/errors.ts'
import type { IncomingFailureReason } from '../../../kernel/failure-reasons.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { post } from '../../../ledger/post.ts'
import { sendBackDeposit } from '../../../ledger/recipes/deposits.ts'
import { lockOpenOrder } from '../../../orders/index.ts'
import type { Deposit } from '../deposit.ts'
import { refuseHeldDeposit } from '../held/held-deposit.ts'
import { accountOf, completeReturn } from './late-funds.ts'
import { deposit as machine } from '../machine.ts'
import { lockOwn, saved } from '../own-transaction.ts'
import { placeReturn } from './place-return.ts'
import { lockDeposit } from '../store.ts'

/**
 * The operator wants a deposit sent back: a held one, a late one, or an unallocated one. A provider outside is asked for it
 * (PROV-83); else the operator has sent it. Runs in a Work of its platform, for the last one of the house platform.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION, CONFLICT where a provider is at it.
 */
export async function requestReturn(work: Work, id: Id<'transaction'>): Promise<Deposit> {
  const deposit = (await lockDeposit(work.tx, id)) ?? failNotFound('transaction')
  const status = advance(machine, deposit.status, 'order')
  const open = await lockOpenOrder(work.tx, { platformId: work.platform.id, transactionId: id })
  if (open) fail('CONFLICT', { reason: 'HELD_BY_PROVIDER' })
  return placeReturn(work, deposit) ? saved(work, { ...deposit, status }) : returnDeposit(work, id)
}

/**
 * Records that a deposit was sent back: a held one (L12), a late one (L8), or an unallocated one (L15). Runs in a Work of
 * its platform, for the last one of the house platform.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION.
 */
export async function returnDeposit(
  work: Work,
  id: Id<'transaction'>,
  failureReason: IncomingFailureReason = 'COMPLIANCE_REJECTED',
): Promise<Deposit> {
  const deposit = (await lockDeposit(work.tx, id)) ?? failNotFound('transaction')
  const status = advance(machine, deposit.status, 'return')
  if (deposit.ownerPlatformId === null) {
    const { money, report } = deposit
    await post(work, [sendBackDeposit({ reference: id, rail: report.rail, money })])
    return saved(work, { ...deposit, status })
  }
  const { transaction } = await lockOwn(work, deposit)
  if (transaction.refund) await completeReturn(work, transaction)
  else {
    const held = { deposit, transaction, accountId: accountOf(transaction) }
    await refuseHeldDeposit(work, held, failureReason)
  }
  return saved(work, { ...deposit, status })
}
