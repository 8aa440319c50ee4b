import { fail } from '../../../kernel/errors.ts'
import { failNotFound, type Id } from '../../../kernel/ids.ts'
import type { Platform } from '../../../kernel/platform.ts'
import type { Customer } from '../customer.ts'
import { verificationMode } from '../status/rules.ts'
import type { CustomerType } from '../status/machine.ts'

/** A customer on whose behalf money leaves, with the fields that the gates check. */
export type Payer = Readonly<{
  id: Id<'customer'>
  platformCustomerId: string
  status: Customer['status']
  consent: Customer['consent']
  isDeleted: boolean
  customerType: CustomerType
  /** Paths of required fields that are missing; empty for an account whose currency requires none (CUST-66). */
  missingFields: readonly string[]
}>

/** The columns that a statement selects of a joined customer; all null without one. */
export type PayerColumns = Readonly<{
  customerId: Id<'customer'> | null
  platformCustomerId: string | null
  customerStatus: Customer['status'] | null
  customerConsent: Customer['consent'] | null
  isCustomerDeleted: boolean | null
  customerType: CustomerType | null
  missingFields: readonly string[] | null
  /** Where it is sealed, columns made of contact data say nothing (OPER-78). */
  sealedContact: Buffer | null
}>

export function payerOf(row: PayerColumns): Payer | null {
  const { customerId: id, platformCustomerId, customerStatus: status, customerType } = row
  if (id === null || platformCustomerId === null || status === null || customerType === null)
    return null
  return {
    id,
    platformCustomerId,
    status,
    consent: row.customerConsent ?? undefined,
    isDeleted: row.isCustomerDeleted ?? false,
    customerType,
    missingFields: row.missingFields ?? [],
  }
}

/**
 * A payer is not deleted, is verified, and has accepted the terms where the service requires them (CUST-34).
 * Fails: USER_NOT_FOUND, USER_NOT_READY, END_USER_TERMS_NOT_ACCEPTED.
 */
export function mustBeAbleToPay(
  platform: Platform,
  { isDeleted, status, consent }: Pick<Payer, 'isDeleted' | 'status' | 'consent'>,
): void {
  if (isDeleted) failNotFound('customer')
  if (status !== 'APPROVED') fail('USER_NOT_READY', { status })
  if (verificationMode(platform) === 'FULL' && !consent) fail('END_USER_TERMS_NOT_ACCEPTED')
}
