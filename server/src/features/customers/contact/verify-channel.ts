import type { Work } from '../../../infra/work/work.ts'
import { advance } from '../../../kernel/machine.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { contactChannel, type Channel } from './machine.ts'
import type { Customer } from '../customer.ts'
import { saveChannelStatus } from '../records/store.ts'

/**
 * Marks a contact channel of a locked customer as verified; the caller has checked the code.
 * Fails: CONFLICT where it is verified already.
 */
export function verifyChannel(work: Work, customer: Customer, channel: Channel): Customer {
  const status = customer.contact[channel]
  invariant(status, 'only a channel that the region requires is verified')
  const verified: Customer = {
    ...customer,
    contact: { ...customer.contact, [channel]: advance(contactChannel, status, 'confirm') },
    updatedAt: work.now,
  }
  saveChannelStatus(work.tx, work.platform.id, { customer: verified, channel })
  return verified
}
