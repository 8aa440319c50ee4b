import { fail } from '../../../kernel/errors.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work.ts'
import {
  isScaRegion,
  lockCustomer,
  mustFindCustomer,
  type Customer,
} from '../../customers/index.ts'
import { phoneNumbersOf, type Factors } from '../factors/factor.ts'
import type { SecurityState } from './security-state.ts'
import { findRecord, type ScaRecord } from './store.ts'

/** A customer, as far as it matters to whoever asks, with all that strong authentication knows of it. */
export type ScaCustomer<C extends Pick<Customer, 'id'> = Pick<Customer, 'id'>> = Readonly<{
  customer: C
  factors: Factors
  security: SecurityState
  /** The latest messages, oldest first. */
  smsSentAt: readonly Date[]
}>

type Reading = Pick<Work, 'tx' | 'platform'>

function toScaCustomer(customer: Customer, record: ScaRecord): ScaCustomer<Customer> {
  const { totp, passkey, security, smsSentAt } = record
  return {
    customer,
    factors: { ...phoneNumbersOf(customer, record), totp, passkey },
    security,
    smsSentAt,
  }
}

/** SCA-1. Fails: CONFLICT where the customer's region does not ask for strong authentication. */
export function mustNeedSca({ region }: Pick<Customer, 'region'>): void {
  if (!isScaRegion(region)) fail('CONFLICT', { reason: 'SCA_NOT_REQUIRED' })
}

/** For reading. Fails: USER_NOT_FOUND, CONFLICT. */
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
 * The same, the customer's row locked: whatever is counted or used up is so one by one (SCA-24). Whether the customer
 * needs strong authentication at all is left to whoever has something else to look for first (SCA-2).
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

/** Fails: USER_NOT_FOUND, CONFLICT. */
export async function lockScaCustomer(
  work: Reading,
  id: Id<'customer'>,
): Promise<ScaCustomer<Customer>> {
  const sca = await lockAnyCustomer(work, id)
  mustNeedSca(sca.customer)
  return sca
}
