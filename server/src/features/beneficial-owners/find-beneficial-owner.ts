import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import { findOwner, listOwnersOf } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

export const findBeneficialOwner = (
  { tx, platform }: Reading,
  id: Id<'beneficialOwner'>,
): Promise<BeneficialOwner | undefined> => findOwner(tx, platform.id, id)

/** An owner of the platform's businesses. Fails: REFERENCE_NOT_FOUND. */
export const mustFindOwner = async (
  reading: Reading,
  id: Id<'beneficialOwner'>,
): Promise<BeneficialOwner> =>
  (await findBeneficialOwner(reading, id)) ?? failNotFound('beneficialOwner')

/** All owners of a business, oldest first; an individual has none. */
export const ownersOf = (
  { tx, platform }: Reading,
  customerId: Id<'customer'>,
): Promise<BeneficialOwner[]> => listOwnersOf(tx, platform.id, customerId)
