import { Type, type TProperties } from '../../../infra/http/schema/type.ts'
import { BeneficialOwnerCreateSchema } from '../../beneficial-owners/index.ts'
import {
  AddressSchema,
  businessCoreFields,
  businessOptionalFields,
  individualFields,
  isObject,
  valueAt,
} from '../../customers/index.ts'
import type { HolderKind } from '../../documents/index.ts'

const { customerId: _immutable, ...ownerFields } = BeneficialOwnerCreateSchema.properties
const CONTACT = { email: Type.Unknown(), phoneNumber: Type.Unknown() }

/** The parts of each resource's request body that a verification reads. */
const FIELDS: Readonly<Record<HolderKind, TProperties>> = {
  INDIVIDUAL: { ...individualFields, ...CONTACT, identifier: Type.Unknown() },
  BUSINESS: {
    ...CONTACT,
    address: AddressSchema,
    businessInfo: Type.Object({ ...businessCoreFields, ...businessOptionalFields }),
  },
  OWNER: ownerFields,
}

/** Whether the platform can change the field at this dot path, as in the body of a request. */
export const isCorrectable = (kind: HolderKind, path: string): boolean =>
  isObject(valueAt(FIELDS[kind], path.replaceAll('.', '.properties.')))
