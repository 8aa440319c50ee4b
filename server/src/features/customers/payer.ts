import { failNotFound, type Id } from '../../kernel/ids.ts'
import type { Platform } from '../../kernel/platform.ts'
import type { Customer } from './customer.ts'
import { mustBeReady } from './must-be-ready.ts'

/** A customer on whose behalf money leaves, as far as the gates look at it. */
export type Payer = Readonly<{
  id: Id<'customer'>
  platformCustomerId: string
  status: Customer['status']
  consent: Customer['consent']
  isDeleted: boolean
}>

/** What a statement that joins customers selects of one; all null where there is none. */
export type PayerColumns = Readonly<{
  customerId: Id<'customer'> | null
  platformCustomerId: string | null
  customerStatus: Customer['status'] | null
  customerConsent: Customer['consent'] | null
  isCustomerDeleted: boolean | null
}>

export function payerOf(row: PayerColumns): Payer | null {
  const { customerId: id, platformCustomerId, customerStatus: status } = row
  if (id === null || platformCustomerId === null || status === null) return null
  const consent = row.customerConsent ?? undefined
  return { id, platformCustomerId, status, consent, isDeleted: row.isCustomerDeleted ?? false }
}

/**
 * The gates of CUST-34 for whoever pays: it is there, verified, and has accepted the terms where the service asks for
 * that. Fails: USER_NOT_FOUND, USER_NOT_READY, END_USER_TERMS_NOT_ACCEPTED.
 */
export function mustBeAbleToPay(platform: Platform, payer: Payer): void {
  if (payer.isDeleted) failNotFound('customer')
  mustBeReady({ platform }, payer)
}
