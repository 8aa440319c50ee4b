import { failFields } from '../../kernel/errors.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { addressOf } from '../external-accounts/index.ts'
import {
  challengeToWire,
  findPasskeyUse,
  issueChallenge,
  mustBeFreeToProveTrust,
  mustChooseFactor,
} from '../sca/index.ts'
import { lockBeneficiary } from './find-beneficiary.ts'
import { canBeTrusted, purposeOf } from './trust.ts'

export type TrustChange = Readonly<{ id: Id<'externalAccount'>; wanted: boolean }>

/**
 * Issues the challenge of a change of trust; undefined where the trust is as wanted (TRUST-4). An earlier challenge of
 * the same direction is void (TRUST-7).
 * Fails: REFERENCE_NOT_FOUND, CONFLICT (not needed, or no factor), INVALID_INPUT (an account that cannot be trusted),
 * RATE_LIMITED, NOT_IMPLEMENTED.
 */
export async function startTrustChange(work: Work, { id, wanted }: TrustChange) {
  const { account, sca } = await lockBeneficiary(work, id)
  if (wanted && !canBeTrusted(account)) {
    failFields([{ field: 'externalAccountId', message: 'must be a wallet address for USDC' }])
  }
  if (account.isTrusted === wanted) return undefined
  await mustBeFreeToProveTrust(work, sca.customer.id)
  const { factor, availableFactors } = mustChooseFactor(sca, { alsoTotp: true })
  const challenge = issueChallenge(work, sca, {
    subject: { purpose: purposeOf(wanted), externalAccountId: id },
    factor,
    availableFactors,
    about: `to ${wanted ? 'trust' : 'no longer trust'} ${addressOf(account)}`,
  })
  return challengeToWire(challenge, await findPasskeyUse(work, challenge))
}
