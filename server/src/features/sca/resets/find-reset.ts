import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { findReset, type ScaReset } from './store.ts'
import { statusAt } from './reset.ts'

export type ResetKey = Readonly<{ customerId: Id<'customer'>; resetId: Id<'scaReset'> }>

/** As it stands now. Fails: REFERENCE_NOT_FOUND, also for another customer's (SCA-33). */
export async function mustFindReset(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  { customerId, resetId }: ResetKey,
): Promise<ScaReset> {
  const reset = await findReset(tx, platform.id, resetId)
  if (reset?.customerId !== customerId) return failNotFound('scaReset')
  return { ...reset, status: statusAt(reset, now) }
}
