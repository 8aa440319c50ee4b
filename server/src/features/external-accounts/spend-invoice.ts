import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { lockExternalAccount } from './find-external-account.ts'
import { nextState } from '../../kernel/machine.ts'
import { externalAccount } from './machine.ts'
import { moveAccount } from './move-account.ts'

/**
 * EACC-18: an invoice is spent by the first payment that completes. Called with every payment to an external account
 * that is about to; what is no invoice, or gone, stays as it is. False where another payment was faster.
 */
export async function spendInvoice(work: Work, id: Id<'externalAccount'>): Promise<boolean> {
  const account = await lockExternalAccount(work, id)
  if (account?.identifiedBy !== 'invoice') return true
  if (nextState(externalAccount, account.status, 'spend') === undefined) return false
  await moveAccount(work, account, 'spend')
  return true
}
