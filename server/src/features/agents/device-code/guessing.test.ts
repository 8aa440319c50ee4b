import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent, redeem } from '../../../../test/kit/setups/agents.ts'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { payer } from '../../../../test/kit/payments.ts'
import { addMs, SECOND_MS, systemClock } from '../../../kernel/clock.ts'

let now = systemClock.now()
const kit = await startOwnKit({}, { clock: { now: () => now } })
const { platform, customerId } = await payer(await kit.platform())

const guess = () => redeem(platform, 'AGENT-2222-2222-2222-2222')
const wait = (seconds: number) => void (now = addMs(now, seconds * SECOND_MS))
async function guessOften(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) expectError(await guess(), 404, 'REFERENCE_NOT_FOUND')
}
async function expectStopped(seconds: number): Promise<void> {
  const limited = await guess()
  expectError(limited, 429, 'RATE_LIMITED')
  assert.equal(limited.headers.get('retry-after'), String(seconds))
}

test('AGENT-15 a caller that guesses codes is blocked for a while, also with a valid code', async () => {
  const { deviceCode } = await createAgent(platform, { customerId })
  const code = deviceCode.code
  await guessOften(30)
  await expectStopped(60)
  expectError(await redeem(platform, code), 429, 'RATE_LIMITED')
  wait(59)
  await expectStopped(1)
  wait(1)
  await guessOften(28)
  expectStatus(await redeem(platform, code), 200)
  const spent = expectError(await redeem(platform, code), 400, 'INVALID_INPUT')
  assert.equal(spent['reason'], 'DEVICE_CODE_ALREADY_REDEEMED')
  await guessOften(1)
  expectError(await redeem(platform, code), 429, 'RATE_LIMITED')
})

test('AGENT-15 no minute has more than thirty attempts, however they are spread', async () => {
  wait(60)
  await guessOften(20)
  wait(30)
  await guessOften(10)
  await expectStopped(30)
  wait(30)
  await guessOften(20)
  await expectStopped(30)
})

test('AGENT-15 thirty of many simultaneous attempts are checked', async () => {
  wait(60)
  const answers = await Promise.all(Array.from({ length: 100 }, guess))
  assert.equal(answers.filter(({ status }) => status === 404).length, 30)
  assert.equal(answers.filter(({ status }) => status === 429).length, 70)
})
