import { fail, failFields } from '../../../kernel/errors.ts'
import { newId, newUuid, type Id } from '../../../kernel/ids.ts'
import { isRemote, type Provider } from '../../../kernel/ports.ts'
import { enqueue } from '../../../infra/jobs/enqueue.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockCustomer } from '../../customers/index.ts'
import { lockAccountsForShare } from '../../internal-accounts/index.ts'
import type { Card } from '../record/card.ts'
import { bindAccounts, mustBeEligible } from '../funding/sources.ts'
import { provisionCardJob } from '../job-definitions.ts'
import { cardMachine } from '../record/machine.ts'
import { insertCard } from '../record/store.ts'
import { placeIssueOrder } from './card-issue-order.ts'

export type CardRequest = Readonly<{
  customerId: Id<'customer'>
  fundingAccountIds: readonly Id<'internalAccount'>[]
  maxSpendPerTransaction: bigint | null
  threeDSecurePassword: string | undefined
}>

const PASSWORD_CURRENCY = 'EUR'

/** The provider that issues the platform's cards; an operator cannot issue one by hand. Fails: NOT_IMPLEMENTED (CARD-50). */
function issuerOf({ ports }: Work): Provider {
  const provider = ports.providerOf({ port: 'cards' })
  const canIssue = provider && (provider.kind === 'sandbox' || isRemote(provider))
  return canIssue ? provider : fail('NOT_IMPLEMENTED')
}

/**
 * Issues a card to a verified customer, on the customer's own accounts. The issuer provisions the number afterwards.
 * Fails: NOT_IMPLEMENTED, USER_NOT_FOUND, CARDHOLDER_KYC_NOT_APPROVED, FUNDING_SOURCE_INELIGIBLE, INVALID_INPUT.
 */
export async function issueCard(work: Work, request: CardRequest): Promise<Card> {
  const { tx, platform, now } = work
  const { customerId, fundingAccountIds, maxSpendPerTransaction, threeDSecurePassword } = request
  const issuer = issuerOf(work)
  // Accounts are locked before their customer, as in payments and deletions.
  await lockAccountsForShare(
    tx,
    fundingAccountIds.map((id) => ({ platformId: platform.id, id })),
  )
  const { status } = await lockCustomer(work, customerId)
  if (status !== 'APPROVED') fail('CARDHOLDER_KYC_NOT_APPROVED', { kycStatus: status })
  const currency = await mustBeEligible(work, fundingAccountIds, { customerId })
  if (threeDSecurePassword !== undefined && currency !== PASSWORD_CURRENCY) {
    const message = `is for cards in ${PASSWORD_CURRENCY} only`
    failFields([{ field: 'threeDSecurePassword', message }])
  }
  const card: Card = {
    id: newId('card'),
    providerId: isRemote(issuer) ? issuer.id : null,
    customerId,
    platformCardId: newUuid(),
    state: cardMachine.initial,
    stateReason: null,
    stateVersion: 0,
    currency,
    maxSpendPerTransaction,
    provisioned: null,
    fundingAccountIds,
    createdAt: now,
    updatedAt: now,
  }
  await insertCard(tx, platform.id, card)
  await bindAccounts(work, card)
  if (isRemote(issuer)) placeIssueOrder(work, issuer, { card, threeDSecurePassword })
  else enqueue(work, provisionCardJob, { cardId: card.id })
  return card
}
