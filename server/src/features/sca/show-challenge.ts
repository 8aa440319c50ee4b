import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { mustFindScaCustomer } from './sca-customer.ts'
import { findPasskeyUse, findQuoteChallenge } from './pending-challenge.ts'
import { challengeToWire } from './wire.ts'

/** What a quote that waits for a proof shows of it (SCA-46); undefined where it waits for none. */
export async function showQuoteChallenge(
  work: Pick<Work, 'tx' | 'platform'>,
  quoteId: Id<'quote'>,
): Promise<ReturnType<typeof challengeToWire> | undefined> {
  const challenge = await findQuoteChallenge(work, quoteId)
  if (!challenge) return undefined
  const sca = await mustFindScaCustomer(work, challenge.customerId)
  return challengeToWire(challenge, await findPasskeyUse(work, sca, challenge))
}
