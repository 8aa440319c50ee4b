import { traitsOf } from '../../../kernel/platform-traits.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import { openBalances, type BalanceKey } from '../../../ledger/balances/balance-rows.ts'
import { availableOf, heldOf, RECEIVABLE_PLATFORM } from '../../../ledger/chart.ts'
import { claimFunding } from '../funding/claim-funding.ts'
import type { FundingDraft } from '../funding/instructions.ts'
import { accountTypeOf, type InternalAccount } from '../record/internal-account.ts'
import { internalAccount } from '../record/machine.ts'
import { insertAddresses } from '../funding/store.ts'
import { insertAccounts, insertFirstAccounts } from '../record/store.ts'
import { orderOpening } from './account-openings.ts'

/** An owner and the currencies of its accounts; without a customer the platform is the owner. */
export type AccountOwner = Readonly<{
  customerId?: Id<'customer'> | undefined
  /** The owner's name, which the holder of the accounts states (IACC-11). */
  holderName: string
  /** Of the customer. */
  email?: string | undefined
  currencies: readonly string[]
  /** An owner of the same transaction cannot have an account yet. */
  isNew?: boolean
}>

/**
 * Creates the missing accounts of these owners, each with its funding instructions and two balances of zero (IACC-1,
 * IACC-2, IACC-4). Existing accounts do not change. Outside the sandbox a bank opens the account first: it starts PENDING,
 * and gets its funding instructions afterwards, from the operator or from the provider that is asked for it (PROV-86).
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
  const opened = wanted.filter(({ account }) => isOpenedAtOnce(work, account))
  const drafts = opened.length > 0 ? await claim(work, opened) : []
  const instructed = new Map(
    opened.map(({ account }, index) => [account.id, drafts[index]?.instructions]),
  )
  const accounts = wanted.map(({ account }) => ({
    ...account,
    fundingInstructions: instructed.get(account.id) ?? [],
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
  tx.queueWrite(openBalances(made.flatMap((account) => balancesOf(platform.id, account))))
  made
    .filter(({ status }) => status === 'PENDING')
    .forEach((account) => orderOpening(work, account))
  await announceWallets(
    work,
    wanted.filter(({ account }) => inserted.has(account.id)),
  )
}

/** The feature that keeps the keys of wallets creates them now (CRED-1). */
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

type Opened = Pick<InternalAccount, 'currency' | 'type'>

/** Whether the sandbox makes up how it is paid into. No bank has to open a wallet, by any provider. */
function isOpenedAtOnce({ platform, ports }: Work, { currency, type }: Opened): boolean {
  if (type === 'EMBEDDED_WALLET') return !traitsOf(platform).usesRealNetworks
  return ports.providerOf({ port: 'deposits', currency })?.kind === 'sandbox'
}

function newAccount(work: Work, { customerId }: AccountOwner, currency: string): InternalAccount {
  const { now } = work
  const type = accountTypeOf({ currency, isCustomers: customerId !== undefined })
  return {
    id: newId('internalAccount'),
    customerId: customerId ?? null,
    currency,
    type,
    status:
      isOpenedAtOnce(work, { currency, type }) || type === 'EMBEDDED_WALLET'
        ? internalAccount.initial
        : 'PENDING',
    fundingInstructions: [],
    privateEnabled: type === 'EMBEDDED_WALLET' ? false : null,
    isOwnerDeleted: false,
    createdAt: now,
    updatedAt: now,
  }
}

/** Credits to a platform's account repay its debt (L14), so both balances are locked together. */
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
