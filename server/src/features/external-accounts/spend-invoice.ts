import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { lockExternalAccount } from './find-external-account.ts'
import { nextState } from '../../kernel/machine.ts'
import { externalAccount } from './machine.ts'
import { moveAccount } from './move-account.ts'

/**
 * EACC-18: an invoice is spent by the first payment that completes. Called with every completed payment to an
 * external account; what is no invoice, already spent or gone stays as it is.
 */
export async function spendInvoice(work: Work, id: Id<'externalAccount'>): Promise<void> {
  const account = await lockExternalAccount(work, id)
  if (account?.identifiedBy !== 'invoice') return
  if (nextState(externalAccount, account.status, 'spend') === undefined) return
  await moveAccount(work, account, 'spend')
}
