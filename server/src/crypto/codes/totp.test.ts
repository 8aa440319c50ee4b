import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32 } from '@scure/base'
import { matchTotpStep, newTotpSecret, totpEnrolment } from './totp.ts'

/** RFC 6238, appendix B, SHA-1; the last six of the eight digits printed there. */
const RFC_SECRET = Buffer.from('12345678901234567890', 'ascii')
const RFC_CODES = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const

const at = (seconds: number): Date => new Date(seconds * 1_000)
const stepOf = (seconds: number): number => Math.floor(seconds / 30)

test('SCA-13 the published codes of RFC 6238 match at their times', () => {
  for (const [seconds, code] of RFC_CODES) {
    const step = matchTotpStep({ secret: RFC_SECRET, code, now: at(seconds), usedSteps: [] })
    assert.equal(step, stepOf(seconds), code)
  }
})

test('SCA-13 a code is accepted one step before and after its own', () => {
  const [seconds, code] = RFC_CODES[3]
  const own = stepOf(seconds)
  for (const [distance, expected] of [
    [-60, undefined],
    [-30, own],
    [0, own],
    [30, own],
    [60, undefined],
  ] as const) {
    const now = at(own * 30 + 15 + distance)
    assert.equal(matchTotpStep({ secret: RFC_SECRET, code, now, usedSteps: [] }), expected)
  }
})

test('SCA-13 each step is usable once, and its neighbours still are', () => {
  const [seconds, code] = RFC_CODES[1]
  const [, next] = RFC_CODES[2]
  const now = at(seconds)
  const step = stepOf(seconds)
  assert.equal(matchTotpStep({ secret: RFC_SECRET, code, now, usedSteps: [step] }), undefined)
  const later = { secret: RFC_SECRET, code: next, now, usedSteps: [step] }
  assert.equal(matchTotpStep(later), step + 1)
  const earlier = { secret: RFC_SECRET, code, now, usedSteps: [step + 1] }
  assert.equal(matchTotpStep(earlier), step, 'an older step that was not used')
})

test('SCA-14 a wrong code, or one of another form or secret, matches no step', () => {
  const [seconds, code] = RFC_CODES[0]
  const now = at(seconds)
  for (const wrong of ['287083', '87082', '0287082', ' 287082', '28708２', '']) {
    assert.equal(matchTotpStep({ secret: RFC_SECRET, code: wrong, now, usedSteps: [] }), undefined)
  }
  const other = { secret: Buffer.from('12345678901234567891', 'ascii'), code, now, usedSteps: [] }
  assert.equal(matchTotpStep(other), undefined)
})

test('SCA-13 an enrolment shows one secret as hex, as base32 and as a link', () => {
  const secret = newTotpSecret()
  const enrolment = totpEnrolment(secret, { issuer: 'Acme & Söhne', label: 'ann@example.com' })
  assert.match(enrolment.secret, /^[0-9a-f]{40}$/)
  assert.match(enrolment.secretBase32Encoded, /^[A-Z2-7]{32}$/)
  assert.deepEqual(Buffer.from(base32.decode(enrolment.secretBase32Encoded)), secret)
  assert.deepEqual(Buffer.from(enrolment.secret, 'hex'), secret)
  const issuer = 'Acme%20%26%20S%C3%B6hne'
  assert.equal(
    enrolment.totpUri,
    `otpauth://totp/${issuer}:ann%40example.com?issuer=${issuer}&secret=${enrolment.secretBase32Encoded}&algorithm=SHA1&digits=6&period=30`,
  )
  assert.notDeepEqual(newTotpSecret(), secret)
})
