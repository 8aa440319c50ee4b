import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../../customers/index.ts'
import { isUnderReview } from '../status/machine.ts'
import { findOpenVerification } from '../store.ts'
import { isFinal } from './submit-verification.ts'

/** Whether the applicant has to act, a reviewer, or neither. */
export type Stage = 'APPLYING' | 'UNDER_REVIEW' | 'DECIDED'

/** The stage of a customer's verification, for the applicant. Refuses nothing. */
export async function readStage(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  customer: Customer,
): Promise<Stage> {
  if (isFinal(customer)) return 'DECIDED'
  const open = await findOpenVerification(tx, platform.id, customer.id)
  return open && isUnderReview(open.status) ? 'UNDER_REVIEW' : 'APPLYING'
}
