import { codeMatches } from '../../crypto/codes/one-time-code.ts'
import { refuse, type Refusal } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work/work.ts'
import { lockCustomer, verifyChannel, type Customer } from '../customers/index.ts'
import { contextOf } from './issue-code.ts'
import { mustBePending } from './pending-channel.ts'
import { findObstacle, WRONG_CODES_MAX } from './rules.ts'
import { clearCode, countWrongCode, findChannel, type ChannelKey } from './store.ts'

/**
 * Compares a code with the one sent to a channel, spends it and marks the channel as verified. A wrong code is counted
 * and the fifth voids the sent one (CONT-6), so the refusal INVALID_INPUT with its `reason` is returned, not thrown.
 * The customer's row is locked, so racing codes are compared one by one (CONT-10).
 * Fails: USER_NOT_FOUND, CONFLICT.
 */
export async function confirmCode(
  work: Work,
  { code, ...key }: ChannelKey & { code: string },
): Promise<Customer | Refusal> {
  const { tx, platform, now, keyring } = work
  const [customer, sent] = await Promise.all([
    lockCustomer(work, key.customerId),
    findChannel(tx, platform.id, key),
  ])
  mustBePending(customer, key.channel)
  const obstacle = findObstacle(sent, now)
  if (obstacle) return refuse('INVALID_INPUT', { reason: obstacle })
  invariant(sent?.codeDigest, 'a code that is not obstructed was sent')
  const expected = { context: contextOf(key), digest: sent.codeDigest }
  if (!codeMatches(keyring, code, expected)) {
    countWrongCode(tx, platform.id, key)
    const attemptsLeft = WRONG_CODES_MAX - sent.wrongCodes - 1
    return refuse('INVALID_INPUT', { reason: 'INVALID_CODE', attemptsLeft })
  }
  clearCode(tx, platform.id, key)
  return verifyChannel(work, customer, key.channel)
}
