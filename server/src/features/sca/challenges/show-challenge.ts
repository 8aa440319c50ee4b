import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { listChallengesOfQuotes } from './store.ts'
import { findRelyingParty } from '../factors/relying-party.ts'
import { challengeToWire } from '../wire.ts'

type ShownChallenge = ReturnType<typeof challengeToWire>

/** What quotes that wait for a proof show of it (SCA-46); nothing for one that waits for none. Refuses nothing. */
export async function showQuoteChallenges(
  work: Pick<Work, 'tx' | 'platform'>,
  quoteIds: readonly Id<'quote'>[],
): Promise<ReadonlyMap<string, ShownChallenge>> {
  if (quoteIds.length === 0) return new Map()
  const challenges = await listChallengesOfQuotes(work.tx, work.platform.id, quoteIds)
  const hasPasskey = challenges.some((one) => one.passkeyChallenge !== null)
  const relyingParty = hasPasskey ? await findRelyingParty(work) : undefined
  const use = relyingParty && { relyingParty }
  return new Map(
    challenges.flatMap((challenge) =>
      challenge.quoteId === null
        ? []
        : [[challenge.quoteId, challengeToWire(challenge, use)] as const],
    ),
  )
}
