import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  isScaRegion,
  lockCustomer,
  mustFindCustomer,
  type Customer,
} from '../../customers/index.ts'
import { availableFactors, phoneNumbersOf, type Factors } from '../factors/factor.ts'
import { isFresh, type SecurityState } from './security-state.ts'
import { findRecord, type ScaRecord } from './store.ts'

/** A customer with its factors and security state; `C` has the fields of the customer that the caller needs. */
export type ScaCustomer<C extends Pick<Customer, 'id'> = Pick<Customer, 'id'>> = Readonly<{
  customer: C
  factors: Factors
  security: SecurityState
  /** When the latest messages were sent, oldest first. */
  smsSentAt: readonly Date[]
}>

type Reading = Pick<Work, 'tx' | 'platform'>

export function toScaCustomer<C extends Pick<Customer, 'id' | 'phoneNumber' | 'contact'>>(
  customer: C,
  record: ScaRecord,
): ScaCustomer<C> {
  const { totp, passkey, security, smsSentAt } = record
  return {
    customer,
    factors: { ...phoneNumbersOf(customer, record), totp, passkey },
    security,
    smsSentAt,
  }
}

/** Fails: CONFLICT if the customer's region needs no strong authentication (SCA-1). */
export function mustNeedSca({ region }: Pick<Customer, 'region'>): void {
  if (!isScaRegion(region)) fail('CONFLICT', { reason: 'SCA_NOT_REQUIRED' })
}

/** Reads a customer without a lock. Fails: USER_NOT_FOUND, CONFLICT. */
export async function mustFindScaCustomer(
  work: Reading,
  id: Id<'customer'>,
): Promise<ScaCustomer<Customer>> {
  const [customer, record] = await Promise.all([
    mustFindCustomer(work, id),
    findRecord(work.tx, work.platform.id, id),
  ])
  mustNeedSca(customer)
  return toScaCustomer(customer, record)
}

/**
 * Locks the customer's row, so that proofs are counted and used up one by one (SCA-24). Callers that look for another
 * resource first check afterwards whether the customer needs strong authentication (SCA-2).
 * Fails: USER_NOT_FOUND.
 */
export async function lockAnyCustomer(
  work: Reading,
  id: Id<'customer'>,
): Promise<ScaCustomer<Customer>> {
  const [customer, record] = await Promise.all([
    lockCustomer(work, id),
    findRecord(work.tx, work.platform.id, id),
  ])
  return toScaCustomer(customer, record)
}

/** Locks a customer that needs strong authentication. Fails: USER_NOT_FOUND, CONFLICT. */
export async function lockScaCustomer(
  work: Reading,
  id: Id<'customer'>,
): Promise<ScaCustomer<Customer>> {
  const sca = await lockAnyCustomer(work, id)
  mustNeedSca(sca.customer)
  return sca
}

/**
 * A customer that has a factor changes its factors only after a login of the last ten minutes; the platform's token alone
 * does not suffice (SCA-57). Fails: SCA_SESSION_REQUIRED.
 */
export function mustHaveFreshLogin({ factors, security }: ScaCustomer, now: Date): void {
  if (availableFactors(factors).length === 0 || isFresh(security, now)) return
  fail('SCA_SESSION_REQUIRED', { reason: 'FRESH_LOGIN_REQUIRED' })
}
