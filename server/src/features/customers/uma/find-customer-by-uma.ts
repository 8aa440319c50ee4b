import type { Work } from '../../../infra/work.ts'
import type { Customer } from '../customer.ts'
import { findCustomerByUmaRow, lockCustomerByUmaRow } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/**
 * The active customer whose address this is now, in lower case; one that a customer has given up leads nowhere. Refuses
 * nothing.
 */
export const findCustomerByUma = (
  { tx, platform }: Reading,
  umaAddress: string,
): Promise<Customer | undefined> => findCustomerByUmaRow(tx, platform.id, umaAddress)

/** The same, its row locked until the transaction ends. */
export const lockCustomerByUma = (
  { tx, platform }: Reading,
  umaAddress: string,
): Promise<Customer | undefined> => lockCustomerByUmaRow(tx, platform.id, umaAddress)
