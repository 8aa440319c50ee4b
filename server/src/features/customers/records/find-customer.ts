import { failNotFound, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../customer.ts'
import { findCustomerRow, lockCustomerRow } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/** A customer of the platform, deleted or not; undefined where there is none, or its data is erased (OPER-75). */
export const findCustomer = (
  { tx, platform }: Reading,
  id: Id<'customer'>,
): Promise<Customer | undefined> => findCustomerRow(tx, platform.id, { id })

/** As findCustomer, also without its data: for money that comes back to an account of its own. */
export const findOwner = (
  { tx, platform }: Reading,
  id: Id<'customer'>,
): Promise<Customer | undefined> => findCustomerRow(tx, platform.id, { id, isErasedToo: true })

/** As findCustomer, with the row locked until the transaction ends. */
export const lockAnyCustomer = (
  { tx, platform }: Reading,
  id: Id<'customer'>,
): Promise<Customer | undefined> => lockCustomerRow(tx, platform.id, id)

/**
 * The customer that a list is narrowed to, if any: an unknown one is a mistake, a deleted one stays readable (CORE-4).
 * Fails: USER_NOT_FOUND.
 */
export function mustKnowCustomer(work: Reading, named: string): Promise<Id<'customer'>>
export function mustKnowCustomer(
  work: Reading,
  named: string | undefined,
): Promise<Id<'customer'> | undefined>
export async function mustKnowCustomer(
  work: Reading,
  named: string | undefined,
): Promise<Id<'customer'> | undefined> {
  if (named === undefined) return undefined
  const id = mustParseId('customer', named)
  return (await findCustomer(work, id)) ? id : failNotFound('customer')
}

const mustBeActive = (customer: Customer | undefined): Customer =>
  customer && !customer.isDeleted ? customer : failNotFound('customer')

/** Writes find active customers only (CUST-64). Fails: USER_NOT_FOUND. */
export const mustFindCustomer = async (work: Reading, id: Id<'customer'>): Promise<Customer> =>
  mustBeActive(await findCustomer(work, id))

/** As mustFindCustomer, with the row locked until the transaction ends. Fails: USER_NOT_FOUND. */
export const lockCustomer = async (
  { tx, platform }: Reading,
  id: Id<'customer'>,
): Promise<Customer> => mustBeActive(await lockCustomerRow(tx, platform.id, id))

/**
 * Refuses new use of an account, internal or external, of a deleted customer (CUST-64, CUST-69). The account's locked
 * row says whether its owner is deleted. Fails: USER_NOT_FOUND.
 */
export function mustHaveLiveOwner({ isOwnerDeleted }: Readonly<{ isOwnerDeleted: boolean }>): void {
  if (isOwnerDeleted) failNotFound('customer')
}
