import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMachine } from '../../kernel/machine.ts'
import {
  availableFactors,
  defaultFactor,
  phoneNumbersOf,
  usableFactors,
  type ScaFactor,
} from './factors/factor.ts'
import { scaReset } from './resets/machine.ts'
import {
  afterFailure,
  hasSession,
  isFresh,
  isLocked,
  lockDetails,
  type SecurityState,
} from './customers/security-state.ts'
import { noticeText } from './notices/send-notice.ts'
import { judgeLimits } from '../../kernel/access/attempt-limits.ts'
import { SMS_LIMITS } from './limits.ts'

const T0 = new Date('2026-01-01T00:00:00.000Z')
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1_000)
const standing = (failedAttempts: number): SecurityState => ({
  failedAttempts,
  lockedUntil: null,
  sessionExpiresAt: null,
  loggedInAt: null,
})

const LOCKS = [
  [0, undefined, 'the first failure locks nothing'],
  [3, undefined, 'nor does the fourth'],
  [4, 900, 'the fifth locks for a quarter of an hour'],
  [5, 1_800, 'the sixth for half an hour'],
  [6, 3_600, 'the seventh for an hour'],
  [7, 86_400, 'the eighth for a day'],
] as const

for (const [before, seconds, reason] of LOCKS) {
  test(`SCA-22 after ${before} failures ${reason}`, () => {
    const state = afterFailure(standing(before), T0)
    assert.equal(state.failedAttempts, before + 1)
    assert.equal(state.lockedUntil?.getTime(), seconds && after(seconds).getTime())
    assert.equal(isLocked(state, T0), seconds !== undefined)
    if (seconds === undefined) return
    assert.equal(isLocked(state, after(seconds - 1)), true)
    assert.equal(isLocked(state, after(seconds)), false, 'from the very instant')
    assert.equal(lockDetails(state, after(seconds)).lockedUntil, undefined)
  })
}

test('SCA-23 the ninth failure suspends without an end', () => {
  const state = afterFailure(standing(8), T0)
  assert.deepEqual(lockDetails(state, T0), { suspended: true, failedAttempts: 9 })
  assert.equal(isLocked(state, after(10 * 365 * 86_400)), true)
})

test('SCA-20 a session ends at the instant of its expiry', () => {
  const state = { ...standing(0), sessionExpiresAt: after(10) }
  assert.equal(hasSession(state, after(9)), true)
  assert.equal(hasSession(state, after(10)), false)
  assert.equal(hasSession(standing(0), T0), false)
})

const upTo = (count: number, first: number, everySeconds = 1): number[] =>
  Array.from({ length: count }, (_, n) => first + n * everySeconds)

/** When messages were sent, in seconds, and how long to wait at second 100. */
const SENDS: readonly (readonly [string, readonly number[], number | undefined])[] = [
  ['none before', [], undefined],
  ['nine in ten minutes', upTo(9, 0), undefined],
  ['ten in ten minutes: until the first is ten minutes old', upTo(10, 0), 500],
  ['the first of ten is ten minutes old', [-500, ...upTo(9, 0)], undefined],
  ['thirty in a day: until the first is a day old', upTo(30, -60_000, 700), 26_300],
]

for (const [name, seconds, wait] of SENDS) {
  test(`SCA-10 earlier messages limit the next one: ${name}`, () => {
    const verdict = judgeLimits(SMS_LIMITS, { times: seconds.map(after), now: after(100) })
    assert.equal(verdict.ok ? undefined : verdict.retryAfterSeconds, wait)
  })
}

const totp = { secret: Buffer.alloc(1), usedSteps: [], recoveryCodes: [] }
const passkey = {
  credentialId: 'x',
  publicKey: Buffer.alloc(1),
  algorithm: -7,
  counter: 0,
  rpId: 'localhost',
} as const

test('SCA-11 available factors are listed in one order', () => {
  const all = { phoneNumber: '+491', totp, passkey }
  assert.deepEqual(availableFactors(all), ['SMS_OTP', 'TOTP', 'PASSKEY'])
  assert.deepEqual(availableFactors({ ...all, phoneNumber: undefined }), ['TOTP', 'PASSKEY'])
  const none = { phoneNumber: undefined, totp: undefined, passkey: undefined }
  assert.deepEqual(availableFactors(none), [])
})

const NUMBER = '+491'
const NUMBERS = [
  [undefined, false, NUMBER, undefined, 'as created, where no phone channel is required'],
  [undefined, true, undefined, NUMBER, 'changed, and no code answered from there yet'],
  ['VERIFIED', false, NUMBER, undefined, 'proven by contact verification'],
  [
    'PENDING',
    false,
    undefined,
    undefined,
    'waits for contact verification, which no login replaces',
  ],
] as const

for (const [phone, isPhoneUnproven, proven, unproven, reason] of NUMBERS) {
  test(`SCA-11 SCA-61 the number that receives codes: ${reason}`, () => {
    const customer = { phoneNumber: NUMBER, contact: { ...(phone && { phone }) } }
    const numbers = phoneNumbersOf(customer, { isPhoneUnproven })
    assert.deepEqual(numbers, { phoneNumber: proven, unprovenNumber: unproven })
  })
}

const FRESH = [
  [0, true, 'at once'],
  [600, true, 'after ten minutes to the second'],
  [601, false, 'a second later'],
] as const

for (const [seconds, isStillFresh, reason] of FRESH) {
  test(`SCA-57 a login allows changes of factors ${reason}: ${isStillFresh}`, () => {
    const state = { ...standing(0), loggedInAt: T0, sessionExpiresAt: after(10_000) }
    assert.equal(isFresh(state, after(seconds)), isStillFresh)
    assert.equal(isFresh({ ...state, sessionExpiresAt: null }, after(seconds)), false)
  })
}

const NOTICES = [
  ['ENROLLED', 'PASSKEY', 'a new passkey was added to your account'],
  ['REMOVED', 'PASSKEY', 'the passkey was removed from your account'],
  ['PHONE_CHANGED', 'SMS_OTP', 'the phone number for codes was changed'],
  ['RESET_STARTED', 'TOTP', 'a reset of the authenticator app was started'],
  ['RESET_COMPLETED', 'TOTP', 'the authenticator app was reset'],
] as const

for (const [change, factor, event] of NOTICES) {
  test(`SCA-59 a notice says what changed, when, and whom to contact: ${event}`, () => {
    const at = '2026-11-15T23:10:45.000Z'
    assert.equal(
      noticeText({ name: 'Acme' }, { change, factor, at }),
      `Acme: on 2026-11-15 23:10 UTC ${event}. If this was not you, contact Acme at once.`,
    )
  })
}

const ALL: readonly ScaFactor[] = ['SMS_OTP', 'TOTP', 'PASSKEY']
const USABLE = [
  ['SMS_OTP', ALL, false, ['SMS_OTP', 'PASSKEY'], 'an amount: an app cannot be tied to it'],
  ['SMS_OTP', ['SMS_OTP', 'TOTP'], false, ['SMS_OTP'], 'no passkey enrolled'],
  ['PASSKEY', ALL, false, ['PASSKEY'], 'no code is sent, so none can be taken'],
  ['SMS_OTP', ALL, true, ALL, 'trust takes the app too'],
  ['PASSKEY', ALL, true, ['TOTP', 'PASSKEY'], 'trust without a message'],
] as const

for (const [factor, available, alsoTotp, expected, reason] of USABLE) {
  test(`SCA-44 TRUST-3 the factors that prove a challenge of ${factor}: ${reason}`, () => {
    assert.deepEqual(usableFactors(factor, { available, alsoTotp }), expected)
  })
}

test('SCA-43 SMS is the default factor, then a passkey; an app never is', () => {
  assert.equal(defaultFactor(ALL), 'SMS_OTP')
  assert.equal(defaultFactor(['TOTP', 'PASSKEY']), 'PASSKEY')
  assert.equal(defaultFactor(['TOTP']), undefined)
})

test('SCA-34 every state of a reset is reached, and three are final', () => {
  const { unreachable, terminal } = describeMachine(scaReset)
  assert.deepEqual(unreachable, [])
  assert.deepEqual(terminal, ['COMPLETED', 'REJECTED', 'EXPIRED'])
})
