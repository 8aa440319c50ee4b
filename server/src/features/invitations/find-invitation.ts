import { fail } from '../../kernel/errors.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Work } from '../../infra/work/work.ts'
import { isInvitationCode } from './invitation-code.ts'
import { openedAt, realTimeOf, type OpenedInvitation } from './invitation.ts'
import { findByCode, lockByCode } from './store.ts'

/** Finds an invitation of any platform with its current status, for the page, which has no platform. */
export async function findInvitation(
  { tx, realTime }: { tx: Tx; realTime: Date },
  code: string,
): Promise<OpenedInvitation | undefined> {
  const found = isInvitationCode(code) ? await findByCode(tx, code) : undefined
  return found && openedAt(found, realTime)
}

/** Finds an invitation of any platform in the caller's environment (INV-5). Fails: INVITATION_NOT_FOUND. */
export async function mustFindInvitation(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  code: string,
): Promise<OpenedInvitation> {
  const opened = await findInvitation({ tx: work.tx, realTime: realTimeOf(work) }, code)
  const isVisible = opened?.platform.environment === work.platform.environment
  return opened && isVisible ? opened : fail('INVITATION_NOT_FOUND')
}

/** Locks an invitation that was found before. */
export const lockInvitation = async (work: Work, code: string): Promise<OpenedInvitation> =>
  openedAt(await lockByCode(work.tx, code), realTimeOf(work))
