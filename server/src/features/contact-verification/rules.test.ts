import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiError } from '../../kernel/errors.ts'
import { mustHaveVerifiedContact } from './pending-channel.ts'
import { findObstacle, judgeSend, type SentCode } from './rules.ts'

const NOW = new Date('2026-01-01T12:00:00.000Z')
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000)

type SendCase = readonly [
  secondsAgo: readonly number[],
  verdict: number | readonly number[],
  because: string,
]

const SENDS: readonly SendCase[] = [
  [[], [0], 'the first'],
  [[400, 300, 200, 100], [400, 300, 200, 100, 0], 'the fifth'],
  [[500, 400, 300, 200, 100], 100, 'the sixth waits for the first to be ten minutes old'],
  [[599, 4, 3, 2, 1], 1, 'one second is missing'],
  [[600, 4, 3, 2, 1], [4, 3, 2, 1, 0], 'ten minutes are over'],
  [[5000, 4000], [0], 'what is long ago is forgotten'],
]

describe('CONT-4 five sends in any ten minutes', () => {
  for (const [secondsAgo, expected, because] of SENDS) {
    test(`${because}: ${secondsAgo.join(', ')} s ago`, () => {
      const verdict = judgeSend(secondsAgo.map(ago), NOW)
      if (typeof expected === 'number') {
        assert.deepEqual(verdict, { ok: false, retryAfterSeconds: expected })
      } else {
        assert.deepEqual(verdict, { ok: true, sentAt: expected.map(ago) })
      }
    })
  }
})

const sent = (changes: Partial<SentCode>): SentCode => ({
  codeDigest: Buffer.from('x'),
  codeExpiresAt: ago(-600),
  wrongCodes: 0,
  ...changes,
})

type ObstacleCase = readonly [
  sent: SentCode | undefined,
  obstacle: string | undefined,
  because: string,
]

const OBSTACLES: readonly ObstacleCase[] = [
  [undefined, 'NO_CODE_SENT', 'never sent'],
  [sent({ codeDigest: null, codeExpiresAt: null }), 'NO_CODE_SENT', 'voided or spent'],
  [sent({}), undefined, 'fresh'],
  [sent({ wrongCodes: 4 }), undefined, 'one attempt left'],
  [sent({ wrongCodes: 5 }), 'TOO_MANY_ATTEMPTS', 'none left'],
  [sent({ wrongCodes: 5, codeExpiresAt: ago(1) }), 'TOO_MANY_ATTEMPTS', 'also when expired'],
  [sent({ codeExpiresAt: ago(-0.001) }), undefined, 'the last millisecond'],
  [sent({ codeExpiresAt: NOW }), 'EXPIRED_CODE', 'at its end'],
]

describe('CONT-6 CONT-7 why any code is refused', () => {
  for (const [state, obstacle, because] of OBSTACLES) {
    test(`${because}: ${obstacle ?? 'nothing'}`, () =>
      assert.equal(findObstacle(state, NOW), obstacle))
  }
})

test('CONT-11 pending channels are named, verified ones pass', () => {
  const contact = { email: 'VERIFIED', phone: 'PENDING' } as const
  assert.throws(
    () => mustHaveVerifiedContact({ contact }),
    (error: ApiError) => {
      assert.equal(error.code, 'CONFLICT')
      assert.deepEqual(error.details, { reason: 'CONTACT_NOT_VERIFIED', channels: ['phone'] })
      return true
    },
  )
  mustHaveVerifiedContact({ contact: { email: 'VERIFIED', phone: 'VERIFIED' } })
  mustHaveVerifiedContact({ contact: {} })
})
