import type { Id } from '../../../kernel/ids.ts'
import { failNotFound } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Money } from '../../../kernel/money/money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { findAccount, lockAccountsForShare } from '../../internal-accounts/index.ts'
import { declineReasonOf, type Simulated } from './decision.ts'
import type { DeclineReason } from '../transaction/card-transaction.ts'
import { lockCardForShare } from '../record/find-card.ts'

export type BalanceInquiry =
  | Readonly<{ declineReason: DeclineReason }>
  | Readonly<{ available: Money }>

/**
 * Answers the network what the first funding source has available; a declined inquiry shows no balance (AUTHZ-26).
 * Fails: REFERENCE_NOT_FOUND.
 */
export async function inquireBalance(
  work: Work,
  { cardId, simulated }: { cardId: Id<'card'>; simulated: Simulated },
): Promise<BalanceInquiry> {
  const { tx, platform } = work
  const card = await lockCardForShare(work, cardId)
  const [accountId] = card?.fundingAccountIds ?? []
  if (!card || !accountId) return failNotFound('card')
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id: accountId }])
  const balances = await findAccount(tx, platform.id, accountId)
  invariant(account && balances, 'The account that funds a card exists.')
  const { available } = balances
  const declineReason = declineReasonOf({
    card,
    hasDelegatedKey: card.delegatedAccountIds.includes(accountId),
    account,
    requested: undefined,
    available,
    simulated,
  })
  return declineReason
    ? { declineReason }
    : { available: { amount: available, currency: card.currency } }
}
