import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import type { ExternalAccount } from '../external-account.ts'
import { externalAccount, type ExternalAccountEvent } from './machine.ts'
import { saveStatus } from '../records/store.ts'
import { accountToEvent } from '../wire.ts'

/**
 * Moves the status of an account, whose lock the caller holds, and emits the event if it changed.
 * Fails with the machine's refusal: CONFLICT for events that a caller can request.
 */
export async function moveAccount(
  work: Work,
  account: ExternalAccount,
  event: ExternalAccountEvent,
): Promise<ExternalAccount> {
  const status = advance(externalAccount, account.status, event)
  if (status === account.status) return account
  const moved = { ...account, status, updatedAt: work.now }
  await saveStatus(work.tx, work.platform.id, { id: account.id, status, at: work.now })
  // A deleted account is no longer visible to the platform.
  if (!account.deletedAt) emit(work, 'EXTERNAL_ACCOUNT.STATUS_UPDATED', accountToEvent(moved))
  return moved
}
