import { failNotFound, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockAnyCustomer, mustHaveProviderData } from '../../customers/index.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../../internal-accounts/index.ts'
import type { IncomingTransaction } from '../../transactions/index.ts'
import { lacksData, enqueueReleaseCheck, type ReleaseJob } from './await-data.ts'
import { AWAITS_DATA, type Deposit } from '../deposit.ts'
import { clearHeldDeposit } from './held-deposit.ts'
import { accountOf } from '../returns/late-funds.ts'
import { deposit as machine } from '../machine.ts'
import { lockOwn, saved } from '../own-transaction.ts'
import { lockDeposit } from '../store.ts'

/**
 * Releases a held deposit to its owner (L12), who needs complete data (CUST-66). Runs in a Work of the owner's platform.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION, MISSING_MANDATORY_USER_INFO where only data is missing.
 */
export async function releaseDeposit(work: Work, id: Id<'transaction'>): Promise<Deposit> {
  const deposit = (await lockDeposit(work.tx, id)) ?? failNotFound('transaction')
  const status = advance(machine, deposit.status, 'release')
  const { transaction } = await lockOwn(work, deposit)
  const account = await creditedAccount(work, transaction)
  if (lacksData(account)) {
    const { payer, currency } = account
    if (payer && deposit.reason === AWAITS_DATA) mustHaveProviderData([{ payer, currency }])
    enqueueReleaseCheck(work, { id, account })
    return saved(work, { ...deposit, reason: AWAITS_DATA })
  }
  await clearHeldDeposit(work, { deposit, transaction, accountId: account.id })
  return saved(work, { ...deposit, status })
}

/**
 * Releases a deposit that waited for its customer's data, if the data is complete now. The customer is locked after the
 * account, as in a payment, and before its data is read, so that a concurrent change is seen. Refuses nothing.
 */
export async function releaseIfComplete(
  work: Work,
  { depositId, customerId }: ReleaseJob,
): Promise<void> {
  const deposit = await lockDeposit(work.tx, depositId)
  if (deposit?.status !== 'HELD' || deposit.reason !== AWAITS_DATA) return
  const { transaction } = await lockOwn(work, deposit)
  await creditedAccount(work, transaction)
  await lockAnyCustomer(work, customerId)
  if (lacksData(await creditedAccount(work, transaction))) return
  await releaseDeposit(work, depositId)
}

async function creditedAccount(
  { tx, platform }: Work,
  transaction: IncomingTransaction,
): Promise<AccountSnapshot> {
  const key = { platformId: platform.id, id: accountOf(transaction) }
  const [account] = await lockAccountsForShare(tx, [key])
  invariant(account, 'An internal account is never gone.')
  return account
}
