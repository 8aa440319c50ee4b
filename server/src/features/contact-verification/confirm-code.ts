import { codeMatches } from '../../crypto/codes/one-time-code.ts'
import { refuse, type Refusal } from '../../kernel/errors.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work.ts'
import { lockCustomer, verifyChannel, type Customer } from '../customers/index.ts'
import { contextOf } from './issue-code.ts'
import { mustBePending } from './pending-channel.ts'
import { findObstacle, WRONG_CODES_MAX } from './rules.ts'
import { clearCode, countWrongCode, findChannel, type ChannelKey } from './store.ts'

/**
 * Takes the code that was sent to a channel and marks the channel as verified; the code is spent. A wrong one is
 * counted although the request is refused, and the fifth voids it (CONT-6): returned as a refusal with INVALID_INPUT
 * and its `reason`. The customer's row is locked meanwhile, so racing codes are judged one by one (CONT-10).
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
