import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ExternalAccount } from '../external-account.ts'
import { mustLockExternalAccount } from '../records/find-external-account.ts'
import type { ExternalAccountEvent } from './machine.ts'
import { moveAccount } from './move-account.ts'

export const SETTABLE_STATUSES = ['ACTIVE', 'UNDER_REVIEW', 'INACTIVE'] as const
export type SettableStatus = (typeof SETTABLE_STATUSES)[number]

const EVENTS: Readonly<Record<SettableStatus, ExternalAccountEvent>> = {
  ACTIVE: 'activate',
  UNDER_REVIEW: 'review',
  INACTIVE: 'deactivate',
}

/**
 * The operator's `external-accounts set-status`. Setting the present status changes nothing.
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND, CONFLICT while ownership is unproven.
 */
export async function setAccountStatus(
  work: Work,
  { id, status }: { id: Id<'externalAccount'>; status: SettableStatus },
): Promise<ExternalAccount> {
  const account = await mustLockExternalAccount(work, id)
  return account.status === status ? account : moveAccount(work, account, EVENTS[status])
}
