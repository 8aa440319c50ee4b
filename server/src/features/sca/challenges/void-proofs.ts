import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { deleteChallengesOfCustomer } from './store.ts'
import { deleteEnrolmentsOfCustomer } from '../customers/store.ts'

/**
 * Ends started logins, pending enrolments and challenges of a locked customer, and the payments that wait for a proof
 * (SCA-36, SCA-58). Refuses nothing.
 */
export async function voidProofs(work: Work, customerId: Id<'customer'>): Promise<void> {
  const { tx, platform } = work
  deleteChallengesOfCustomer(tx, platform.id, customerId)
  deleteEnrolmentsOfCustomer(tx, platform.id, customerId)
  await work.react('sca.proofsVoided', { customerId })
}
