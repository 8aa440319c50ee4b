import { failNotFound, type Id } from '../../kernel/ids.ts'
import { fail } from '../../kernel/errors.ts'
import { advance } from '../../kernel/machine.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { Work } from '../../infra/work.ts'
import { SUSPENSE_UNATTRIBUTED } from '../../ledger/chart.ts'
import { commandInWork } from '../../ledger/command-in-work.ts'
import { failShort } from '../../ledger/post.ts'
import { handOverDeposit } from '../../ledger/recipes/deposits.ts'
import { deposit as creditAccount, reportedArrival } from '../transactions/index.ts'
import type { Deposit } from './deposit.ts'
import { deposit as machine } from './machine.ts'
import { lockDeposit, saveDeposit } from './store.ts'

/**
 * The operator has found out whose a deposit is: it leaves the house and is credited, in one step (L15). In a Work of
 * the platform that owns the account.
 * Fails: TRANSACTION_NOT_FOUND, INVALID_STATE_TRANSITION, FORBIDDEN across environments, REFERENCE_NOT_FOUND,
 * USER_NOT_READY, INVALID_CURRENCY, AMOUNT_OUT_OF_RANGE.
 */
export async function attributeDeposit(
  work: Work,
  { id, accountId }: Readonly<{ id: Id<'transaction'>; accountId: Id<'internalAccount'> }>,
): Promise<Deposit> {
  const { tx, platform, now } = work
  const waiting = (await lockDeposit(tx, id)) ?? failNotFound('transaction')
  const status = advance(machine, waiting.status, 'attribute')
  const { environment, money, report } = waiting
  if (environment !== platform.environment) fail('FORBIDDEN')
  const house = HOUSE_PLATFORM_IDS[environment]
  const { currency } = money
  await commandInWork(work, creditAccount, {
    action: 'deposits attribute',
    input: { accountId, ...money, arrival: reportedArrival(report, money), transactionId: id },
    beside: {
      keys: [{ platformId: house, account: SUSPENSE_UNATTRIBUTED, currency }],
      apply(book) {
        const handed = handOverDeposit({ reference: id, rail: report.rail, money })
        const shortfall = book.apply(house, now, [handed])
        if (shortfall) failShort(shortfall)
      },
    },
  })
  const taken = {
    ...waiting,
    status,
    ownerPlatformId: platform.id,
    transactionId: id,
    updatedAt: now,
  }
  saveDeposit(tx, taken)
  return taken
}
