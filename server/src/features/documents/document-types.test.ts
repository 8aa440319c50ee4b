import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  alternativesTo,
  DOCUMENT_TYPES,
  isOf,
  maySubmit,
  typesFor,
  typesOf,
  type DocumentType,
  type HolderKind,
} from './document-types.ts'

test('DOC-5 every type has a holder', () => {
  const holders: readonly HolderKind[] = ['INDIVIDUAL', 'BUSINESS', 'OWNER']
  for (const type of DOCUMENT_TYPES) {
    assert.ok(
      holders.some((holder) => maySubmit(holder, type)),
      type,
    )
  }
})

test('DOC-5 the older name of a proof of address is accepted and never requested', () => {
  assert.ok(maySubmit('BUSINESS', 'PROOF_OF_ADDRESS'))
  assert.ok(isOf('proofOfAddress', 'PROOF_OF_ADDRESS'))
  assert.ok(!typesOf('proofOfAddress').includes('PROOF_OF_ADDRESS'))
  assert.ok(!typesFor('BUSINESS').includes('PROOF_OF_ADDRESS'))
})

test('KYB-7 one trust agreement serves control and ownership', () => {
  assert.ok(isOf('controlStructure', 'TRUST_AGREEMENT'))
  assert.ok(isOf('ownershipStructure', 'TRUST_AGREEMENT'))
  assert.equal(typesFor('BUSINESS').filter((type) => type === 'TRUST_AGREEMENT').length, 1)
})

const ALTERNATIVES: readonly (readonly [DocumentType, readonly DocumentType[]])[] = [
  ['NATIONAL_ID', ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID']],
  ['PROOF_OF_ADDRESS', typesOf('proofOfAddress')],
  ['BUSINESS_LICENSE', ['BUSINESS_LICENSE']],
  ['SELFIE', ['SELFIE']],
]

for (const [type, expected] of ALTERNATIVES) {
  test(`VER-11 instead of ${type} serves ${expected.join(', ')}`, () => {
    assert.deepEqual(alternativesTo(type), expected)
  })
}
