/** The actor of a unit of work, which each of its audit entries names (CORE-92). */
import { unreachable } from '../invariant.ts'
import type { Id } from '../ids.ts'
import type { Permission } from './permissions.ts'

export type TokenActor = Readonly<{
  kind: 'token'
  tokenId: Id<'token'>
  permissions: readonly Permission[]
}>
/** A program that acts for one customer. */
export type AgentActor = Readonly<{
  kind: 'agent'
  agentId: Id<'agent'>
  customerId: Id<'customer'>
}>
/** A person, unless `by` says that a token, a user of the machine or the service itself acts (OPER-9). */
export type OperatorActor = Readonly<{
  kind: 'operator'
  by?: 'operator-token' | 'local' | 'system'
  name: string
  /** With four eyes: the operator who proposed the command that this one approves. */
  proposedBy?: string
}>
/** A hosted page that acts for its subject: a customer, a card, an invitation. */
export type PageActor = Readonly<{ kind: 'page'; name: string; subjectId: string }>
/** A provider that reports, by its registered name. */
export type ProviderActor = Readonly<{ kind: 'provider'; name: string }>
export type SystemActor = Readonly<{ kind: 'system'; name: string }>

export type Actor =
  | TokenActor
  | AgentActor
  | OperatorActor
  | PageActor
  | ProviderActor
  | SystemActor

/** One text for logs and audit entries. */
export function describeActor(actor: Actor): string {
  switch (actor.kind) {
    case 'token':
      return `Token:${actor.tokenId}`
    case 'agent':
      return `Agent:${actor.agentId}`
    case 'operator':
      return `${actor.by ?? 'operator'}:${actor.name}`
    case 'page':
      return `page:${actor.name}:${actor.subjectId}`
    case 'provider':
      return `provider:${actor.name}`
    case 'system':
      return `system:${actor.name}`
    default:
      return unreachable(actor)
  }
}
