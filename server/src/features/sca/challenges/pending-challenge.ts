/** Pending challenges: finding, showing and using them up. */
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  deleteChallenge,
  findChallenge,
  listChallengesOfQuotes,
  listQuotesChallenged,
} from './store.ts'
import { isOpen, type ChallengeSubject, type ScaChallenge } from './challenge.ts'
import { findRelyingParty, mustFindRelyingParty } from '../factors/relying-party.ts'
import { challengeToWire, type PasskeyUse } from '../wire.ts'

/** Undefined if there is no challenge, or it has expired. */
export async function findOpenChallenge(
  { tx, platform, now }: Pick<Work, 'tx' | 'platform' | 'now'>,
  subject: ChallengeSubject,
): Promise<ScaChallenge | undefined> {
  const challenge = await findChallenge(tx, platform.id, subject)
  return isOpen(challenge, now) ? challenge : undefined
}

/** Deletes a challenge that was proven or withdrawn. */
export function useUpChallenge({ tx, platform }: Work, subject: ChallengeSubject): void {
  deleteChallenge(tx, platform.id, subject)
}

/** The relying party of a challenge that a passkey may prove. Fails: CONFLICT. */
export async function findPasskeyUse(
  work: Pick<Work, 'tx' | 'platform'>,
  { passkeyChallenge }: ScaChallenge,
): Promise<PasskeyUse | undefined> {
  if (passkeyChallenge === null) return undefined
  return { relyingParty: await mustFindRelyingParty(work) }
}

/** The challenge of a quote, expired or not; a quote has at most one, whatever its purpose. */
export const findQuoteChallenge = (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  quoteId: Id<'quote'>,
): Promise<ScaChallenge | undefined> =>
  findChallenge(tx, platform.id, { purpose: 'PAYOUT', quoteId })

export const listChallengedQuotes = (
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  customerId: Id<'customer'>,
): Promise<readonly Id<'quote'>[]> => listQuotesChallenged(tx, platform.id, customerId)

type ShownChallenge = ReturnType<typeof challengeToWire>

/** The challenges of quotes as they are shown, by quote id (SCA-46). */
export async function showQuoteChallenges(
  work: Pick<Work, 'tx' | 'platform'>,
  quoteIds: readonly Id<'quote'>[],
): Promise<ReadonlyMap<string, ShownChallenge>> {
  if (quoteIds.length === 0) return new Map()
  const challenges = await listChallengesOfQuotes(work.tx, work.platform.id, quoteIds)
  const hasPasskey = challenges.some(({ passkeyChallenge }) => passkeyChallenge !== null)
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
