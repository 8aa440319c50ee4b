import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxIdentity } from './sandbox-identity.ts'

const CASES = [
  ['INDIVIDUAL', 'FULL', 'Jane 001', true, 'ESCALATE', 'a person looks at it'],
  ['INDIVIDUAL', 'FULL', 'Jane 002', true, 'REJECT', 'rejected'],
  ['INDIVIDUAL', 'FULL', 'Jane 003', true, 'ASK_AGAIN', 'a better document is wanted'],
  ['INDIVIDUAL', 'FULL', 'Jane Doe', true, 'APPROVE', 'any other name'],
  ['INDIVIDUAL', 'FULL', undefined, true, 'APPROVE', 'no name is any other name'],
  ['INDIVIDUAL', 'LIGHT', 'Jane 001', true, 'ESCALATE', 'KYC-4: validated like FULL'],
  ['INDIVIDUAL', 'FULL', '  Jane 002  ', true, 'REJECT', 'blanks at the ends do not count'],
  ['INDIVIDUAL', 'FULL', 'Jane 0021', true, 'APPROVE', 'only the last three characters do'],
  ['BUSINESS', 'FULL', '5523001', true, 'WAIT', 'KYB-4: never by itself'],
  ['BUSINESS', 'FULL', '5523003', true, 'WAIT', 'KYB-4: never by itself'],
  ['BUSINESS', 'FULL', '5523002', true, 'REJECT', 'KYB-3: after validation'],
  ['BUSINESS', 'FULL', '5523041', true, 'APPROVE', 'KYB-3: after validation'],
  ['BUSINESS', 'LIGHT', '5523001', true, 'WAIT', 'KYB-3: validated in LIGHT too'],
  ['BUSINESS', 'LIGHT', '5523003', true, 'WAIT', 'KYB-3: validated in LIGHT too'],
  ['BUSINESS', 'LIGHT', '5523002', false, 'REJECT', 'KYB-2: without papers'],
  ['BUSINESS', 'LIGHT', '5523041', false, 'APPROVE', 'KYB-2: without papers'],
  ['BUSINESS', 'LIGHT', undefined, false, 'APPROVE', 'KYB-2: no number at all'],
] as const

for (const [customerType, mode, name, needsPacket, verdict, because] of CASES) {
  test(`${customerType} ${mode} ${name}: ${verdict}, ${because}`, () => {
    const applicant = { customerType, mode, name }
    assert.equal(sandboxIdentity.needsPacket(applicant), needsPacket)
    assert.equal(sandboxIdentity.judge(applicant), verdict)
  })
}

for (const [lastName, outcome] of [
  ['Smith001', 'PENDING'],
  ['Smith 002', 'REJECTED'],
  ['Smith003', 'APPROVED'],
  ['Smith', 'APPROVED'],
] as const) {
  test(`KYB-5 an owner named ${lastName} becomes ${outcome}, whatever becomes of the business`, () => {
    assert.equal(sandboxIdentity.judgeOwner({ lastName }, 'APPROVED'), outcome)
    assert.equal(sandboxIdentity.judgeOwner({ lastName }, 'REJECTED'), outcome)
  })
}
