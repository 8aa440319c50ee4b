import type { Work } from '../../infra/work.ts'
import type { Customer } from '../customers/index.ts'
import { findErrors } from './find-errors.ts'
import { isUnderReview } from './machine.ts'
import { readPacket } from './packet.ts'
import { findOpenVerification } from './store.ts'
import { isFinal } from './submit-verification.ts'
import type { ErrorEntry } from './verification.ts'

/**
 * KYC-28: what a submission would be answered with as lacking, were it made now; nothing once there is nothing more
 * to submit. Refuses nothing.
 */
export async function readRequirements(
  work: Pick<Work, 'tx' | 'platform' | 'keyring' | 'now'>,
  customer: Customer,
): Promise<readonly ErrorEntry[]> {
  const { tx, platform } = work
  if (isFinal(customer)) return []
  const open = await findOpenVerification(tx, platform.id, customer.id)
  if (open && isUnderReview(open.status)) return []
  const packet = await readPacket(work, customer)
  return findErrors(work, packet, open?.reviewerEntries ?? []).errors
}
