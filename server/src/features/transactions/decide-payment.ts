import { fail } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { lockTransaction } from './store.ts'

/**
 * The platform's word on a payment that waits for it (TXN-14). Of the payments that there are none waits.
 * Fails: TRANSACTION_NOT_FOUND, TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL.
 */
export async function decidePayment(work: Work, id: Id<'transaction'>): Promise<never> {
  const { tx, platform } = work
  const { status } = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  return fail('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', { status })
}
