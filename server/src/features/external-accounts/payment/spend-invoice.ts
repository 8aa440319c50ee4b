import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { nextState } from '../../../kernel/machine.ts'
import { externalAccount } from '../status/machine.ts'
import { moveAccount } from '../status/move-account.ts'
import { openAccount } from '../records/sealing.ts'
import { lockInvoice } from '../records/store.ts'

/**
 * An invoice is spent by the first payment that completes, also where its account was deleted while payments were under
 * way (EACC-18). Called with every payment to an external account that is about to; what is no invoice stays as it is.
 * False where another payment was faster.
 */
export async function spendInvoice(work: Work, id: Id<'externalAccount'>): Promise<boolean> {
  const invoice = await lockInvoice(work.tx, work.platform.id, id)
  if (!invoice) return true
  if (nextState(externalAccount, invoice.status, 'spend') === undefined) return false
  await moveAccount(work, openAccount(work.keyring, invoice), 'spend')
  return true
}
