import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  OPERATOR_REASONS,
  REASONS,
} from '../../server/src/infra/http/schema/field-docs/refusal-reasons.ts'

const SOURCE = join(import.meta.dirname, '../../server/src')
const RAISED = /\b(?:fail|refuse|failRetryLater)\(\s*'([A-Z_]+)',[^()]*?\breason: '([A-Z][A-Z_]+)'/g

/** Raised by a value that is decided elsewhere: `fail('FORBIDDEN', { reason: verdict.reason })`. */
const DECIDED_ELSEWHERE = [
  ...['ACCOUNT_NOT_ALLOWED', 'PER_TRANSACTION_LIMIT_EXCEEDED', 'DAILY_TRANSACTION_LIMIT_EXCEEDED'],
  ...['DAILY_LIMIT_EXCEEDED', 'MONTHLY_LIMIT_EXCEEDED'],
]
  .map((reason) => `FORBIDDEN ${reason}`)
  .concat(
    ['NO_CODE_SENT', 'TOO_MANY_ATTEMPTS', 'EXPIRED_CODE'].map((one) => `INVALID_INPUT ${one}`),
  )
  .concat(['UNDER_REVIEW', 'DECIDED', 'CARD_CLOSED'].map((one) => `CONFLICT ${one}`))
  .concat(
    ['FUNDING_SOURCE_UNAVAILABLE', 'FUNDING_SOURCE_NOT_AUTHORIZED'].map((one) => `CONFLICT ${one}`),
  )
  .concat('UNAUTHORIZED SIGN_IN_AGAIN')

async function raisedInSource(): Promise<Set<string>> {
  const raised = new Set(DECIDED_ELSEWHERE)
  for await (const name of glob('**/*.ts', { cwd: SOURCE, exclude: ['**/*.test.ts'] })) {
    if (name.endsWith('.test.ts')) continue
    const text = await readFile(join(SOURCE, name), 'utf8')
    for (const [, code, reason] of text.matchAll(RAISED)) raised.add(`${code} ${reason}`)
  }
  return raised
}

const listed = [REASONS, OPERATOR_REASONS].flatMap((reasons) =>
  Object.entries(reasons).flatMap(([code, ofCode]) =>
    Object.keys(ofCode).map((reason) => `${code} ${reason}`),
  ),
)

test('ERR-24 every reason that a refusal may have is listed, and no other', async () => {
  assert.deepEqual([...new Set(listed)].toSorted(), [...(await raisedInSource())].toSorted())
})
