import type { Id } from '../../kernel/ids.ts'
import type { Policy } from './policy.ts'
import type { Usage } from './usage.ts'

/** A program that acts for one customer, within a policy. */
export type Agent = Readonly<{
  id: Id<'agent'>
  customerId: Id<'customer'>
  name: string
  isPaused: boolean
  isConnected: boolean
  policy: Policy
  /** As it was last booked; what it is now says usageAt. */
  usage: Usage
  createdAt: Date
  updatedAt: Date
}>
