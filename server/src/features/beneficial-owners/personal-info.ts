import type { Keyring } from '../../crypto/seal.ts'
import { isObject, pickAddress, valueAt, type CustomerRecord } from '../customers/index.ts'
import type { BeneficialOwner, PersonalInfo } from './beneficial-owner.ts'
import { openIdentifier } from './identifier.ts'
import { BeneficialOwnerCreateSchema } from './schema.ts'

const FIELDS = Object.keys(BeneficialOwnerCreateSchema.properties.personalInfo.properties)

/**
 * From a valid request what is kept: fields that nobody knows are left behind, and so is the number, which is sealed.
 * That a US number was issued in the US goes without saying, and must not be in the way of another number later.
 */
export function personalInfoOf(given: CustomerRecord): PersonalInfo {
  const known = FIELDS.filter((name) => name !== 'identifier' && Object.hasOwn(given, name))
  const info = Object.fromEntries(known.map((name) => [name, given[name]]))
  if (info['idType'] !== 'NON_US_TAX_ID') delete info['countryOfIssuance']
  return { ...info, address: pickAddress(given['address']) } as PersonalInfo
}

/** A stored owner in the shape of a request, its number opened. */
export function ownerToRecord(keyring: Keyring, owner: BeneficialOwner): CustomerRecord {
  const { id, roles, ownershipPercentage, personalInfo } = owner
  const identifier = openIdentifier(keyring, id, owner.identifier)
  return { roles, ownershipPercentage, personalInfo: { ...personalInfo, identifier } }
}

/**
 * What is named changes, null clears, `personalInfo` merges field by field (BO-8). The issuer of a foreign number does
 * not outlive it; one that is named is judged with the rest (BO-5). Bears any request.
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
