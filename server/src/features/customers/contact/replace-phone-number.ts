import { advance } from '../../../kernel/machine.ts'
import type { Work } from '../../../infra/work/work.ts'
import { contactChannel } from './machine.ts'
import type { Customer } from '../customer.ts'
import { savePhoneNumber } from '../records/store.ts'

/**
 * Replaces the phone number of a locked customer by one that the caller has verified; so is its channel, where the
 * region requires one (SCA-35). Refuses nothing.
 */
export async function replacePhoneNumber(
  work: Work,
  customer: Customer,
  phoneNumber: string,
): Promise<void> {
  const { phone } = customer.contact
  const verified =
    phone && advance(contactChannel, advance(contactChannel, phone, 'changeValue'), 'confirm')
  const contact = { ...customer.contact, ...(verified && { phone: verified }) }
  const changed = { ...customer, phoneNumber, contact, updatedAt: work.now }
  savePhoneNumber(work.tx, work.platform.id, changed)
  await work.react('customers.contactChanged', { customerId: customer.id, channel: 'phone' })
  if (customer.phoneNumber === undefined) {
    await work.react('customers.fieldsFilled', { customerId: customer.id })
  }
}
