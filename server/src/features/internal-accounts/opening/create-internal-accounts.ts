import { newId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import { openBalances, type BalanceKey } from '../../../ledger/balance-rows.ts'
import { availableOf, heldOf, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { claimFunding } from '../funding/claim-funding.ts'
import type { FundingDraft } from '../funding/instructions.ts'
import { accountTypeOf, type InternalAccount } from '../record/internal-account.ts'
import { internalAccount } from '../record/machine.ts'
import { insertAccounts, insertAddresses, insertFirstAccounts } from '../record/store.ts'

/** Who gets accounts, and in which currencies. Without a customer: the platform itself. */
export type AccountOwner = Readonly<{
  customerId?: Id<'customer'> | undefined
  /** For whose benefit the accounts are held (IACC-11). */
  holderName: string
  /** Of the customer. */
  email?: string | undefined
  currencies: readonly string[]
  /** Made in this very transaction: it cannot have an account yet. */
  isNew?: boolean
}>

/**
 * Makes the accounts that these owners do not have yet, each with its funding instructions and its two zero balances
 * (IACC-1, IACC-2, IACC-4). An account that is already there stays as it is. In PRODUCTION a bank has to open it
 * first: it begins PENDING, and is told how to be funded when that is done.
 */
export async function createInternalAccounts(
  work: Work,
  owners: readonly AccountOwner[],
): Promise<void> {
  const { tx, platform } = work
  const wanted = owners.flatMap((owner) =>
    owner.currencies.map((currency) => ({ owner, account: newAccount(work, owner, currency) })),
  )
  if (wanted.length === 0) return
  const drafts = platform.environment === 'SANDBOX' ? await claim(work, wanted) : []
  const accounts = wanted.map(({ account }, index) => ({
    ...account,
    fundingInstructions: drafts[index]?.instructions ?? [],
  }))
  const inserted = new Set(
    owners.every(({ isNew }) => isNew)
      ? insertFirstAccounts(tx, platform.id, accounts)
      : await insertAccounts(tx, platform.id, accounts),
  )
  if (inserted.size === 0) return
  insertAddresses(
    tx,
    platform.id,
    drafts.flatMap(({ addresses }) => addresses.filter(({ owner }) => isIn(inserted, owner))),
  )
  const made = accounts.filter(({ id }) => inserted.has(id))
  tx.trail(openBalances(made.flatMap((account) => balancesOf(platform.id, account))))
  await announceWallets(
    work,
    wanted.filter(({ account }) => inserted.has(account.id)),
  )
}

/** CRED-1: whoever keeps the keys of wallets makes them now. */
async function announceWallets(work: Work, made: readonly Wanted[]): Promise<void> {
  const wallets = made.flatMap(({ owner: { email }, account: { id: accountId, ...account } }) => {
    const { customerId } = account
    const isWallet = account.type === 'EMBEDDED_WALLET' && customerId !== null
    return isWallet ? [{ accountId, customerId, email }] : []
  })
  if (wallets.length > 0) await work.react('wallets.opened', { wallets })
}

const isIn = (ids: ReadonlySet<string>, { id }: { id: string }): boolean => ids.has(id)

type Wanted = Readonly<{ owner: AccountOwner; account: InternalAccount }>

function claim(work: Work, wanted: readonly Wanted[]): Promise<readonly FundingDraft[]> {
  return claimFunding(
    work,
    wanted.map(({ owner, account }) => ({
      owner: { kind: 'internalAccount', id: account.id },
      currency: account.currency,
      holderName: owner.holderName,
      isPlatformAccount: account.customerId === null,
      createdAt: account.createdAt,
    })),
  )
}

function newAccount(
  { platform, now }: Work,
  { customerId }: AccountOwner,
  currency: string,
): InternalAccount {
  const type = accountTypeOf({ currency, isCustomers: customerId !== undefined })
  const isSandbox = platform.environment === 'SANDBOX'
  return {
    id: newId('internalAccount'),
    customerId: customerId ?? null,
    currency,
    type,
    // A wallet is its owner's own: no bank has to open it.
    status: isSandbox || type === 'EMBEDDED_WALLET' ? internalAccount.initial : 'PENDING',
    fundingInstructions: [],
    privateEnabled: type === 'EMBEDDED_WALLET' ? false : null,
    isOwnerDeleted: false,
    createdAt: now,
    updatedAt: now,
  }
}

/** What a platform owes is repaid out of credits to its account (L14), so it is locked with it. */
function balancesOf(
  platformId: Id<'platform'>,
  { id, currency, customerId }: InternalAccount,
): BalanceKey[] {
  const accounts = [
    availableOf(id),
    heldOf(id),
    ...(customerId === null ? [RECEIVABLE_PLATFORM] : []),
  ]
  return accounts.map((account) => ({ platformId, account, currency }))
}
