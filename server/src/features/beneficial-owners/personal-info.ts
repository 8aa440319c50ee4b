import type { Keyring } from '../../crypto/seal.ts'
import { isObject, pickAddress, valueAt, type CustomerRecord } from '../customers/index.ts'
import type { BeneficialOwner, PersonalInfo } from './beneficial-owner.ts'
import { openIdentifier } from './identifier.ts'
import { BeneficialOwnerCreateSchema } from './schema.ts'

const FIELDS = Object.keys(BeneficialOwnerCreateSchema.properties.personalInfo.properties)

/**
 * The stored fields of a valid request, without unknown fields and the number, which is sealed. The issuer of a US
 * number is dropped, since it is implied and would contradict a foreign number later.
 */
export function personalInfoOf(given: CustomerRecord): PersonalInfo {
  const known = FIELDS.filter((name) => name !== 'identifier' && Object.hasOwn(given, name))
  const info = Object.fromEntries(known.map((name) => [name, given[name]]))
  if (info['idType'] !== 'NON_US_TAX_ID') delete info['countryOfIssuance']
  return { ...info, address: pickAddress(given['address']) } as PersonalInfo
}

/** A stored owner in the shape of a request, with its number opened. */
export function ownerToRecord(keyring: Keyring, owner: BeneficialOwner): CustomerRecord {
  const { id, roles, ownershipPercentage, personalInfo } = owner
  const identifier = openIdentifier(keyring, id, owner.identifier)
  return { roles, ownershipPercentage, personalInfo: { ...personalInfo, identifier } }
}

/**
 * Named fields change, null clears, `personalInfo` merges field by field (BO-8). The issuer of a foreign number ends
 * with the number, unless the request names it (BO-5). Accepts unvalidated input.
 */
export function mergeOwner(record: CustomerRecord, change: CustomerRecord): CustomerRecord {
  const [before, named] = [record['personalInfo'], change['personalInfo']]
  const merged: CustomerRecord = {
    ...(isObject(before) ? before : {}),
    ...(isObject(named) ? named : {}),
  }
  const isIssuerKept =
    merged['idType'] === 'NON_US_TAX_ID' || valueAt(named, 'countryOfIssuance') !== undefined
  const kept = Object.entries(merged)
    .filter(([, value]) => value !== undefined && value !== null)
    .filter(([name]) => name !== 'countryOfIssuance' || isIssuerKept)
  return { ...record, ...change, personalInfo: Object.fromEntries(kept) }
}

/** An owner as orders name it; never with a government identifier. */
export function partyOfOwner({
  personalInfo,
}: Pick<BeneficialOwner, 'personalInfo'>): CustomerRecord {
  const { firstName, middleName, lastName, birthDate, nationality, address } = personalInfo
  const name = [firstName, middleName, lastName].filter(Boolean).join(' ')
  return { type: 'INDIVIDUAL', name, birthDate, nationality, address }
}
