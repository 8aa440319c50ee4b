/** Who works for the service's operator, and what for. */
import type { Id } from '../ids.ts'
import type { OperatorActor } from './actor.ts'

/** Each but DEVELOPER includes VIEWER; none includes another. A DEVELOPER works for the platforms it is limited to. */
export const ROLES = ['VIEWER', 'REVIEWER', 'TREASURER', 'ADMIN', 'DEVELOPER'] as const
export type Role = (typeof ROLES)[number]

/** For what every operator may do, for themselves or for what their platforms see anyway. */
export const ANY_ROLE: readonly Role[] = ['VIEWER', 'DEVELOPER']

/** A person or program that runs the operator's commands, with what it may do at this moment. */
export type Caller = Readonly<{
  /** Absent where there is no record: on the machine itself. */
  operatorId?: Id<'operator'>
  name: string
  /** How audit entries call it (OPER-9). */
  actor: OperatorActor
  roles: readonly Role[]
  /** The platforms it is limited to; absent for all. */
  platforms?: readonly Id<'platform'>[]
  /** The token it came by. */
  tokenId?: Id<'operatorToken'>
  /** A program: it never approves what another proposed. */
  isMachine: boolean
  /** The commands a token is narrowed to, as `settlements.confirm`. */
  commands?: readonly string[]
  /** When a person last proved who they are. */
  signedInAt?: Date
}>
