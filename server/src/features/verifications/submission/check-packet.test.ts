import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMonths, addMs } from '../../../kernel/clock.ts'
import { newId } from '../../../kernel/ids.ts'
import type { BeneficialOwner } from '../../beneficial-owners/index.ts'
import type { Customer, CustomerRecord } from '../../customers/index.ts'
import type { Document } from '../../documents/index.ts'
import { checkPacket } from './check-packet.ts'
import type { OwnerParty, Packet } from './packet.ts'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const ID = 'Customer:01994a5e-7c00-7000-8000-000000000001'
const ADDRESS = { line1: '1 Main St', postalCode: '94105', country: 'US' }

type Paper = Partial<Document> & { documentType: Document['documentType'] }

const paper = (given: Paper): Document =>
  ({
    id: newId('document'),
    country: 'US',
    documentNumber: 'X1',
    uploadedAt: NOW,
    ...given,
  }) as Document

const PERSON: CustomerRecord = {
  fullName: 'Maria Lopez',
  birthDate: '1990-02-03',
  nationality: 'US',
  idType: 'SSN',
  identifier: '111-22-3333',
  address: ADDRESS,
}

const BUSINESS_INFO = {
  legalName: 'Acme',
  country: 'US',
  taxId: '12-3456789',
  incorporatedOn: '2001-02-03',
  registrationNumber: '55',
  entityType: 'LLC',
  countriesOfOperation: ['US'],
}

type Case = Readonly<{
  record?: CustomerRecord
  customer?: Partial<Customer>
  papers?: readonly Paper[]
  owners?: readonly OwnerParty[]
}>

const packetOf = (
  customerType: string,
  { record = {}, customer = {}, papers = [], owners = [] }: Case,
) =>
  ({
    customer: { customerType, currencies: ['USD'], currenciesExplicit: false, ...customer },
    applicant: { id: ID, record, documents: papers.map(paper) },
    owners,
    now: NOW,
  }) as unknown as Packet

const errorsOf = (packet: Packet): string[] =>
  checkPacket(packet).map(({ type, field, acceptedDocumentTypes, resourceId, reason }) => {
    assert.ok(reason.length > 10)
    assert.equal(field !== undefined, type.endsWith('_FIELD'))
    assert.equal(acceptedDocumentTypes !== undefined, type.includes('DOCUMENT'))
    const whose = resourceId === ID ? '' : ` on ${resourceId.split(':')[0]}`
    return `${type}${field === undefined ? '' : ` ${field}`}${whose}`
  })

const PASSPORT: Paper = { documentType: 'PASSPORT' }
const FRONT: Paper = { documentType: 'DRIVERS_LICENSE', side: 'FRONT' }
const BACK: Paper = { documentType: 'DRIVERS_LICENSE', side: 'BACK' }
const without = (record: CustomerRecord, name: string): CustomerRecord =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
const at = (uploadedAt: Date, documentType: Paper['documentType'] = 'UTILITY_BILL'): Paper => ({
  documentType,
  uploadedAt,
})

const HALF = 'INCOMPLETE_DOCUMENT on Document'
const NO_IDENTITY = 'MISSING_IDENTITY_DOCUMENT'
const NO_ADDRESS = 'MISSING_PROOF_OF_ADDRESS_DOCUMENT'

/** Nationality, country of the address, and whether a US number is required. */
const US_NUMBERS: readonly (readonly [string | undefined, string | undefined, boolean])[] = [
  ['DE', 'DE', false],
  ['DE', 'US', true],
  ['US', 'DE', true],
  [undefined, 'DE', true],
  ['DE', undefined, true],
]

const PEOPLE: readonly (readonly [string, Case, readonly string[]])[] = [
  ['complete with a passport', { record: PERSON, papers: [PASSPORT] }, []],
  ['complete with both sides', { record: PERSON, papers: [FRONT, BACK] }, []],
  [
    'nothing at all',
    { papers: [] },
    [
      'MISSING_FIELD fullName',
      'MISSING_FIELD birthDate',
      'MISSING_FIELD nationality',
      'MISSING_FIELD idType',
      'MISSING_FIELD identifier',
      'MISSING_FIELD address',
      NO_IDENTITY,
    ],
  ],
  ...Object.keys(PERSON).map((name): readonly [string, Case, readonly string[]] => [
    `without ${name}`,
    { record: without(PERSON, name), papers: [PASSPORT] },
    [`MISSING_FIELD ${name}`],
  ]),
  ...US_NUMBERS.map(
    ([nationality, country, isAsked]): readonly [string, Case, readonly string[]] => {
      const address = country === undefined ? undefined : { ...ADDRESS, country }
      const { idType: _type, identifier: _number, ...person } = PERSON
      const given = { ...person, nationality, address }
      const record = Object.fromEntries(Object.entries(given).filter(([, value]) => value))
      return [
        `KYC-5 without a US number, nationality ${nationality}, living in ${country}`,
        { record, papers: [PASSPORT] },
        [
          ...(nationality === undefined ? ['MISSING_FIELD nationality'] : []),
          ...(isAsked ? ['MISSING_FIELD idType', 'MISSING_FIELD identifier'] : []),
          ...(country === undefined ? ['MISSING_FIELD address'] : []),
        ],
      ]
    },
  ),
  [
    'KYC-6 a name of one word',
    { record: { ...PERSON, fullName: 'Jane001' }, papers: [PASSPORT] },
    ['INVALID_FIELD fullName'],
  ],
  ['KYC-6 a name of two', { record: { ...PERSON, fullName: 'Jane 001' }, papers: [PASSPORT] }, []],
  ['18 today', { record: { ...PERSON, birthDate: '2008-11-15' }, papers: [PASSPORT] }, []],
  [
    '18 tomorrow',
    { record: { ...PERSON, birthDate: '2008-11-16' }, papers: [PASSPORT] },
    ['INVALID_FIELD birthDate'],
  ],
  ['one side', { record: PERSON, papers: [FRONT] }, [HALF]],
  ['the same side twice', { record: PERSON, papers: [FRONT, FRONT] }, [HALF, HALF]],
  [
    'two sides of two documents',
    { record: PERSON, papers: [FRONT, { ...BACK, documentNumber: 'X2' }] },
    [HALF, HALF],
  ],
  ['two countries', { record: PERSON, papers: [FRONT, { ...BACK, country: 'CA' }] }, [HALF, HALF]],
  [
    'two types',
    { record: PERSON, papers: [FRONT, { ...BACK, documentType: 'NATIONAL_ID' }] },
    [HALF, HALF],
  ],
  ['a half beside a passport', { record: PERSON, papers: [FRONT, PASSPORT] }, []],
  [
    'another paper is no identity',
    { record: PERSON, papers: [{ documentType: 'SELFIE' }] },
    [NO_IDENTITY],
  ],
  [
    'a region that wants the address proven',
    { record: PERSON, papers: [PASSPORT], customer: { region: 'IN' } },
    [NO_ADDRESS],
  ],
  [
    'a chosen currency that does',
    {
      record: PERSON,
      papers: [PASSPORT],
      customer: { currencies: ['USD', 'NGN'], currenciesExplicit: true },
    },
    [NO_ADDRESS],
  ],
  [
    'one that was not chosen',
    { record: PERSON, papers: [PASSPORT], customer: { currencies: ['USD', 'NGN'] } },
    [],
  ],
  ['proven', { record: PERSON, papers: [PASSPORT, at(NOW)], customer: { region: 'PH' } }, []],
]

for (const [what, given, expected] of PEOPLE) {
  test(`KYC-5 an individual, ${what}: ${expected.join(', ') || 'complete'}`, () => {
    assert.deepEqual(errorsOf(packetOf('INDIVIDUAL', given)), expected)
  })
}

type OwnerCase = Readonly<{
  info?: CustomerRecord
  owner?: Partial<BeneficialOwner>
  papers?: readonly Paper[]
}>

const OWNER_ID = 'BeneficialOwner:01994a5e-7c00-7000-8000-000000000002'
const US_PERSON = { birthDate: '1980-01-01', nationality: 'US', address: ADDRESS, idType: 'SSN' }
const FOREIGNER = {
  ...US_PERSON,
  nationality: 'BR',
  address: { ...ADDRESS, country: 'BR' },
  idType: 'NON_US_TAX_ID',
}

const ownerOf = ({ info = US_PERSON, owner = {}, papers = [] }: OwnerCase): OwnerParty =>
  ({
    id: OWNER_ID,
    record: { personalInfo: info },
    documents: papers.map(paper),
    owner: { roles: ['CONTROL_PERSON'], ownershipPercentage: 10, ...owner },
  }) as unknown as OwnerParty

const record = (info: object = {}): CustomerRecord => ({
  businessInfo: { ...BUSINESS_INFO, ...info },
  address: ADDRESS,
})

const PAPERS: readonly Paper[] = [
  { documentType: 'ARTICLES_OF_ASSOCIATION' },
  { documentType: 'STATE_COMPANY_REGISTRY' },
  { documentType: 'PARTNERSHIP_AGREEMENT' },
  { documentType: 'BANK_STATEMENT' },
]
const ALL = { record: record(), papers: PAPERS, owners: [ownerOf({})] }
const OLD = addMs(addMonths(NOW, -3), -1_000)

const BUSINESSES: readonly (readonly [string, Case, readonly string[]])[] = [
  ['complete', ALL, []],
  [
    'nothing at all',
    {},
    [
      'MISSING_FIELD businessInfo.legalName',
      'MISSING_FIELD businessInfo.country',
      'MISSING_FIELD businessInfo.taxId',
      'MISSING_FIELD businessInfo.incorporatedOn',
      'MISSING_FIELD businessInfo.registrationNumber',
      'MISSING_FIELD businessInfo.entityType',
      'MISSING_FIELD businessInfo.countriesOfOperation',
      'MISSING_FIELD address',
      'MISSING_LEGAL_PRESENCE_DOCUMENT',
      'MISSING_CONTROL_STRUCTURE_DOCUMENT',
      'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
      NO_ADDRESS,
      'MISSING_BENEFICIAL_OWNER',
      'MISSING_CONTROL_PERSON',
    ],
  ],
  [
    'no country of operation',
    { ...ALL, record: record({ countriesOfOperation: [] }) },
    ['MISSING_FIELD businessInfo.countriesOfOperation'],
  ],
  [
    'a trust agreement for both structures',
    { ...ALL, papers: [PAPERS[0], { documentType: 'TRUST_AGREEMENT' }, PAPERS[3]] as Paper[] },
    [],
  ],
  [
    'a sole proprietorship without structures',
    {
      ...ALL,
      record: record({ entityType: 'SOLE_PROPRIETORSHIP' }),
      papers: [PAPERS[0], PAPERS[3]] as Paper[],
    },
    [],
  ],
  [
    'a foreign business without a tax number, but with its papers',
    { ...ALL, record: record({ country: 'BR', taxId: undefined }) },
    [],
  ],
  [
    'a foreign business without either',
    { ...ALL, record: record({ country: 'BR', taxId: undefined }), papers: PAPERS.slice(1) },
    ['MISSING_FIELD businessInfo.taxId', 'MISSING_LEGAL_PRESENCE_DOCUMENT'],
  ],
  [
    'a US business without a tax number',
    { ...ALL, record: record({ taxId: undefined }) },
    ['MISSING_FIELD businessInfo.taxId'],
  ],
  [
    'KYB-6 owners without control',
    { ...ALL, owners: [ownerOf({ owner: { roles: ['UBO'] } })] },
    ['MISSING_CONTROL_PERSON'],
  ],
  [
    'KYB-8 a proof of three months',
    { ...ALL, papers: [...PAPERS.slice(0, 3), at(addMonths(NOW, -3))] },
    [],
  ],
  [
    'KYB-8 older proofs',
    { ...ALL, papers: [...PAPERS.slice(0, 3), at(OLD), at(OLD, 'TAX_RETURN')] },
    ['EXPIRED_DOCUMENT on Document', 'EXPIRED_DOCUMENT on Document'],
  ],
  [
    'an old proof beside a current one under its older name',
    { ...ALL, papers: [...PAPERS.slice(0, 3), at(OLD), at(NOW, 'PROOF_OF_ADDRESS')] },
    [],
  ],
]

for (const [what, given, expected] of BUSINESSES) {
  test(`KYB-3 a business, ${what}: ${expected.join(', ') || 'complete'}`, () => {
    assert.deepEqual(errorsOf(packetOf('BUSINESS', given)), expected)
  })
}

const ON_OWNER = 'on BeneficialOwner'
const FOREIGN_PAPERS = [PASSPORT, FRONT, BACK]
const SMALL = { roles: ['CONTROL_PERSON', 'UBO'], ownershipPercentage: 0 } as const

const OWNERS: readonly (readonly [string, OwnerCase, readonly string[]])[] = [
  ['a US person', {}, []],
  [
    'a minor',
    { info: { ...US_PERSON, birthDate: '2010-01-01' } },
    [`INVALID_FIELD personalInfo.birthDate ${ON_OWNER}`],
  ],
  [
    'a US person by nationality without a US number',
    { info: { ...FOREIGNER, nationality: 'US' } },
    [`INVALID_FIELD personalInfo.idType ${ON_OWNER}`],
  ],
  [
    'a US person by address without a US number',
    { info: { ...FOREIGNER, address: ADDRESS } },
    [`INVALID_FIELD personalInfo.idType ${ON_OWNER}`],
  ],
  ['a US person with an ITIN', { info: { ...US_PERSON, idType: 'ITIN' } }, []],
  [
    'a foreigner in control with all papers',
    { info: FOREIGNER, owner: SMALL, papers: FOREIGN_PAPERS },
    [],
  ],
  [
    'a foreigner in control without',
    { info: FOREIGNER },
    [`${NO_IDENTITY} ${ON_OWNER}`, `${NO_IDENTITY} ${ON_OWNER}`],
  ],
  [
    'a foreigner with a passport only',
    { info: FOREIGNER, papers: [PASSPORT] },
    [`${NO_IDENTITY} ${ON_OWNER}`],
  ],
  [
    'a foreigner with a passport and half a licence',
    { info: FOREIGNER, papers: [PASSPORT, FRONT] },
    [HALF],
  ],
]

for (const [what, given, expected] of OWNERS) {
  test(`KYB-3 an owner, ${what}: ${expected.join(', ') || 'complete'}`, () => {
    assert.deepEqual(errorsOf(packetOf('BUSINESS', { ...ALL, owners: [ownerOf(given)] })), expected)
  })
}

for (const [share, expected] of [
  [24, 0],
  [25, 2],
] as const) {
  test(`KYB-3 a foreigner with ${share} % and no control owes ${expected} papers`, () => {
    const minor = ownerOf({
      info: FOREIGNER,
      owner: { roles: ['UBO'], ownershipPercentage: share },
    })
    const packet = packetOf('BUSINESS', { ...ALL, owners: [ownerOf({}), minor] })
    assert.equal(errorsOf(packet).length, expected)
  })
}

test('KYB-7 a missing document names the customer and the accepted types, in their order', () => {
  const [legal] = checkPacket(packetOf('BUSINESS', { ...ALL, papers: PAPERS.slice(1) }))
  assert.equal(legal?.resourceId, ID)
  assert.deepEqual(legal.acceptedDocumentTypes, [
    'CERTIFICATE_OF_INCORPORATION',
    'ARTICLES_OF_INCORPORATION',
    'ARTICLES_OF_ASSOCIATION',
    'STATE_REGISTRY_EXCERPT',
  ])
})
