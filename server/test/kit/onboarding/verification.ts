/** Customers with everything, or everything but something, that a verification asks for. */
import assert from 'node:assert/strict'
import type { Verification } from '../../../../sdk/src/index.ts'
import { expectStatus, items, type HasId, type Shown } from '../api.ts'
import { createOwner, type OwnerOverrides } from './beneficial-owners.ts'
import { ADDRESS, BUSINESS, createCustomer, listEvents, readCustomer } from '../customers.ts'
import { pdf } from './document-files.ts'
import { uploadDocument } from './documents.ts'
import type { TestPlatform } from '../florin.ts'

/** An individual's data, complete; no papers. */
export const PERSON_DATA = {
  fullName: 'Maria Lopez',
  birthDate: '1990-02-03',
  nationality: 'US',
  idType: 'SSN',
  identifier: '111-22-3333',
  address: ADDRESS,
} as const

/** A business's data, complete; no papers and no owners. */
export const businessData = (registrationNumber = '5523041', info: object = {}) => ({
  ...BUSINESS,
  address: ADDRESS,
  businessInfo: {
    ...BUSINESS.businessInfo,
    registrationNumber,
    entityType: 'LLC',
    countriesOfOperation: ['US'],
    ...info,
  },
})

export const BUSINESS_PAPERS = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'UTILITY_BILL',
] as const

/** Uploads a paper as a PDF, which is quicker than looking at a photo. */
export const uploadPaper = (
  platform: TestPlatform,
  holder: HasId,
  fields: Readonly<Record<string, unknown>> = {},
) => uploadDocument(platform, { documentHolder: holder.id, ...fields }, pdf())

/** An individual that lacks nothing, with a passport. */
export async function completePerson(platform: TestPlatform, data: object = {}) {
  const customer = await createCustomer(platform, { ...PERSON_DATA, ...data })
  await uploadPaper(platform, customer)
  return customer
}

export const CONTROLLING: OwnerOverrides = {
  roles: ['UBO', 'CONTROL_PERSON'],
  ownershipPercentage: 60,
}

/** A business that lacks nothing, with one owner who controls it. */
export async function completeBusiness(
  platform: TestPlatform,
  registrationNumber?: string,
  info?: object,
) {
  const customer = await createCustomer(platform, businessData(registrationNumber, info))
  for (const documentType of BUSINESS_PAPERS)
    await uploadPaper(platform, customer, { documentType })
  await createOwner(platform, customer.id, CONTROLLING)
  return customer
}

export const submit = ({ api }: TestPlatform, { id }: HasId) =>
  api.post('/verifications', { customerId: id })

export const submitted = async (platform: TestPlatform, customer: HasId) =>
  expectStatus(await submit(platform, customer), 200)

/** `TYPE field` or `TYPE` of each error, in their order. */
export const errorsOf = (verification: Pick<Shown<Verification>, 'errors'>): string[] =>
  verification.errors.map(({ type, field }) => (field === undefined ? type : `${type} ${field}`))

/** What the platform was told about verifications and customers, oldest first. */
export async function eventTypes(platform: TestPlatform): Promise<string[]> {
  const events = await listEvents(platform)
  return events
    .map(({ type }) => type)
    .filter((type) => /^(VERIFICATION|CUSTOMER)\./.test(type))
    .toReversed()
}

/** The latest verification of a customer. */
export async function currentVerification({ api }: TestPlatform, { id }: HasId) {
  const answer = await api.get('/verifications', { query: { customerId: id } })
  const [latest] = expectStatus(answer, 200).data
  assert.ok(latest, 'there is a verification')
  return latest
}

/** The status of each owner, in the order of their creation. */
export async function ownerStatuses(platform: TestPlatform, business: HasId): Promise<unknown[]> {
  const { beneficialOwners } = await readCustomer(platform, business)
  return items(beneficialOwners).map(({ kycStatus }) => kycStatus)
}
