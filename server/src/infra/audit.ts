import { describeActor } from '../kernel/actor.ts'
import type { Reply } from './http/reply.ts'
import type { Work } from './work.ts'

/** CORE-92: every write leaves an entry that is never changed: who, what, which resource, when, in which request. */
export function audit(
  work: Pick<Work, 'platform' | 'now' | 'actor' | 'requestId' | 'outbox'>,
  { action, resource }: { action: string; resource?: string | undefined },
): void {
  const { platform, now, actor, requestId, outbox } = work
  outbox.audit.push({
    platformId: platform.id,
    at: now,
    actor: describeActor(actor),
    action,
    resource,
    requestId,
  })
}

/**
 * The entry of an API write: only what took effect is a write. The resource is the one answered or, where the answer
 * shows none (a deletion), the one the path ends in.
 */
export function auditWrite(
  work: Work,
  { action, reply, params }: { action: string; reply: Reply; params?: unknown },
): void {
  if (reply.status >= 400) return
  const answered = (reply.body as { id?: unknown } | undefined)?.id
  const resource = answered ?? Object.values(params ?? {}).at(-1)
  audit(work, { action, resource: typeof resource === 'string' ? resource : undefined })
}
