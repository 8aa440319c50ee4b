import type { Id } from '../../kernel/ids.ts'
import type { Money } from '../../kernel/money/money.ts'
import { availableOf, LOSS_PROVIDERS, RECEIVABLE_PLATFORM, worldOf } from '../chart.ts'
import type { Journal } from '../posting.ts'
import { journal, move } from './journal.ts'

type PaidAnyway = Readonly<{ transactionId: Id<'transaction'>; rail: string; money: Money }>

const TYPE = 'payment.paid-though-failed'

/**
 * V4: a provider paid out what was refunded already, and the service bears it.
 *
 *   LOSS:providers   −R
 *   WORLD:rail             +R
 */
export const bearLoss = ({ transactionId, rail, money }: PaidAnyway): Journal =>
  move({ type: TYPE, reference: transactionId, from: LOSS_PROVIDERS, to: worldOf(rail), money })

/**
 * V3 for a platform: its account pays what it can, the rest it owes.
 *
 *   IA(platform):available   −p
 *   RECEIVABLE:platform      −(R − p)
 *   WORLD:rail                          +R
 */
export function chargePlatform({
  transactionId,
  rail,
  money: { amount, currency },
  platformAccount,
}: PaidAnyway &
  Readonly<{
    platformAccount: Readonly<{ id: Id<'internalAccount'>; available: bigint }> | undefined
  }>): Journal {
  const available = platformAccount?.available ?? 0n
  const paid = available < amount ? available : amount
  return journal({
    type: TYPE,
    reference: transactionId,
    lines: [
      ...(platformAccount
        ? [{ account: availableOf(platformAccount.id), currency, amount: -paid }]
        : []),
      { account: RECEIVABLE_PLATFORM, currency, amount: paid - amount },
      { account: worldOf(rail), currency, amount },
    ],
  })
}
