import { failNotFound, mustParseId, parseId } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { mustFindOwner } from '../beneficial-owners/index.ts'
import { findCustomer, lockCustomer, type Customer } from '../customers/index.ts'
import type { Holder } from './document.ts'
import type { HolderKind } from './document-types.ts'

type Reading = Pick<Work, 'tx' | 'platform'>

/** The schema has checked the form of the id. */
export function parseHolder(text: string): Holder {
  const customerId = parseId('customer', text)
  return customerId
    ? { kind: 'customer', id: customerId }
    : { kind: 'beneficialOwner', id: mustParseId('beneficialOwner', text) }
}

/** Fails unless the holder exists, deleted or not (DOC-2). Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND. */
export async function mustFindHolder(work: Reading, holder: Holder): Promise<void> {
  if (holder.kind === 'beneficialOwner') await mustFindOwner(work, holder.id)
  else if (!(await findCustomer(work, holder.id))) failNotFound('customer')
}

export type LockedHolder = Readonly<{ customer: Customer; kind: HolderKind }>

/**
 * Locks the customer of a holder, so that a concurrent submission sees the documents before or after the change.
 * Fails: USER_NOT_FOUND, REFERENCE_NOT_FOUND.
 */
export async function lockHolder(work: Reading, holder: Holder): Promise<LockedHolder> {
  if (holder.kind === 'customer') {
    const customer = await lockCustomer(work, holder.id)
    return { customer, kind: customer.customerType }
  }
  const { customerId } = await mustFindOwner(work, holder.id)
  return { customer: await lockCustomer(work, customerId), kind: 'OWNER' }
}
