import { fail } from '../../kernel/errors.ts'
import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { SettledLeg } from './leg.ts'
import { legAhead } from './next-leg.ts'
import { lockTransaction } from './store.ts'

/**
 * Takes hold of a payment whose next leg is the one that an operator means: between looking and saying so another may
 * have settled that one, and the word would count for the leg behind it. Fails: TRANSACTION_NOT_FOUND, CONFLICT.
 */
export async function lockAtLeg(
  work: Work,
  id: Id<'transaction'>,
  meant: SettledLeg,
): Promise<void> {
  const { tx, platform } = work
  const transaction = (await lockTransaction(tx, platform.id, id)) ?? failNotFound('transaction')
  const { type, status, refund } = transaction
  const ahead = await legAhead(work, transaction)
  const isPaidOut = type === 'OUTGOING' && status === 'COMPLETED'
  if (meant === (ahead ?? (isPaidOut ? 'RETURN' : undefined))) return
  fail('CONFLICT', {
    status,
    ...(refund && { refundStatus: refund.status }),
    ...(ahead && { waitsFor: ahead }),
  })
}
