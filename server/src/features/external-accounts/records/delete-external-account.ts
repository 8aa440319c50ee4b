import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Reach } from '../external-account.ts'
import { mustLockExternalAccount } from './find-external-account.ts'
import { endOpenChallenge } from '../ownership/store.ts'
import { markDeleted } from './store.ts'

/**
 * Deletes an account: it is no longer found, but history keeps its id (EACC-14).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, BENEFICIARY_TRUSTED for a trusted account (EACC-15).
 */
export async function deleteExternalAccount(
  work: Work,
  id: Id<'externalAccount'>,
  reach: Reach = 'all',
): Promise<void> {
  const { tx, platform, now: at } = work
  const { isTrusted } = await mustLockExternalAccount(work, id, reach)
  if (isTrusted) fail('BENEFICIARY_TRUSTED')
  await endOpenChallenge(tx, platform.id, { externalAccountId: id, outcome: 'CANCELLED', at })
  await markDeleted(tx, platform.id, { id, at })
}
