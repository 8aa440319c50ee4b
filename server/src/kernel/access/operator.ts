/** The callers of operator commands and their roles. */
import type { Id } from '../ids.ts'
import type { OperatorActor } from './actor.ts'

/** Each but DEVELOPER includes VIEWER; none includes another. A DEVELOPER works for the platforms it is limited to. */
export const ROLES = ['VIEWER', 'REVIEWER', 'TREASURER', 'ADMIN', 'DEVELOPER'] as const
export type Role = (typeof ROLES)[number]

/** For commands that every operator may run: on themselves, or on data that their platforms see anyway. */
export const ANY_ROLE: readonly Role[] = ['VIEWER', 'DEVELOPER']

/** A person or program that runs the operator's commands, with its rights at this moment. */
export type Caller = Readonly<{
  /** Absent for a caller on the machine itself, who has no operator record. */
  operatorId?: Id<'operator'>
  name: string
  /** The actor in audit entries (OPER-9). */
  actor: OperatorActor
  roles: readonly Role[]
  /** The platforms it is limited to; absent for all. */
  platforms?: readonly Id<'platform'>[]
  /** The token that authenticated the caller. */
  tokenId?: Id<'operatorToken'>
  /** A program, which never approves proposals. */
  isMachine: boolean
  /** The commands a token is narrowed to, as `settlements.confirm`. */
  commands?: readonly string[]
  /** When a person last proved who they are. */
  signedInAt?: Date
}>
