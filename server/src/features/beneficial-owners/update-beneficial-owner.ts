import { isDeepStrictEqual } from 'node:util'
import { mustHaveNoErrors, type FieldError } from '../../kernel/errors.ts'
import { failNotFound, parseId, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { Work } from '../../infra/work/work.ts'
import { isObject, lockCustomer, setBeneficialOwners, textAt } from '../customers/index.ts'
import { announceChange } from './announce-change.ts'
import type { BeneficialOwner, Role } from './beneficial-owner.ts'
import { checkOwner } from './check-owner.ts'
import { afterChange, isOtherIdentity } from './coverage.ts'
import { openIdentifier, sealIdentifier } from './identifier.ts'
import { mergeOwner, ownerToRecord, personalInfoOf } from './personal-info.ts'
import { checkStakes, stakeOf } from './rules.ts'
import type { BeneficialOwnerUpdateBody } from './schema.ts'
import { findOwner, listOwnersOf, saveOwner } from './store.ts'
import { ownerInCustomer } from './wire.ts'

/**
 * Changes the fields that the request names (BO-8), checked after merging. The status of the business stays (VER-10); a
 * material change resets the owner's (KYB-10).
 * Fails: REFERENCE_NOT_FOUND, USER_NOT_FOUND where the business is deleted, INVALID_INPUT.
 */
export async function updateBeneficialOwner(
  work: Work,
  id: Id<'beneficialOwner'>,
  request: BeneficialOwnerUpdateBody,
): Promise<BeneficialOwner> {
  const { tx, platform, keyring } = work
  const found = (await findOwner(tx, platform.id, id)) ?? failNotFound('beneficialOwner')
  const business = await lockCustomer(work, found.customerId)
  invariant(business.customerType === 'BUSINESS', 'only a business has owners')
  const all = await listOwnersOf(tx, platform.id, business.id)
  const before = all.find((owner) => owner.id === id) ?? failNotFound('beneficialOwner')
  const after = changedOwner(work, before, request)
  const record = mergeOwner(ownerToRecord(keyring, before), request)
  const errors = [...checkOwner(record, work.now), ...checkStakes(after, all)]
  mustHaveNoErrors(errors)
  if (isDeepStrictEqual(before, after)) return before
  const saved = { ...afterChange(before, after), updatedAt: work.now }
  await saveOwner(tx, platform.id, saved)
  const shown = all.map((owner) => ownerInCustomer(keyring, owner.id === id ? saved : owner))
  setBeneficialOwners(work, business, shown)
  await announceChange(work, saved)
  if (isOtherIdentity(before, saved)) {
    await work.react('beneficialOwners.identityChanged', { ownerId: id, isNew: false })
  }
  return saved
}

function changedOwner(
  { keyring }: Work,
  before: BeneficialOwner,
  request: BeneficialOwnerUpdateBody,
): BeneficialOwner {
  const record = mergeOwner(ownerToRecord(keyring, before), request)
  const info = record['personalInfo']
  const identifier = textAt(record, 'personalInfo.identifier') ?? ''
  // Sealing is not deterministic, so an unchanged number keeps its sealed bytes.
  const isSame = identifier === openIdentifier(keyring, before.id, before.identifier)
  return {
    ...before,
    roles: record['roles'] as Role[],
    ownershipPercentage: record['ownershipPercentage'] as number,
    personalInfo: personalInfoOf(isObject(info) ? info : {}),
    identifier: isSame ? before.identifier : sealIdentifier(keyring, before.id, identifier),
  }
}

/** Completes a refusal for wrong fields with the findings that need stored data (CORE-30). */
export async function checkOwnerChange(
  { tx, platform, now, keyring }: Pick<Work, 'tx' | 'platform' | 'now' | 'keyring'>,
  ownerId: string,
  request: unknown,
): Promise<FieldError[]> {
  const id = parseId('beneficialOwner', ownerId)
  const owner = id && (await findOwner(tx, platform.id, id))
  if (!owner || !isObject(request)) return []
  const record = mergeOwner(ownerToRecord(keyring, owner), request)
  const all = await listOwnersOf(tx, platform.id, owner.customerId)
  return [...checkOwner(record, now), ...checkStakes(stakeOf(owner.id, record), all)]
}
