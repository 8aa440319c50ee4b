/** Customers and owners of businesses (PROV-100, PROV-101). */
import { mustParseId, parseId, type Id } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Order } from '../../../orders/index.ts'
import { findBeneficialOwner, mustFindOwner, partyOfOwner } from '../../beneficial-owners/index.ts'
import {
  findCustomer,
  lockAnyCustomer,
  partyOfCustomer,
  type Customer,
} from '../../customers/index.ts'
import { lockAccountsOfCustomer } from '../../internal-accounts/index.ts'
import { isFlagged, raiseFlag } from '../../verifications/index.ts'
import { restrictCustomer } from '../restrict-customer.ts'
import { CLEARED, type Members, type SubjectKind } from './subject.ts'

type Act = SubjectKind['act']

/** What a verdict about a customer, or an owner of it, does to the customer. */
const actOn = async (
  work: Work,
  customerId: Id<'customer'>,
  [order, { verdict }]: readonly [Parameters<Act>[1], Parameters<Act>[2]],
): Promise<void> => {
  const subject = order.subject ?? ''
  if (verdict !== 'CLEAR') {
    const found = { reason: `SCREENING_${verdict}`, level: verdict }
    return restrictCustomer(work, { customerId, subject, isAlert: false, ...found })
  }
  const isStopped = await isFlagged(work, { customerId, subject })
  if (isStopped) raiseFlag(work, { customerId, subject, ...CLEARED })
}

/** A verdict may freeze the accounts, which are locked before their customer, as a payment does. */
const lockWithAccounts = async (work: Work, customerId: Id<'customer'>): Promise<void> => {
  await lockAccountsOfCustomer(work, { customerId })
  await lockAnyCustomer(work, customerId)
}

const customerIdOf = ({ subject }: Order): Id<'customer'> => mustParseId('customer', subject ?? '')

export const customerSubject: SubjectKind = {
  covers: ({ subject }) => parseId('customer', subject ?? '') !== undefined,
  lock: (work, order) => lockWithAccounts(work, customerIdOf(order)),
  async describe(work, order) {
    const customer = await findCustomer(work, customerIdOf(order))
    invariant(customer, 'A customer that is screened is there.')
    const subjectType = customer.customerType === 'INDIVIDUAL' ? 'PERSON' : 'BUSINESS'
    return { subjectType, subject: order.subject, parties: [searchedParty(customer)] }
  },
  act: (work, order, finding) => actOn(work, customerIdOf(order), [order, finding]),
}

/** Beside what money orders say, what lists are searched for: nationality, and the country of a business. */
function searchedParty(customer: Customer): Members {
  const party = partyOfCustomer(customer)
  if (customer.customerType === 'INDIVIDUAL') {
    const { nationality } = customer.profile
    return { ...party, ...(nationality && { nationality }) }
  }
  const { country } = customer.profile.businessInfo
  return { ...party, address: customer.profile.address ?? { country } }
}

const ownerIdOf = ({ subject }: Order): Id<'beneficialOwner'> =>
  mustParseId('beneficialOwner', subject ?? '')

export const ownerSubject: SubjectKind = {
  covers: ({ subject }) => parseId('beneficialOwner', subject ?? '') !== undefined,
  async lock(work, order) {
    const owner = await findBeneficialOwner(work, ownerIdOf(order))
    if (owner) await lockWithAccounts(work, owner.customerId)
  },
  async describe(work, order) {
    const owner = await mustFindOwner(work, ownerIdOf(order))
    return { subjectType: 'PERSON', subject: order.subject, parties: [partyOfOwner(owner)] }
  },
  async act(work, order, finding) {
    const { customerId } = await mustFindOwner(work, ownerIdOf(order))
    await actOn(work, customerId, [order, finding])
  },
}
