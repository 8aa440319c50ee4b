import { fail, failFields } from '../../../kernel/errors.ts'
import { newId, newUuid, type Id } from '../../../kernel/ids.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockCustomer } from '../../customers/index.ts'
import type { Card } from '../record/card.ts'
import { bindAccounts, mustBeEligible } from '../funding/sources.ts'
import { provisionCardJob } from '../job-definitions.ts'
import { cardMachine } from '../record/machine.ts'
import { insertCard } from '../record/store.ts'

export type CardRequest = Readonly<{
  customerId: Id<'customer'>
  fundingAccountIds: readonly Id<'internalAccount'>[]
  maxSpendPerTransaction: bigint | null
  hasThreeDSecurePassword: boolean
}>

const PASSWORD_CURRENCY = 'EUR'

/**
 * Issues a card to a verified customer, on the customer's own accounts. The issuer provisions the number afterwards.
 * Fails: USER_NOT_FOUND, CARDHOLDER_KYC_NOT_APPROVED, FUNDING_SOURCE_INELIGIBLE, INVALID_INPUT.
 */
export async function issueCard(work: Work, request: CardRequest): Promise<Card> {
  const { tx, platform, now } = work
  const { customerId, fundingAccountIds, maxSpendPerTransaction } = request
  const { status } = await lockCustomer(work, customerId)
  if (status !== 'APPROVED') fail('CARDHOLDER_KYC_NOT_APPROVED', { kycStatus: status })
  const currency = await mustBeEligible(work, fundingAccountIds, { customerId })
  if (request.hasThreeDSecurePassword && currency !== PASSWORD_CURRENCY) {
    const message = `is for cards in ${PASSWORD_CURRENCY} only`
    failFields([{ field: 'threeDSecurePassword', message }])
  }
  const card: Card = {
    id: newId('card'),
    customerId,
    platformCardId: newUuid(),
    state: cardMachine.initial,
    stateReason: null,
    currency,
    maxSpendPerTransaction,
    provisioned: null,
    fundingAccountIds,
    createdAt: now,
    updatedAt: now,
  }
  await insertCard(tx, platform.id, card)
  await bindAccounts(work, card)
  enqueue(work, provisionCardJob, { cardId: card.id })
  return card
}
