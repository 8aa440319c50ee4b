import { failNotFound, formatId, type Id } from '../../kernel/ids.ts'
import { fail } from '../../kernel/errors.ts'
import { advance } from '../../kernel/machine.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import type { Work } from '../../infra/work/work.ts'
import { SUSPENSE_UNATTRIBUTED } from '../../ledger/chart.ts'
import { commandInWork, type ExtraJournals } from '../../ledger/command-in-work.ts'
import { handOverDeposit } from '../../ledger/recipes/deposits.ts'
import { lockAccountsForShare, type AccountSnapshot } from '../internal-accounts/index.ts'
import { deposit as creditAccount, reportedArrival } from '../transactions/index.ts'
import { lacksData, enqueueReleaseCheck } from './held/await-data.ts'
import { AWAITS_DATA, type Deposit } from './deposit.ts'
import { holdForReview } from './held/held-deposit.ts'
import { deposit as machine } from './machine.ts'
import { askAboutDeposit, depositScreener } from './screening/ask.ts'
import { lockDeposit, saveDeposit } from './store.ts'

/**
 * Attributes an unallocated deposit to an account, at the operator's command: credited in one step (L15), or held where the
 * customer lacks data that the currency requires (CUST-66). Runs in a Work of the platform that owns the account.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION, FORBIDDEN across environments, REFERENCE_NOT_FOUND,
 * USER_NOT_READY, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE.
 */
export async function attributeDeposit(
  work: Work,
  { id, accountId }: Readonly<{ id: Id<'transaction'>; accountId: Id<'internalAccount'> }>,
): Promise<Deposit> {
  const { tx, platform, now } = work
  const waiting = (await lockDeposit(tx, id)) ?? failNotFound('transaction')
  const [account] = await lockAccountsForShare(tx, [{ platformId: platform.id, id: accountId }])
  const provider = await screenerFor(work, waiting)
  const isHeld = account !== undefined && isHeldOn(account, waiting, provider)
  const status = advance(machine, waiting.status, isHeld ? 'hold' : 'attribute')
  if (waiting.environment !== platform.environment) fail('FORBIDDEN')
  if (isHeld) {
    await holdForReview(work, waiting, account, leavingHouse(waiting, now))
    if (provider) {
      const customerId = account.customerId && formatId('customer', account.customerId)
      const owner = { kind: 'internalAccount', id: accountId, customerId } as const
      askAboutDeposit(work, waiting, { provider, owner, mayRelease: true })
    } else enqueueReleaseCheck(work, { id, account })
  } else {
    await credit(work, waiting, accountId)
  }
  const taken: Deposit = {
    ...waiting,
    status,
    ...(isHeld && { reason: provider ? null : AWAITS_DATA }),
    ownerPlatformId: platform.id,
    transactionId: id,
    updatedAt: now,
  }
  saveDeposit(tx, taken)
  return taken
}

/** What was screened before it had an owner is not screened again: the operator has seen the verdict (PROV-105). */
const screenerFor = async (work: Work, { money, reason }: Deposit) =>
  reason === 'UNDER_REVIEW' ? undefined : depositScreener(work, money)

/** An account that cannot be credited refuses the deposit. */
const isHeldOn = (
  account: AccountSnapshot,
  { money }: Deposit,
  provider: RegisteredProvider | undefined,
): boolean =>
  account.status === 'ACTIVE' &&
  account.currency === money.currency &&
  (provider !== undefined || lacksData(account))

async function credit(
  work: Work,
  deposit: Deposit,
  accountId: Id<'internalAccount'>,
): Promise<void> {
  const { id, money, report } = deposit
  await commandInWork(work, creditAccount, {
    action: 'deposits attribute',
    input: { accountId, ...money, arrival: reportedArrival(report, money), transactionId: id },
    beside: leavingHouse(deposit, work.now),
  })
}

/** Out of the suspense account of the house platform (L15). */
export function leavingHouse(
  { id, environment, money, report }: Deposit,
  now: Date,
): ExtraJournals {
  const house = HOUSE_PLATFORM_IDS[environment]
  return {
    keys: [{ platformId: house, account: SUSPENSE_UNATTRIBUTED, currency: money.currency }],
    apply(book) {
      const handed = handOverDeposit({ reference: id, rail: report.rail, money })
      book.mustApply(house, now, [handed])
    },
  }
}
