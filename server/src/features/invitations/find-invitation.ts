import { fail } from '../../kernel/errors.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Work } from '../../infra/work.ts'
import { isInvitationCode } from './invitation-code.ts'
import { openedAt, realTimeOf, type OpenedInvitation } from './invitation.ts'
import { findByCode, lockByCode } from './store.ts'

/** For the page, which knows no platform: any invitation with this code, as it is now. */
export async function findInvitation(
  { tx, realTime }: { tx: Tx; realTime: Date },
  code: string,
): Promise<OpenedInvitation | undefined> {
  const found = isInvitationCode(code) ? await findByCode(tx, code) : undefined
  return found && openedAt(found, realTime)
}

/** INV-5: one of the caller's environment, whichever platform made it. Fails: INVITATION_NOT_FOUND. */
export async function mustFindInvitation(
  work: Pick<Work, 'tx' | 'platform' | 'now'>,
  code: string,
): Promise<OpenedInvitation> {
  const opened = await findInvitation({ tx: work.tx, realTime: realTimeOf(work) }, code)
  const isSeen = opened?.platform.environment === work.platform.environment
  return opened && isSeen ? opened : fail('INVITATION_NOT_FOUND')
}

/** One that was found, its row locked until the transaction ends. */
export const lockInvitation = async (work: Work, code: string): Promise<OpenedInvitation> =>
  openedAt(await lockByCode(work.tx, code), realTimeOf(work))
