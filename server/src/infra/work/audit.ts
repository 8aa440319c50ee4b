import { describeActor, type Actor } from '../../kernel/access/actor.ts'
import type { Reply } from '../http/reply.ts'
import type { Work } from './work.ts'

type AuditEntry = Readonly<{
  action: string
  resource?: string | undefined
  note?: string | undefined
}>

/** Adds an audit entry, which is never changed: actor, action, resource, time and request (CORE-92). */
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
  /** Given where the answer has no `id` of the resource. */
  resource: string | undefined
  note: string | undefined
}>

const customerIdOf = (query: unknown): unknown =>
  (query as { customerId?: unknown } | undefined)?.customerId

/**
 * Adds the entry of an API call that succeeded. The resource is that of the answer, else (after a deletion) the last one
 * in the path, else the customer in the query.
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
