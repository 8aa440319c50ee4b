export {
  BeneficialOwnerIdTypeSchema,
  BeneficialOwnerRoleSchema,
  BeneficialOwnerSchema,
  type ShownBeneficialOwner,
} from './beneficial-owner-schema.ts'
export { checkOneContact } from './check-change.ts'
export { dateFrom } from './check-customer.ts'
export { checkStoredChange } from './check-stored-customer.ts'
export type { Channel } from './contact-channel.ts'
export { createCustomers, type CustomerDraft } from './create-customers.ts'
export { displayName, type BusinessCustomer, type Customer } from './customer.ts'
export {
  isObject,
  pickAddress,
  textAt,
  toRecord,
  valueAt,
  type CustomerRecord,
} from './customer-record.ts'
export { findCustomerByUma, lockCustomerByUma } from './find-customer-by-uma.ts'
export {
  findCustomer,
  lockAnyCustomer,
  lockCustomer,
  mustFindCustomer,
  mustHaveLiveOwner,
} from './find-customer.ts'
export { followPlatformCurrencies } from './follow-platform-currencies.ts'
export { indexIdentifier } from './identifier.ts'
export { jobs } from './jobs.ts'
export { customerStatus, type StatusEvent } from './machine.ts'
export { failIfMissing, infoFieldsOf, isGovernmentNumber } from './mandatory-fields.ts'
export { moveStatus } from './move-status.ts'
export { listCustomersOfAll, type OwnedCustomer } from './list-store.ts'
export { ACCOUNT_PAYER_COLUMNS, listPayers, type NamedPayer } from './payer-store.ts'
export { mustBeAbleToPay, splitPayer, type Payer, type PayerColumns } from './payer.ts'
export { AddressSchema, optionalAll } from './profile-schema.ts'
export { isScaRegion, SCA_REGIONS } from './regions.ts'
export { lacksProviderData, mustHaveProviderData } from './provider-data.ts'
export { replacePhoneNumber } from './replace-phone-number.ts'
export { routes } from './routes.ts'
export { verificationMode } from './rules.ts'
export { CustomerSchema, CustomerUpdateSchema, type CustomerUpdateBody } from './schema.ts'
export { updateCustomer } from './update-customer.ts'
export { setBeneficialOwners } from './set-beneficial-owners.ts'
export {
  CUSTOMER_STATUSES,
  CUSTOMER_TYPES,
  type CustomerStatus,
  type CustomerType,
} from './status.ts'
export { findTerms, insertTerms, listTermsVersions, type TermsVersion } from './terms-store.ts'
export { verifyChannel } from './verify-channel.ts'
export { customerToWire, maskedCustomerToWire } from './wire.ts'
