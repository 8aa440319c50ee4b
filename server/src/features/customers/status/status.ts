export const CUSTOMER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const
export type CustomerType = (typeof CUSTOMER_TYPES)[number]

/** `kycStatus` of an individual, `kybStatus` of a business. */
export const CUSTOMER_STATUSES = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'] as const
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number]
