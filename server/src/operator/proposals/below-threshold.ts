import type { Money } from '../../kernel/money/money.ts'
import { convertedAmount } from '../../kernel/money/rate.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { midRate, readPrices, UNIT_CURRENCY } from '../../features/rates/index.ts'
import { callerOf, personOf } from '../access/caller.ts'
import type { FourEyes } from '../command.ts'
import { addVolume } from './store.ts'

/** In cents, at the mid rate of the platform, rounded up; undefined where there is no usable rate. */
async function inDollars(
  { providers, clock }: Deps,
  tx: Tx,
  { money, platform }: Readonly<{ money: Money; platform: Platform }>,
): Promise<bigint | undefined> {
  const caller = { platform, now: clock.now(), ports: providers.portsOf(platform) }
  const prices = (await readPrices(tx, [caller]))(caller)
  const rate = midRate({ sending: money.currency, receiving: UNIT_CURRENCY, prices })
  return rate && convertedAmount(money, rate, 'up')
}

export type Moved = Readonly<{
  fourEyes: FourEyes
  /** The amount that the command moves; undefined where unknown. */
  money: Money | undefined
  platform: Platform
}>

/**
 * Whether the operator stays below the daily threshold for acting alone (OPER-22). Adds the amount to the day's sum, so
 * it comes last in the command's transaction.
 */
export async function isBelowThreshold(
  deps: Deps,
  tx: Tx,
  { fourEyes, money, platform }: Moved,
): Promise<boolean> {
  if (fourEyes === 'always' || money === undefined) return false
  const dollars = await inDollars(deps, tx, { money, platform })
  if (dollars === undefined) return false
  const operator = personOf(callerOf(deps))
  const moved = await addVolume(tx, { operator, at: deps.clock.now(), dollars })
  return moved < deps.settings.fourEyesFrom
}
