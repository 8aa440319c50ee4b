import { isPast } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Policy } from '../policy/policy.ts'
import type { Usage } from '../policy/usage.ts'

/** Without an end is only one that was given out before tokens had one. */
export type AgentToken = Readonly<{ expiresAt: Date | null }>

/** A program that acts for one customer, within a policy. */
export type Agent = Readonly<{
  id: Id<'agent'>
  customerId: Id<'customer'>
  name: string
  isPaused: boolean
  /** Null: it has no access token. */
  token: AgentToken | null
  policy: Policy
  /** As it was last booked; what it is now says usageAt. */
  usage: Usage
  createdAt: Date
  updatedAt: Date
}>

/** AGENT-16: connected is an agent whose token was given out and has not ended. */
export const isConnectedAt = ({ token }: Pick<Agent, 'token'>, now: Date): boolean =>
  token !== null && (token.expiresAt === null || !isPast({ deadline: token.expiresAt, now }))
