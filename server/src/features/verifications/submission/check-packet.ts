/** Finds all errors of a packet, in the order of chapter 11, section 5. Pure. */
import { toWireDate } from '../../../kernel/clock.ts'
import { isMajor } from '../../beneficial-owners/index.ts'
import { textAt, valueAt, type Customer, type CustomerRecord } from '../../customers/index.ts'
import { typesOf } from '../../documents/index.ts'
import { hasPaper, needIdentity, needPaper, needProofOfAddress } from './check-papers.ts'
import { entryOf, type OwnerParty, type Packet, type Party } from './packet.ts'
import type { ErrorEntry } from '../verification.ts'

const ADULT_YEARS = 18

export const checkPacket = (packet: Packet): ErrorEntry[] =>
  packet.customer.customerType === 'INDIVIDUAL' ? checkPerson(packet) : checkBusiness(packet)

const US_FIELDS = ['idType', 'identifier']
const INDIVIDUAL_FIELDS = ['fullName', 'birthDate', 'nationality', ...US_FIELDS, 'address']

function checkPerson({ customer, applicant, now }: Packet): ErrorEntry[] {
  const isForeign = isForeignPerson(applicant.record)
  const fields = INDIVIDUAL_FIELDS.filter((field) => !isForeign || !US_FIELDS.includes(field))
  return [
    ...needFields(applicant, fields),
    ...needTwoNames(applicant),
    ...needAdult(applicant, 'birthDate', now),
    ...needIdentity(applicant, typesOf('identity')),
    ...(needsAddressProven(customer) ? needProofOfAddress(applicant, now) : []),
  ]
}

/** True only if nationality and country of address are known and neither is the US (KYC-5). */
export function isForeignPerson(record: CustomerRecord): boolean {
  const countries = [textAt(record, 'nationality'), textAt(record, 'address.country')]
  return countries.every((country) => country !== undefined && country !== 'US')
}

const BUSINESS_FIELDS = [
  ...['legalName', 'country', 'taxId', 'incorporatedOn'],
  ...['registrationNumber', 'entityType', 'countriesOfOperation'],
].map((name) => `businessInfo.${name}`)

function checkBusiness({ applicant, owners, now }: Packet): ErrorEntry[] {
  const isSoleProprietorship =
    textAt(applicant.record, 'businessInfo.entityType') === 'SOLE_PROPRIETORSHIP'
  const fields = [...BUSINESS_FIELDS, 'address'].filter(
    (field) => field !== 'businessInfo.taxId' || !hasPaperForTaxId(applicant),
  )
  return [
    ...needFields(applicant, fields),
    ...needPaper(applicant, 'legalPresence'),
    ...(isSoleProprietorship ? [] : needPaper(applicant, 'controlStructure')),
    ...(isSoleProprietorship ? [] : needPaper(applicant, 'ownershipStructure')),
    ...needProofOfAddress(applicant, now),
    ...needPersons(applicant, owners),
    ...owners.flatMap((owner) => checkOwner(owner, now)),
  ]
}

/** A business outside the US may show a legal-presence document instead of a tax id. */
function hasPaperForTaxId(applicant: Party): boolean {
  const country = textAt(applicant.record, 'businessInfo.country')
  return country !== undefined && country !== 'US' && hasPaper(applicant, 'legalPresence')
}

/** Finds the errors of one owner; foreigners who control or own a quarter need two documents (chapter 11, 5.3). */
export function checkOwner(party: OwnerParty, now: Date): ErrorEntry[] {
  return [
    ...needAdult(party, 'personalInfo.birthDate', now),
    ...(isUsPerson(party) ? needUsNumber(party) : needForeignPapers(party)),
  ]
}

const isUsPerson = ({ record }: Party): boolean =>
  textAt(record, 'personalInfo.nationality') === 'US' ||
  textAt(record, 'personalInfo.address.country') === 'US'

function needUsNumber({ id, record }: Party): ErrorEntry[] {
  const field = 'personalInfo.idType'
  if (['SSN', 'ITIN'].includes(textAt(record, field) ?? '')) return []
  const reason = 'A US person is identified by an SSN or ITIN.'
  return [entryOf({ resourceId: id, type: 'INVALID_FIELD', field, reason })]
}

function needForeignPapers(party: OwnerParty): ErrorEntry[] {
  if (!isMajor(party.owner)) return []
  return [
    ...needIdentity(party, ['PASSPORT']),
    ...needIdentity(party, ['DRIVERS_LICENSE', 'NATIONAL_ID']),
  ]
}

/** Without any owner both entries apply (KYB-6). */
function needPersons({ id: resourceId }: Party, owners: readonly OwnerParty[]): ErrorEntry[] {
  const isControlled = owners.some(({ owner }) => owner.roles.includes('CONTROL_PERSON'))
  return [
    ...(owners.length > 0 ? [] : [entryOf({ resourceId, type: 'MISSING_BENEFICIAL_OWNER' })]),
    ...(isControlled ? [] : [entryOf({ resourceId, type: 'MISSING_CONTROL_PERSON' })]),
  ]
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0)

const needFields = ({ id, record }: Party, fields: readonly string[]): ErrorEntry[] =>
  fields
    .filter((field) => isEmpty(valueAt(record, field)))
    .map((field) => entryOf({ resourceId: id, type: 'MISSING_FIELD', field }))

/** A one-word name is accepted at creation and refused here, at submission (KYC-6). */
function needTwoNames({ id, record }: Party): ErrorEntry[] {
  const field = 'fullName'
  const words = (textAt(record, field) ?? '').split(/\s+/).filter((word) => word !== '')
  if (words.length !== 1) return []
  const reason = 'The full name has at least two words.'
  return [entryOf({ resourceId: id, type: 'INVALID_FIELD', field, reason })]
}

function needAdult({ id, record }: Party, field: string, now: Date): ErrorEntry[] {
  const birthDate = textAt(record, field)
  if (birthDate === undefined || isAdult(birthDate, now)) return []
  const reason = `The person has to be ${ADULT_YEARS} years old.`
  return [entryOf({ resourceId: id, type: 'INVALID_FIELD', field, reason })]
}

/** Dates compare as text, so a person born on 29 February comes of age on 1 March. */
function isAdult(birthDate: string, now: Date): boolean {
  const year = String(parseInt(birthDate.slice(0, 4), 10) + ADULT_YEARS)
  return `${year}${birthDate.slice(4)}` <= toWireDate(now)
}

const PROVEN_REGIONS = ['IN', 'NG', 'PH']
const PROVEN_CURRENCIES = ['INR', 'NGN', 'PHP']

/** Default currencies say nothing about the customer's residence, so only explicit ones count. */
const needsAddressProven = ({ region = '', currencies, currenciesExplicit }: Customer): boolean =>
  PROVEN_REGIONS.includes(region) ||
  (currenciesExplicit && currencies.some((code) => PROVEN_CURRENCIES.includes(code)))
