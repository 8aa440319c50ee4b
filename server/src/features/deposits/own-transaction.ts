import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockTransaction, type IncomingTransaction } from '../transactions/index.ts'
import type { Deposit } from './deposit.ts'
import { saveDeposit } from './store.ts'

/** The incoming transaction of a deposit that has an owner. */
export async function lockOwn(
  { tx, platform }: Work,
  { id }: Deposit,
): Promise<Readonly<{ transaction: IncomingTransaction }>> {
  const transaction = await lockTransaction(tx, platform.id, id)
  invariant(transaction?.type === 'INCOMING', 'A deposit with an owner has its transaction.')
  return { transaction }
}

export function saved({ tx, now }: Work, changed: Deposit): Deposit {
  const deposit = { ...changed, updatedAt: now }
  saveDeposit(tx, deposit)
  return deposit
}
