import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BeneficialOwner } from './beneficial-owner.ts'
import { afterChange, coverageOfNew, isMaterialChange } from './coverage.ts'

const PERSON = {
  firstName: 'Ana',
  lastName: 'Martins',
  birthDate: '1980-05-17',
  nationality: 'US',
  idType: 'SSN',
}

type Given = Readonly<{ personalInfo?: object; [field: string]: unknown }>

const owner = ({ personalInfo, ...given }: Given = {}): BeneficialOwner =>
  ({
    roles: ['UBO', 'DIRECTOR'],
    ownershipPercentage: 10,
    status: 'APPROVED',
    coverage: 'COVERED',
    ...given,
    personalInfo: { ...PERSON, ...personalInfo },
  }) as unknown as BeneficialOwner

const CHANGES: readonly (readonly [Given, boolean])[] = [
  [{ personalInfo: { firstName: 'Anna' } }, true],
  [{ personalInfo: { middleName: 'B.' } }, true],
  [{ personalInfo: { lastName: 'Poe' } }, true],
  [{ personalInfo: { birthDate: '1980-05-18' } }, true],
  [{ personalInfo: { nationality: 'BR' } }, true],
  [{ ownershipPercentage: 11 }, true],
  [{ roles: ['UBO'] }, true],
  [{ roles: ['DIRECTOR', 'UBO'] }, false],
  [{ personalInfo: { email: 'a@example.com' } }, false],
  [{ personalInfo: { phoneNumber: '+14155550123' } }, false],
  [{ personalInfo: { address: { country: 'BR' } } }, false],
  [{ personalInfo: { idType: 'ITIN' } }, false],
  [{ personalInfo: { countryOfIssuance: 'BR' } }, false],
]

for (const [change, isMaterial] of CHANGES) {
  test(`KYB-9 ${JSON.stringify(change)} is ${isMaterial ? '' : 'not '}material`, () => {
    assert.equal(isMaterialChange(owner(), owner(change)), isMaterial)
  })
}

const LATER: readonly (readonly [Given, Given, string, string, string])[] = [
  [{}, { ownershipPercentage: 9 }, 'OUTSIDE', 'UNVERIFIED', 'a small part'],
  [{}, { ownershipPercentage: 25 }, 'OUTSIDE_MAJOR', 'UNVERIFIED', 'a large part'],
  [{ ownershipPercentage: 25 }, { ownershipPercentage: 5 }, 'OUTSIDE_MAJOR', 'UNVERIFIED', 'was'],
  [{}, { roles: ['CONTROL_PERSON'] }, 'OUTSIDE_MAJOR', 'UNVERIFIED', 'controls'],
  [{ roles: ['CONTROL_PERSON'] }, { roles: ['UBO'] }, 'OUTSIDE_MAJOR', 'UNVERIFIED', 'controlled'],
  [
    { coverage: 'OUTSIDE_MAJOR' },
    { ownershipPercentage: 5 },
    'OUTSIDE_MAJOR',
    'UNVERIFIED',
    'once',
  ],
  [{ status: 'REJECTED' }, { ownershipPercentage: 9 }, 'OUTSIDE', 'REJECTED', 'stays rejected'],
  [{ status: 'PENDING' }, { ownershipPercentage: 9 }, 'OUTSIDE', 'UNVERIFIED', 'under review'],
  [{ coverage: 'NONE' }, { ownershipPercentage: 60 }, 'NONE', 'APPROVED', 'no packet'],
  [{}, { personalInfo: { email: 'a@example.com' } }, 'COVERED', 'APPROVED', 'not material'],
]

for (const [before, change, coverage, status, because] of LATER) {
  test(`KYB-10 ${JSON.stringify([before, change])}: ${coverage}, ${status}, ${because}`, () => {
    const [was, is] = [owner(before), owner({ ...before, ...change })]
    const { coverage: found, status: became } = afterChange(was, is)
    assert.deepEqual([found, became], [coverage, status])
  })
}

test('KYB-10 KYB-14 an owner added after a packet was accepted is outside coverage', () => {
  assert.equal(coverageOfNew(owner(), []), 'NONE')
  assert.equal(coverageOfNew(owner(), [owner({ coverage: 'NONE' })]), 'NONE')
  for (const coverage of ['COVERED', 'OUTSIDE', 'OUTSIDE_MAJOR'] as const) {
    const others = [owner({ coverage: 'NONE' }), owner({ coverage })]
    assert.equal(coverageOfNew(owner(), others), 'OUTSIDE')
    assert.equal(coverageOfNew(owner({ ownershipPercentage: 25 }), others), 'OUTSIDE_MAJOR')
  }
})
