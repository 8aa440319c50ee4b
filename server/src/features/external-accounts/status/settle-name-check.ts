import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { emit } from '../../../webhooks/emit.ts'
import { lockExternalAccount } from '../records/find-external-account.ts'
import type { NameVerification } from './name-verification.ts'
import { saveNameVerification } from '../records/store.ts'
import { accountToEvent } from '../wire.ts'

/** Records a bank's late answer to the name check and emits the event (BVER-4); a settled check stays as it is. */
export async function settleNameCheck(
  work: Work,
  { id, verification }: { id: Id<'externalAccount'>; verification: NameVerification },
): Promise<void> {
  const account = await lockExternalAccount(work, id)
  if (account?.beneficiaryVerificationStatus !== 'PENDING') return
  const { beneficiaryVerificationStatus, beneficiaryVerifiedData } = verification
  await saveNameVerification(work.tx, work.platform.id, { id, verification, at: work.now })
  const event = {
    ...account,
    beneficiaryVerificationStatus,
    beneficiaryVerifiedName: beneficiaryVerifiedData?.fullName ?? null,
    updatedAt: work.now,
  }
  emit(work, 'EXTERNAL_ACCOUNT.STATUS_UPDATED', accountToEvent(event))
}
