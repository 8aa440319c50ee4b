import { isPast } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Policy } from '../policy/policy.ts'
import type { Usage } from '../policy/usage.ts'

/** Tokens issued before tokens had an expiry never expire. */
export type AgentToken = Readonly<{ expiresAt: Date | null }>

/** A program that acts for one customer, within a policy. */
export type Agent = Readonly<{
  id: Id<'agent'>
  customerId: Id<'customer'>
  name: string
  isPaused: boolean
  /** Null if the agent has no access token. */
  token: AgentToken | null
  policy: Policy
  /** As last stored; `usageAt` gives the usage at an instant. */
  usage: Usage
  createdAt: Date
  updatedAt: Date
}>

/** An agent with an unexpired token is connected (AGENT-16). */
export const isConnectedAt = ({ token }: Pick<Agent, 'token'>, now: Date): boolean =>
  token !== null && (token.expiresAt === null || !isPast({ deadline: token.expiresAt, now }))
