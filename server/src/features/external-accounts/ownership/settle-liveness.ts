import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { ExternalAccount } from '../external-account.ts'
import { endProof } from './end-proof.ts'
import { lockExternalAccount } from '../records/find-external-account.ts'
import type { OwnershipChallenge } from './store.ts'
import { findOpenChallenge } from './store.ts'

export type CheckRef = Readonly<{ externalAccountId: Id<'externalAccount'>; challengeId: string }>

type OpenCheck = Readonly<{ account: ExternalAccount; challenge: OwnershipChallenge }>

/** The open check with its account locked; undefined where another check has replaced it. */
export async function lockOpenCheck(
  work: Work,
  { externalAccountId, challengeId }: CheckRef,
): Promise<OpenCheck | undefined> {
  const account = await lockExternalAccount(work, externalAccountId)
  if (!account || account.isOwnerDeleted) return undefined
  const challenge = await findOpenChallenge(work.tx, work.platform.id, externalAccountId)
  return challenge?.id === challengeId ? { account, challenge } : undefined
}

/** Passes a sandbox check, unless it was superseded or decided, or its account or owner was deleted (OWN-9). */
export async function settleLiveness(work: Work, check: CheckRef): Promise<void> {
  const open = await lockOpenCheck(work, check)
  if (open) await endProof(work, open.account, 'PROVEN')
}
