import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { nextState } from '../../../kernel/machine.ts'
import { externalAccount } from '../status/machine.ts'
import { moveAccount } from '../status/move-account.ts'
import { openAccount } from '../records/sealing.ts'
import { lockInvoice } from '../records/store.ts'

/**
 * Spends an invoice with the first payment that completes, even if the invoice was deleted since (EACC-18). Called for
 * every payment to an external account that is about to complete; other accounts do not change. False if another
 * payment has spent the invoice.
 */
export async function spendInvoice(work: Work, id: Id<'externalAccount'>): Promise<boolean> {
  const invoice = await lockInvoice(work.tx, work.platform.id, id)
  if (!invoice) return true
  if (nextState(externalAccount, invoice.status, 'spend') === undefined) return false
  await moveAccount(work, openAccount(work.keyring, invoice), 'spend')
  return true
}
