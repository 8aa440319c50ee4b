import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { nextState } from '../../../kernel/machine.ts'
import { externalAccount } from '../status/machine.ts'
import { moveAccount } from '../status/move-account.ts'
import { openAccount } from '../records/sealing.ts'
import { lockInvoice } from '../records/store.ts'

/**
 * The first payment that completes spends an invoice, also one that was deleted meanwhile (EACC-18). Called for every
 * payment to an external account that is about to complete; other accounts stay unchanged. False where another payment
 * was faster.
 */
export async function spendInvoice(work: Work, id: Id<'externalAccount'>): Promise<boolean> {
  const invoice = await lockInvoice(work.tx, work.platform.id, id)
  if (!invoice) return true
  if (nextState(externalAccount, invoice.status, 'spend') === undefined) return false
  await moveAccount(work, openAccount(work.keyring, invoice), 'spend')
  return true
}
