export {
  BeneficialOwnerIdTypeSchema,
  BeneficialOwnerRoleSchema,
  BeneficialOwnerSchema,
  type ShownBeneficialOwner,
} from './profile/beneficial-owner-schema.ts'
export { checkOneContact } from './profile/check-change.ts'
export { dateFrom, US_NUMBERS } from './profile/check-customer.ts'
export { checkStoredChange } from './profile/check-stored-customer.ts'
export type { Channel } from './contact/machine.ts'
export {
  columnsBesideContact,
  CUSTOMER_NAME,
  nameCustomers,
  nameIn,
  openContact,
  SEALED_CONTACT,
  searchedTexts,
  type Contact,
  type SealedName,
} from './records/contact-store.ts'
export { deleteCustomer } from './records/delete-customer.ts'
export { createCustomers, type CustomerDraft } from './records/create-customers.ts'
export { displayName, type BusinessCustomer, type Customer } from './customer.ts'
export {
  isObject,
  pickAddress,
  textAt,
  toRecord,
  valueAt,
  type CustomerRecord,
} from './profile/record.ts'
export { findCustomerByUma, lockCustomerByUma } from './uma/find-customer-by-uma.ts'
export {
  findCustomer,
  findOwner,
  lockAnyCustomer,
  lockCustomer,
  mustFindCustomer,
  mustHaveLiveOwner,
  mustKnowCustomer,
} from './records/find-customer.ts'
export { followPlatformCurrencies } from './currencies/follow-platform-currencies.ts'
export { partyOfCustomer } from './profile/party.ts'
export { indexIdentifier } from './profile/identifier.ts'
export { jobs } from './jobs.ts'
export {
  customerStatus,
  type StatusEvent,
  CUSTOMER_STATUSES,
  CUSTOMER_TYPES,
  type CustomerStatus,
  type CustomerType,
} from './status/machine.ts'
export {
  mustHaveNoMissingFields,
  infoFieldsOf,
  isGovernmentNumber,
} from './currencies/mandatory-fields.ts'
export { moveStatus } from './status/move-status.ts'
export { listCustomersOfAll, listErasableCustomers, type OwnedCustomer } from './list/store.ts'
export { ACCOUNT_PAYER_COLUMNS, listPayers, type NamedPayer } from './payer/store.ts'
export { mustBeAbleToPay, type Payer, type PayerColumns } from './payer/payer.ts'
export { splitPayer } from './payer/sealed-payer.ts'
export {
  AddressSchema,
  ENTITY_TYPES,
  businessCoreFields,
  businessOptionalFields,
  individualFields,
  optionalAll,
} from './profile/schema.ts'
export { isScaRegion, SCA_REGIONS } from './profile/regions.ts'
export { lacksProviderData, mustHaveProviderData } from './payer/provider-data.ts'
export { replacePhoneNumber } from './contact/replace-phone-number.ts'
export { routes } from './routes.ts'
export { MAGIC_NAMES, verificationMode } from './status/rules.ts'
export { CustomerSchema, CustomerUpdateSchema, type CustomerUpdateBody } from './schema.ts'
export { updateCustomer } from './records/update-customer.ts'
export { setBeneficialOwners } from './records/set-beneficial-owners.ts'
export { findTerms, insertTerms, listTermsVersions, type TermsVersion } from './terms/store.ts'
export { verifyChannel } from './contact/verify-channel.ts'
export { customerToWire, maskedCustomerToWire } from './wire.ts'
