import { fail, failFields } from '../../../kernel/errors.ts'
import { formatId, mustParseId, newId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../../internal-accounts/index.ts'
import { CARD_CURRENCIES, type Card } from '../record/card.ts'
import { listFundingSources, saveFundingSources, type FundingSource } from './store.ts'

type AccountId = Id<'internalAccount'>

export type Ineligibility =
  | 'NOT_OWNED'
  | 'CURRENCY_NOT_ELIGIBLE'
  | 'CURRENCY_MISMATCH'
  | 'ACCOUNT_NOT_ACTIVE'

/** Why an account cannot fund a card of this customer in this currency; undefined where it can (CARD-5). */
export function ineligibilityOf(
  account: Pick<AccountSnapshot, 'customerId' | 'currency' | 'status'> | undefined,
  { customerId, currency }: { customerId: Id<'customer'>; currency: string | undefined },
): Ineligibility | undefined {
  if (account?.customerId !== customerId) return 'NOT_OWNED'
  if (!CARD_CURRENCIES.includes(account.currency)) return 'CURRENCY_NOT_ELIGIBLE'
  if (currency !== undefined && account.currency !== currency) return 'CURRENCY_MISMATCH'
  return account.status === 'ACTIVE' ? undefined : 'ACCOUNT_NOT_ACTIVE'
}

/** The accounts under either field name; undefined where neither is present. */
export function fundingFromWire({
  fundingSource,
  fundingSources,
}: {
  fundingSource?: string
  fundingSources?: readonly string[]
}): AccountId[] | undefined {
  const texts = fundingSources ?? (fundingSource === undefined ? undefined : [fundingSource])
  return texts?.map((text) => mustParseId('internalAccount', text))
}

/**
 * The common currency of these accounts, which are locked for share until the transaction ends.
 * Fails: FUNDING_SOURCE_INELIGIBLE, with the first ineligible account.
 */
export async function mustBeEligible(
  { tx, platform }: Work,
  ids: readonly AccountId[],
  card: Readonly<{ customerId: Id<'customer'>; currency?: string }>,
): Promise<string> {
  const found = await lockAccountsForShare(
    tx,
    ids.map((id) => ({ platformId: platform.id, id })),
  )
  const accounts = new Map(found.map((account) => [account.id, account]))
  let { currency } = card
  for (const id of ids) {
    const account = accounts.get(id)
    const reason = ineligibilityOf(account, { customerId: card.customerId, currency })
    if (reason) {
      fail('FUNDING_SOURCE_INELIGIBLE', { accountId: formatId('internalAccount', id), reason })
    }
    currency = account?.currency
  }
  return currency ?? failFields([{ field: 'fundingSource', message: 'is required' }])
}

/**
 * Binds a card to these accounts, in this order. An account that is no longer listed is unbound and loses its delegated
 * key (CARD-32).
 */
export async function bindAccounts(
  work: Work,
  { id: cardId, fundingAccountIds }: Pick<Card, 'id' | 'fundingAccountIds'>,
): Promise<void> {
  const { tx, platform } = work
  const before = await listFundingSources(tx, platform.id, cardId)
  const sources = fundingAccountIds.map(
    (accountId): FundingSource =>
      before.find((source) => source.accountId === accountId) ?? {
        id: newId('cardFundingSource'),
        cardId,
        accountId,
      },
  )
  await saveFundingSources(tx, platform.id, { cardId, sources })
  const unbound = before.filter(({ accountId }) => !fundingAccountIds.includes(accountId))
  if (unbound.length === 0) return
  await work.react('cards.accountsUnbound', { fundingSourceIds: unbound.map(({ id }) => id) })
}
