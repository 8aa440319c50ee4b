import { fail } from '../../kernel/errors.ts'
import type { Channel, Customer } from '../customers/index.ts'

/** Fails: CONFLICT where the region does not require the channel, or it is verified already (CONT-3). */
export function mustBePending({ contact }: Customer, channel: Channel): void {
  const status = contact[channel]
  if (status === undefined) fail('CONFLICT', { reason: 'NOT_REQUIRED' })
  if (status === 'VERIFIED') fail('CONFLICT', { reason: 'ALREADY_VERIFIED' })
}

/** A submission requires verified channels (CONT-11). Fails: CONFLICT, naming the channels that are pending. */
export function mustHaveVerifiedContact({ contact }: Pick<Customer, 'contact'>): void {
  const channels = Object.entries(contact)
    .filter(([, status]) => status === 'PENDING')
    .map(([channel]) => channel)
  if (channels.length > 0) fail('CONFLICT', { reason: 'CONTACT_NOT_VERIFIED', channels })
}
