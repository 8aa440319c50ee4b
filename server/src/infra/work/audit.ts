import { describeActor, type Actor } from '../../kernel/access/actor.ts'
import type { Reply } from '../http/reply.ts'
import type { Work } from './work.ts'

type AuditEntry = Readonly<{
  action: string
  resource?: string | undefined
  note?: string | undefined
}>

/** Every write leaves an entry that never changes: who, what, which resource, when, in which request (CORE-92). */
export function audit(
  work: Pick<Work, 'platform' | 'now' | 'actor' | 'requestId' | 'clientRequestId' | 'outbox'>,
  { action, resource, note }: AuditEntry,
): void {
  const { platform, now, actor, requestId, clientRequestId, outbox } = work
  outbox.audit.push({
    platformId: platform.id,
    at: now,
    actor: describeActor(actor),
    action,
    resource,
    note: withProposer(actor, note),
    requestId,
    clientRequestId,
  })
}

/** With four eyes both operators are named (OPER-9). */
function withProposer(actor: Actor, note: string | undefined): string | undefined {
  if (actor.kind !== 'operator' || actor.proposedBy === undefined) return note
  return [...(note === undefined ? [] : [note]), `proposedBy ${actor.proposedBy}`].join('; ')
}

type ApiWrite = Readonly<{
  action: string
  reply: Reply
  request: Readonly<{ params: unknown; query: unknown }>
  /** Where the answer does not show it as its own id. */
  resource: string | undefined
  note: string | undefined
}>

const customerIdOf = (query: unknown): unknown =>
  (query as { customerId?: unknown } | undefined)?.customerId

/**
 * The entry of an API write: only what took effect is a write. The resource is the one answered or, where the answer
 * shows none (a deletion), the one the path ends in, or the customer that the query names.
 */
export function auditWrite(work: Work, write: ApiWrite): void {
  const { action, reply, request, note } = write
  if (reply.status >= 400) return
  const answered = (reply.body as { id?: unknown } | undefined)?.id
  const { params, query } = request
  const resource =
    write.resource ?? answered ?? Object.values(params ?? {}).at(-1) ?? customerIdOf(query)
  audit(work, { action, resource: typeof resource === 'string' ? resource : undefined, note })
}
