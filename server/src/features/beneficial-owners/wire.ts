import type { Keyring } from '../../crypto/seal.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { maskGovernmentNumber } from '../../kernel/text/government-number.ts'
import { formatId } from '../../kernel/ids.ts'
import type { ShownBeneficialOwner } from '../customers/index.ts'
import type { BeneficialOwner } from './beneficial-owner.ts'
import { openIdentifier } from './identifier.ts'

/** The owner in answers of its own operations. */
export function ownerToWire(keyring: Keyring, owner: BeneficialOwner): ShownBeneficialOwner {
  const { id, customerId, roles, ownershipPercentage, personalInfo, status } = owner
  return {
    id: formatId('beneficialOwner', id),
    customerId: formatId('customer', customerId),
    roles: [...roles],
    ownershipPercentage,
    personalInfo: {
      ...personalInfo,
      // US numbers do not need an issuer (BO-5).
      ...(personalInfo.idType !== 'NON_US_TAX_ID' && { countryOfIssuance: 'US' }),
      identifier: openIdentifier(keyring, id, owner.identifier),
    },
    kycStatus: status,
    createdAt: toWireTime(owner.createdAt),
    updatedAt: toWireTime(owner.updatedAt),
  }
}

/** The owner inside its business, in answers and events (BO-10). */
export function ownerInCustomer(keyring: Keyring, owner: BeneficialOwner): ShownBeneficialOwner {
  const shown = ownerToWire(keyring, owner)
  const identifier = maskGovernmentNumber(shown.personalInfo.identifier)
  return { ...shown, personalInfo: { ...shown.personalInfo, identifier } }
}
