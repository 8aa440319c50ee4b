import { isOutOfRange } from '../../kernel/money/amount-range.ts'
import { fail } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import { HOUSE_PLATFORM_IDS, type Environment, type Platform } from '../../kernel/platform.ts'
import { findPlatform } from '../../infra/platforms.ts'
import { attempt } from '../../infra/work/attempt.ts'
import type { Work } from '../../infra/work/work.ts'
import { commandInWork } from '../../ledger/command-in-work.ts'
import { post } from '../../ledger/post.ts'
import { parkDeposit } from '../../ledger/recipes/deposits.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../internal-accounts/index.ts'
import { findLateFunds, fundQuote } from '../quotes/index.ts'
import { networksOf } from '../rates/index.ts'
import { deposit as creditAccount, isCreditable, reportedArrival } from '../transactions/index.ts'
import { lacksData, enqueueReleaseCheck } from './held/await-data.ts'
import { AWAITS_DATA, type ArrivedMoney, type Deposit, type UnattributedReason } from './deposit.ts'
import { returnLateFunds } from './returns/late-funds.ts'
import { holdForReview } from './held/held-deposit.ts'
import { askAboutDeposit, depositScreener } from './screening/ask.ts'
import { insertDeposit, saveDeposit, type FundingOwner } from './store.ts'

export type Reception = Readonly<{ owner: FundingOwner | undefined; isUnderReview: boolean }>
type Outcome = Pick<Deposit, 'status' | 'transactionId'> & Partial<Pick<Deposit, 'reason'>>

const ACTION = 'deposits receive'

/**
 * Receives a deposit in a Work of its owner's platform or, where the owner is unknown, of the house platform. The deposit is
 * credited, held for review or for the customer's data (CUST-66), given to the quote that waits for it, returned where it
 * came too late, or kept as unallocated, also where its account is full (IACC-10, L12, L15, QUOTE-19). A movement is
 * received once. Fails: CONFLICT where it was reported before.
 */
export async function receiveDeposit(
  work: Work,
  arrived: ArrivedMoney,
  reception: Reception,
): Promise<Deposit> {
  const { tx, now } = work
  const { trace } = arrived.report
  const isFirst = await insertDeposit(tx, arrived, { status: 'UNATTRIBUTED', at: now })
  if (!isFirst) fail('CONFLICT', { trace })
  return placeDeposit(work, arrived, reception)
}

/** Finds its place for a deposit that is recorded, in a Work as above. */
export async function placeDeposit(
  work: Work,
  arrived: ArrivedMoney,
  reception: Reception,
): Promise<Deposit> {
  const { tx, now, platform } = work
  const placed = await attempt(work, (inner) => place(inner, arrived, reception), isOutOfRange)
  const { reason = null, ...outcome } = placed.ok
    ? placed.result
    : await park(work, arrived, 'ACCOUNT_FULL')
  const isOwned = outcome.status !== 'UNATTRIBUTED'
  const deposit: Deposit = {
    ...arrived,
    ...outcome,
    reason,
    ownerPlatformId: isOwned ? platform.id : null,
    createdAt: now,
    updatedAt: now,
  }
  saveDeposit(tx, deposit)
  return deposit
}

async function place(
  work: Work,
  arrived: ArrivedMoney,
  { owner, isUnderReview }: Reception,
): Promise<Outcome> {
  if (!owner) return park(work, arrived, 'OWNER_UNKNOWN')
  if (!isCarried(arrived)) return park(work, arrived, 'NETWORK_MISMATCH')
  const provider = await depositScreener(work, arrived.money)
  if (!provider) return placeAt(work, arrived, { owner, isUnderReview })
  const outcome = await placeAt(work, arrived, { owner, isUnderReview: true })
  const isAsked = outcome.status === 'HELD' || outcome.reason === 'UNDER_REVIEW'
  if (isAsked) askAboutDeposit(work, arrived, { provider, owner, mayRelease: !isUnderReview })
  return outcome
}

/** A coin of that name on a network that does not carry it is another coin, of whatever worth. */
function isCarried({ money: { currency }, report }: ArrivedMoney): boolean {
  const networks: readonly string[] = networksOf(currency)
  return networks.length === 0 || networks.includes(report.rail)
}

async function placeAt(
  work: Work,
  arrived: ArrivedMoney,
  { owner, isUnderReview }: Reception & { owner: FundingOwner },
): Promise<Outcome> {
  if (owner.kind === 'quote') {
    // A quote cannot hold funds that need a review first.
    return isUnderReview ? park(work, arrived, 'UNDER_REVIEW') : fund(work, arrived, owner)
  }
  const [account] = await lockAccountsForShare(work.tx, [owner])
  invariant(account, 'An internal account is never gone.')
  const awaitsData = lacksData(account)
  const problem = problemWith(arrived, { account, isHeld: isUnderReview || awaitsData })
  if (problem) return park(work, arrived, problem)
  if (isUnderReview || awaitsData) {
    await holdForReview(work, arrived, account)
    // The data of a deposit under review is checked when the operator releases it.
    if (!isUnderReview) enqueueReleaseCheck(work, { id: arrived.id, account })
    const reason = isUnderReview ? null : AWAITS_DATA
    return { status: 'HELD', transactionId: arrived.id, reason }
  }
  await credit(work, arrived, account)
  return { status: 'TAKEN', transactionId: arrived.id }
}

/** Why an account cannot be credited; the deposit then waits for the operator. */
function problemWith(
  { money }: ArrivedMoney,
  { account, isHeld }: Readonly<{ account: AccountSnapshot; isHeld: boolean }>,
): UnattributedReason | undefined {
  if (account.status !== 'ACTIVE') return 'ACCOUNT_NOT_ACTIVE'
  if (!isCreditable(money, account.currency)) return 'CURRENCY_MISMATCH'
  // Held money is in the account's currency, and another coin is converted only when it is credited.
  const isConverted = money.currency !== account.currency
  return isHeld && isConverted ? 'UNDER_REVIEW' : undefined
}

async function credit(
  work: Work,
  { id, money, report }: ArrivedMoney,
  account: AccountSnapshot,
): Promise<void> {
  await commandInWork(work, creditAccount, {
    action: ACTION,
    input: {
      accountId: account.id,
      ...money,
      arrival: reportedArrival(report, money),
      transactionId: id,
    },
  })
}

async function fund(
  work: Work,
  arrived: ArrivedMoney,
  { id: quoteId }: Extract<FundingOwner, { kind: 'quote' }>,
): Promise<Outcome> {
  const { money, report } = arrived
  const { isOwnCurrency, late } = await findLateFunds(work, { quoteId, currency: money.currency })
  if (!isOwnCurrency) return park(work, arrived, 'CURRENCY_MISMATCH')
  if (late) {
    const returned = await returnLateFunds(work, arrived, late)
    return returned ?? park(work, arrived, 'ACCOUNT_NOT_ACTIVE')
  }
  const { transaction } = await commandInWork(work, fundQuote, {
    action: ACTION,
    input: { quoteId, ...money, report },
  })
  return { status: 'TAKEN', transactionId: transaction.id }
}

async function park(
  work: Work,
  { id, environment, money, report }: ArrivedMoney,
  reason: UnattributedReason,
): Promise<Outcome> {
  const platform = await houseOf(work, environment)
  await post({ ...work, platform }, [parkDeposit({ reference: id, rail: report.rail, money })])
  return { status: 'UNATTRIBUTED', transactionId: null, reason }
}

async function houseOf({ tx }: Work, environment: Environment): Promise<Platform> {
  const house = await findPlatform(tx, HOUSE_PLATFORM_IDS[environment])
  invariant(house, 'The first migration made the house.')
  return house
}
