import type { Work } from '../../../infra/work/work.ts'
import type { Customer } from '../customer.ts'
import { findCustomerByUmaRow, lockCustomerByUmaRow } from './store.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/** The active customer that has this address now, given in lower case; a former address finds none. Refuses nothing. */
export const findCustomerByUma = (
  { tx, platform }: Reading,
  umaAddress: string,
): Promise<Customer | undefined> => findCustomerByUmaRow(tx, platform.id, umaAddress)

/** As findCustomerByUma, with the row locked until the transaction ends. */
export const lockCustomerByUma = (
  { tx, platform }: Reading,
  umaAddress: string,
): Promise<Customer | undefined> => lockCustomerByUmaRow(tx, platform.id, umaAddress)
