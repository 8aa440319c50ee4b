import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiError } from '../../../kernel/errors.ts'
import type { Environment, PlatformKind } from '../../../kernel/platform.ts'
import { mustBeAbleToPay } from '../payer/payer.ts'
import { initialStatus, verificationMode } from './rules.ts'
import type { Customer } from '../customer.ts'
import type { CustomerStatus, CustomerType } from './machine.ts'

type PlatformCase = Readonly<{ kind: PlatformKind; skip: boolean; environment: Environment }>

const platformOf = ({ kind, skip, environment }: PlatformCase) => ({
  kind,
  environment,
  skipVerificationPaperwork: skip,
})

const sandbox = (kind: PlatformKind, skip = false): PlatformCase => ({
  kind,
  skip,
  environment: 'SANDBOX',
})
const production = (kind: PlatformKind): PlatformCase => ({
  kind,
  skip: false,
  environment: 'PRODUCTION',
})

describe('chapter 11, section 1: the mode', () => {
  for (const [kind, skip, mode] of [
    ['REGULATED', false, 'LIGHT'],
    ['REGULATED', true, 'LIGHT'],
    ['UNREGULATED', true, 'LIGHT'],
    ['UNREGULATED', false, 'FULL'],
  ] as const) {
    test(`${kind}, paperwork ${skip ? 'skipped' : 'asked for'}: ${mode}`, () => {
      assert.equal(verificationMode(platformOf(sandbox(kind, skip))), mode)
    })
  }
})

type StatusCase = readonly [
  platform: PlatformCase,
  customerType: CustomerType,
  fullName: string | undefined,
  status: CustomerStatus,
  because: string,
]

const STATUSES: readonly StatusCase[] = [
  [sandbox('UNREGULATED'), 'INDIVIDUAL', 'Ann 001', 'UNVERIFIED', 'FULL looks at no suffix'],
  [sandbox('UNREGULATED'), 'INDIVIDUAL', 'Ann 002', 'UNVERIFIED', 'FULL looks at no suffix'],
  [sandbox('UNREGULATED'), 'INDIVIDUAL', 'Ann 003', 'UNVERIFIED', 'FULL looks at no suffix'],
  [sandbox('UNREGULATED'), 'INDIVIDUAL', 'Ann', 'UNVERIFIED', 'the service verifies'],
  [sandbox('UNREGULATED', true), 'INDIVIDUAL', 'Ann 001', 'PENDING', 'LIGHT, 001'],
  [sandbox('UNREGULATED', true), 'INDIVIDUAL', 'Ann 002', 'REJECTED', 'LIGHT, 002'],
  [sandbox('UNREGULATED', true), 'INDIVIDUAL', 'Ann 003', 'UNVERIFIED', 'LIGHT, 003'],
  [sandbox('UNREGULATED', true), 'INDIVIDUAL', 'Ann', 'APPROVED', 'LIGHT, any other'],
  [sandbox('REGULATED'), 'INDIVIDUAL', 'Ann 001', 'PENDING', 'regulated is LIGHT'],
  [sandbox('REGULATED'), 'INDIVIDUAL', 'Ann 002  ', 'REJECTED', 'after trimming'],
  [sandbox('REGULATED'), 'INDIVIDUAL', '003', 'UNVERIFIED', 'the whole name'],
  [sandbox('REGULATED'), 'INDIVIDUAL', 'Ann 0011', 'APPROVED', 'the last three decide'],
  [sandbox('REGULATED'), 'INDIVIDUAL', undefined, 'APPROVED', 'no name is any other'],
  [sandbox('REGULATED'), 'BUSINESS', undefined, 'UNVERIFIED', 'KYB-1'],
  [sandbox('UNREGULATED'), 'BUSINESS', undefined, 'UNVERIFIED', 'KYB-1'],
  [sandbox('UNREGULATED', true), 'BUSINESS', undefined, 'UNVERIFIED', 'KYB-1'],
  [production('REGULATED'), 'INDIVIDUAL', 'Ann 002', 'APPROVED', 'VER-13: just a name'],
  [production('REGULATED'), 'BUSINESS', undefined, 'APPROVED', '4.4, both types'],
  [production('UNREGULATED'), 'INDIVIDUAL', 'Ann', 'UNVERIFIED', '4.4'],
  [production('UNREGULATED'), 'BUSINESS', undefined, 'UNVERIFIED', '4.4'],
]

describe('KYC-1 KYB-1 the status at creation', () => {
  for (const [platform, customerType, fullName, status, because] of STATUSES) {
    const { kind, skip, environment } = platform
    const title = `${environment} ${kind}${skip ? ' skipping' : ''} ${customerType} ${fullName}`
    test(`${title}: ${status} (${because})`, () => {
      const isJudgedByName = environment === 'SANDBOX'
      const customer = { customerType, fullName, isJudgedByName }
      assert.equal(initialStatus(platformOf(platform), customer), status)
    })
  }
})

const CONSENT: Customer['consent'] = {
  acceptedAt: '2026-01-01T00:00:00.000Z',
  ipAddress: '192.0.2.1',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
}

type GateCase = readonly [
  platform: PlatformCase,
  status: CustomerStatus,
  consent: Customer['consent'],
  code: string | undefined,
]

const GATES: readonly GateCase[] = [
  [sandbox('REGULATED'), 'APPROVED', undefined, undefined],
  [sandbox('UNREGULATED', true), 'APPROVED', undefined, undefined],
  [sandbox('UNREGULATED'), 'APPROVED', undefined, 'END_USER_TERMS_NOT_ACCEPTED'],
  [sandbox('UNREGULATED'), 'APPROVED', CONSENT, undefined],
  [sandbox('UNREGULATED'), 'UNVERIFIED', undefined, 'USER_NOT_READY'],
  [sandbox('UNREGULATED'), 'PENDING', CONSENT, 'USER_NOT_READY'],
  [sandbox('REGULATED'), 'REJECTED', CONSENT, 'USER_NOT_READY'],
  [sandbox('REGULATED'), 'HOLD', CONSENT, 'USER_NOT_READY'],
  [production('UNREGULATED'), 'APPROVED', undefined, 'END_USER_TERMS_NOT_ACCEPTED'],
]

describe('CUST-34 the gates of status and terms', () => {
  for (const [platform, status, consent, code] of GATES) {
    const { kind, skip, environment } = platform
    const title = `${environment} ${kind}${skip ? ' skipping' : ''} ${status}, ${consent ? 'with' : 'without'} consent`
    test(`${title}: ${code ?? 'passes'}`, () => {
      const gate = (): void =>
        mustBeAbleToPay(platformOf(platform) as never, { isDeleted: false, status, consent })
      if (code === undefined) return gate()
      assert.throws(gate, (error: ApiError) => {
        assert.equal(error.code, code)
        if (code === 'USER_NOT_READY') assert.deepEqual(error.details, { status })
        return true
      })
    })
  }
})
