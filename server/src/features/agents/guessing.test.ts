import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent, redeem } from '../../../test/kit/agents.ts'
import { expectError, expectStatus } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { payer } from '../../../test/kit/payments.ts'
import { addMs, SECOND_MS, systemClock } from '../../kernel/clock.ts'

let now = systemClock.now()
const kit = await startKit({}, { clock: { now: () => now } })
const { platform, customerId } = await payer(await kit.platform())

test('AGENT-15 whoever guesses codes is stopped for a while, also from trying right ones', async () => {
  const guess = () => redeem(platform, 'AGENT-2222-2222-2222-2222')
  const { deviceCode } = await createAgent(platform, { customerId })
  const code = deviceCode?.['code']
  for (let n = 0; n < 30; n += 1) expectError(await guess(), 404, 'REFERENCE_NOT_FOUND')
  const limited = await guess()
  expectError(limited, 429, 'RATE_LIMITED')
  assert.equal(limited.headers.get('retry-after'), '2')
  expectError(await redeem(platform, code), 429, 'RATE_LIMITED')
  now = addMs(now, 2 * SECOND_MS)
  expectStatus(await redeem(platform, code), 200)
  const spent = expectError(await redeem(platform, code), 400, 'INVALID_INPUT')
  assert.equal(spent['reason'], 'DEVICE_CODE_ALREADY_REDEEMED')
  expectError(await redeem(platform, code), 429, 'RATE_LIMITED')
})
