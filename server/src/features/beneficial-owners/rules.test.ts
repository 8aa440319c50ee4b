import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInProviders, findBuiltIn } from '../../infra/providers/built-in.ts'
import type { PortQuery } from '../../kernel/ports.ts'
import type { Environment, PlatformKind } from '../../kernel/platform.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import {
  initialOwnerStatus,
  statusAfterHold,
  statusAfterReview,
  statusWithBusiness,
} from './rules.ts'

const BUILT_IN = builtInProviders({ smtpUrl: undefined, smsGatewayUrl: undefined })

const on = (environment: Environment, kind: PlatformKind = 'REGULATED') => ({
  ports: { providerOf: (query: PortQuery) => findBuiltIn(BUILT_IN, environment, query) },
  platform: { kind },
})

const MOVES = [
  ['SANDBOX', 'Smith', 'PENDING', 'PENDING', 'the business enters review'],
  ['SANDBOX', 'Smith001', 'APPROVED', 'PENDING', 'by its own ending'],
  ['SANDBOX', 'Smith002', 'APPROVED', 'REJECTED', 'by its own ending'],
  ['SANDBOX', 'Smith', 'REJECTED', 'APPROVED', 'an owner is not its business'],
  ['SANDBOX', 'Smith', 'UNVERIFIED', 'UNVERIFIED', 'returned to the platform'],
  ['SANDBOX', 'Smith', 'HOLD', 'PENDING', 'a hold is not about the owners'],
  ['PRODUCTION', 'Smith002', 'APPROVED', 'APPROVED', 'VER-13: just a name'],
  ['PRODUCTION', 'Smith', 'REJECTED', 'REJECTED', '4.4: the outcome of the business'],
  ['PRODUCTION', 'Smith', 'PENDING', 'PENDING', '4.4: follows the business'],
] as const

const UNMOVED = [
  ['SANDBOX', 'OUTSIDE', 'UNVERIFIED', 'APPROVED', 'UNVERIFIED', 'KYB-9: not in the packet'],
  [
    'PRODUCTION',
    'OUTSIDE_MAJOR',
    'UNVERIFIED',
    'REJECTED',
    'UNVERIFIED',
    'KYB-12: not in the packet',
  ],
  ['PRODUCTION', 'COVERED', 'REJECTED', 'APPROVED', 'REJECTED', 'rejected by an owner review'],
  ['PRODUCTION', 'OUTSIDE', 'UNVERIFIED', 'PENDING', 'PENDING', 'submitted again with the rest'],
] as const

for (const [environment, coverage, status, business, expected, because] of UNMOVED) {
  test(`KYB-5 ${environment} ${coverage} ${status}, business ${business}: ${expected}, ${because}`, () => {
    const owner = { personalInfo: { lastName: 'Smith' }, status, coverage }
    assert.equal(statusWithBusiness(on(environment), owner, business), expected)
  })
}

const REVIEWED = [
  ['SANDBOX', 'Smith', 'UNVERIFIED', 'APPROVED', 'APPROVED'],
  ['SANDBOX', 'Smith001', 'UNVERIFIED', 'APPROVED', 'PENDING'],
  ['SANDBOX', 'Smith002', 'UNVERIFIED', 'APPROVED', 'REJECTED'],
  ['SANDBOX', 'Smith', 'UNVERIFIED', 'REJECTED', 'REJECTED'],
  ['PRODUCTION', 'Smith002', 'UNVERIFIED', 'APPROVED', 'APPROVED'],
  ['PRODUCTION', 'Smith', 'REJECTED', 'APPROVED', 'REJECTED'],
] as const

for (const [environment, lastName, status, outcome, expected] of REVIEWED) {
  test(`KYB-13 ${environment} ${lastName} ${status}, owner review ${outcome}: ${expected}`, () => {
    const personalInfo = { lastName } as BeneficialOwner['personalInfo']
    assert.equal(statusAfterReview(on(environment), { personalInfo, status }, outcome), expected)
  })
}

for (const [environment, lastName, business, expected, because] of MOVES) {
  test(`KYB-5 ${environment} ${lastName}, business ${business}: ${expected}, ${because}`, () => {
    const owner = { personalInfo: { lastName }, status: 'PENDING' } as const
    assert.equal(statusWithBusiness(on(environment), owner, business), expected)
  })
}

const BIRTHS = [
  ['SANDBOX', 'UNREGULATED', 'Smith002', 'UNVERIFIED', 'UNVERIFIED', 'not final'],
  ['SANDBOX', 'UNREGULATED', 'Smith002', 'PENDING', 'UNVERIFIED', 'not final'],
  ['SANDBOX', 'UNREGULATED', 'Smith002', 'HOLD', 'UNVERIFIED', 'not final'],
  ['SANDBOX', 'UNREGULATED', 'Smith001', 'APPROVED', 'PENDING', 'by its ending'],
  ['SANDBOX', 'REGULATED', 'Smith002', 'REJECTED', 'REJECTED', 'by its ending'],
  ['SANDBOX', 'UNREGULATED', 'Smith', 'REJECTED', 'APPROVED', 'by its ending'],
  ['PRODUCTION', 'UNREGULATED', 'Smith', 'APPROVED', 'UNVERIFIED', 'nobody has looked'],
  ['PRODUCTION', 'REGULATED', 'Smith', 'APPROVED', 'APPROVED', 'the platform answers for it'],
] as const

for (const [environment, kind, lastName, business, expected, because] of BIRTHS) {
  test(`BO-1 ${environment} ${kind} ${lastName}, business ${business}: born ${expected}, ${because}`, () => {
    assert.equal(
      initialOwnerStatus(on(environment, kind), { personalInfo: { lastName } }, business),
      expected,
    )
  })
}

const RELEASES = [
  ['SANDBOX', 'UNREGULATED', 'Smith002', 'APPROVED', 'APPROVED', 'APPROVED', 'judged before'],
  ['SANDBOX', 'UNREGULATED', 'Smith002', 'UNVERIFIED', 'APPROVED', 'REJECTED', 'joined meanwhile'],
  ['SANDBOX', 'UNREGULATED', 'Smith', 'UNVERIFIED', 'PENDING', 'UNVERIFIED', 'not submitted yet'],
  ['SANDBOX', 'UNREGULATED', 'Smith', 'PENDING', 'PENDING', 'PENDING', 'under review before'],
  ['PRODUCTION', 'UNREGULATED', 'Smith', 'UNVERIFIED', 'APPROVED', 'UNVERIFIED', 'nobody looked'],
  ['PRODUCTION', 'REGULATED', 'Smith', 'UNVERIFIED', 'APPROVED', 'APPROVED', 'joined meanwhile'],
] as const

for (const [environment, kind, lastName, status, business, expected, because] of RELEASES) {
  test(`VER-23 ${environment} ${kind} ${lastName} ${status}, released as ${business}: ${expected}, ${because}`, () => {
    const owner = { personalInfo: { lastName }, status }
    assert.equal(statusAfterHold(on(environment, kind), owner, business), expected)
  })
}
