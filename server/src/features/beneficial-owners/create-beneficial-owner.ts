import { failFields, mustHaveNoErrors, type FieldError } from '../../kernel/errors.ts'
import { mustParseId, newId, parseId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import {
  findCustomer,
  isObject,
  lockCustomer,
  setBeneficialOwners,
  textAt,
  type BusinessCustomer,
} from '../customers/index.ts'
import { announceChange } from './announce-change.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import { coverageOfNew } from './coverage.ts'
import { sealIdentifier } from './identifier.ts'
import { personalInfoOf } from './personal-info.ts'
import { checkStakes, initialOwnerStatus, stakeOf } from './rules.ts'
import type { BeneficialOwnerCreateBody } from './schema.ts'
import { insertOwner, listOwnersOf } from './store.ts'
import { ownerInCustomer } from './wire.ts'

/**
 * Registers a person who owns or controls a business. The business is locked, so that the limits on all owners hold
 * under racing writes (BO-6, BO-7). A caller passes an id to recognise a repeated request.
 * Fails: USER_NOT_FOUND, INVALID_INPUT.
 */
export async function createBeneficialOwner(
  work: Work,
  request: BeneficialOwnerCreateBody,
  id = newId('beneficialOwner'),
): Promise<BeneficialOwner> {
  const { tx, platform } = work
  const business = await lockBusiness(work, request.customerId)
  const others = await listOwnersOf(tx, platform.id, business.id)
  const owner = newOwner(work, { business, others }, { id, ...request })
  const errors = checkStakes(owner, others)
  mustHaveNoErrors(errors)
  await insertOwner(tx, platform.id, owner)
  const shown = [...others, owner].map((one) => ownerInCustomer(work.keyring, one))
  setBeneficialOwners(work, business, shown)
  await announceChange(work, owner)
  await work.react('beneficialOwners.identityChanged', { ownerId: owner.id, isNew: true })
  return owner
}

async function lockBusiness(work: Work, customerId: string): Promise<BusinessCustomer> {
  const customer = await lockCustomer(work, mustParseId('customer', customerId))
  return customer.customerType === 'BUSINESS' ? customer : failFields([NO_BUSINESS])
}

const NO_BUSINESS: FieldError = {
  field: 'customerId',
  message: 'must be a customer of type BUSINESS',
}

/** Completes a refusal for wrong fields with the findings that need stored data (CORE-30). */
export async function checkOwnerCreation(
  reading: Pick<Work, 'tx' | 'platform'>,
  request: unknown,
): Promise<FieldError[]> {
  const customerId = parseId('customer', textAt(request, 'customerId') ?? '')
  const customer = customerId && (await findCustomer(reading, customerId))
  if (!customer || customer.isDeleted || !isObject(request)) return []
  if (customer.customerType !== 'BUSINESS') return [NO_BUSINESS]
  const others = await listOwnersOf(reading.tx, reading.platform.id, customer.id)
  return checkStakes(stakeOf(newId('beneficialOwner'), request), others)
}

type OwnersOfBusiness = Readonly<{ business: BusinessCustomer; others: readonly BeneficialOwner[] }>

function newOwner(
  work: Work,
  { business, others }: OwnersOfBusiness,
  request: Pick<BeneficialOwner, 'id'> & BeneficialOwnerCreateBody,
): BeneficialOwner {
  const { keyring, now } = work
  const { id, roles, ownershipPercentage, personalInfo: given } = request
  const personalInfo = personalInfoOf(given)
  const coverage = coverageOfNew({ roles, ownershipPercentage }, others)
  return {
    id,
    customerId: business.id,
    roles,
    ownershipPercentage,
    personalInfo,
    identifier: sealIdentifier(keyring, id, given.identifier),
    status: initialOwnerStatus(work, { personalInfo, coverage }, business.status),
    coverage,
    createdAt: now,
    updatedAt: now,
  }
}
