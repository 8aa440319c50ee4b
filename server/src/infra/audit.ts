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

/** The entry of an API write: only what took effect is a write. */
export function auditWrite(work: Work, { action, reply }: { action: string; reply: Reply }): void {
  if (reply.status >= 400) return
  const id = (reply.body as { id?: unknown } | undefined)?.id
  audit(work, { action, resource: typeof id === 'string' ? id : undefined })
}
