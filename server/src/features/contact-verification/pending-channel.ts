import { fail } from '../../kernel/errors.ts'
import type { Channel, Customer } from '../customers/index.ts'

/** CONT-3. Fails: CONFLICT where the region does not ask for the channel, or it is verified already. */
export function mustBePending({ contact }: Customer, channel: Channel): void {
  const status = contact[channel]
  if (status === undefined) fail('CONFLICT', { reason: 'NOT_REQUIRED' })
  if (status === 'VERIFIED') fail('CONFLICT', { reason: 'ALREADY_VERIFIED' })
}

/** CONT-11: nothing is submitted for verification before. Fails: CONFLICT, naming the channels that are pending. */
export function mustHaveVerifiedContact({ contact }: Pick<Customer, 'contact'>): void {
  const channels = Object.entries(contact)
    .filter(([, status]) => status === 'PENDING')
    .map(([channel]) => channel)
  if (channels.length > 0) fail('CONFLICT', { reason: 'CONTACT_NOT_VERIFIED', channels })
}
