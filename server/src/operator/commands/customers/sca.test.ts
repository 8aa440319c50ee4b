import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, items } from '../../../../test/kit/api.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { newScaCustomer } from '../../../../test/kit/sca/sca.ts'
import type { ApiError } from '../../../kernel/errors.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()
const { origin } = new URL(kit.baseUrl)
const refusedWith = (code: string) => (error: ApiError) => error.code === code

const mobile = { countryCode: '+49', number: '1709999999' }

const waiting = async (resetId: string | undefined) =>
  items(await operate(kit, 'sca-resets list')).filter((one) => one['resetId'] === resetId)

for (const [verb, status] of [
  ['approve', 'LIVENESS_PASSED'],
  ['reject', 'REJECTED'],
] as const) {
  test(`CORE-83 SCA-34 sca-resets list shows what sca-resets ${verb} decides`, async () => {
    const platform = await kit.platform({ environment: 'PRODUCTION' })
    const sca = await newScaCustomer(platform)
    const started = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
    const { resetId } = started
    const path = `/factors/reset/${resetId}` as const
    assert.deepEqual(await waiting(resetId), [], 'nothing was handed in')
    const early = operate(kit, `sca-resets ${verb} ${resetId}`)
    await assert.rejects(early, refusedWith('CONFLICT'))
    const link = new URL(started.verificationLink)
    const page = `${origin}${link.pathname}`
    assert.match(await (await fetch(`${page}${link.search}`)).text(), /<form/)
    const submitted = await fetch(`${page}/submit${link.search}`, { method: 'POST' })
    assert.match(await submitted.text(), /under review/)
    const [review] = await waiting(resetId)
    assert.equal(review?.['customerId'], sca.customerId)
    assert.equal(review?.['factor'], 'SMS_OTP')
    const decided = await operate(kit, `sca-resets ${verb} ${resetId}`)
    assert.equal(decided['status'], status)
    assert.equal(expectStatus(await sca.get(path), 200).status, status)
    assert.deepEqual(await waiting(resetId), [])
    const completed = await sca.post(`${path}/complete`, { mobile })
    if (verb === 'approve') expectStatus(completed, 204)
    else expectError(completed, 400, 'INVALID_INPUT')
  })
}

test('CORE-83 a reset that is not there is not found', async () => {
  const nobody = operate(kit, `sca-resets approve ScaReset:${newUuid()}`)
  await assert.rejects(nobody, refusedWith('REFERENCE_NOT_FOUND'))
})

test('CORE-93 the page of a reset says what it allows, and nothing without the link', async () => {
  const answer = await fetch(`${origin}/sca-reset?token=nothing`)
  assert.equal(answer.status, 404)
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
})
