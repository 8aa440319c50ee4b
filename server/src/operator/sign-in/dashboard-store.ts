import type { Role } from '../../kernel/access/operator.ts'
import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { OperatorStatus } from '../operators/operator.ts'

/** Who may use the dashboard. Secrets are looked up by their digests: what is compared tells nothing about them. */

/** Invitations and recoveries work where links are turned off (OPER-30). */
export type LinkPurpose = 'SIGN_IN' | 'INVITATION' | 'RECOVERY'

type Link = Readonly<{
  digest: Buffer
  name: string
  operatorId: Id<'operator'> | null
  purpose: LinkPurpose
  expiresAt: Date
}>

export async function insertLink(tx: Tx, link: Link): Promise<void> {
  await tx.run(
    sql`insert into dashboard_links (digest, name, operator_id, purpose, expires_at)
        values (${link.digest}, ${link.name}, ${link.operatorId}, ${link.purpose}, ${link.expiresAt})`,
  )
}

type Lookup = Readonly<{ digest: Buffer; now: Date }>

export type LinkRow = Readonly<{
  name: string
  operatorId: Id<'operator'> | null
  purpose: LinkPurpose
}>

export const findLink = (tx: Tx, { digest, now }: Lookup): Promise<LinkRow | undefined> =>
  tx.maybe<LinkRow>(
    sql`select coalesce(o.name, l.name) as name, l.operator_id, l.purpose
        from dashboard_links l left join operators o on o.id = l.operator_id
        where l.digest = ${digest} and l.expires_at > ${now}`,
  )

/** Of two that use one link at once, one is told that it was there. */
export async function removeLink(tx: Tx, { digest, now }: Lookup): Promise<boolean> {
  const removed = await tx.run(
    sql`delete from dashboard_links where digest = ${digest} and expires_at > ${now}`,
  )
  return removed === 1
}

type NewSession = Readonly<{
  digest: Buffer
  name: string
  operatorId: Id<'operator'> | null
  signedInAt: Date
  seenAt: Date
  expiresAt: Date
}>

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { digest, name, operatorId, signedInAt, seenAt, expiresAt } = session
  await tx.run(
    sql`insert into dashboard_sessions (digest, name, operator_id, signed_in_at, seen_at, expires_at)
        values (${digest}, ${name}, ${operatorId}, ${signedInAt}, ${seenAt}, ${expiresAt})`,
  )
}

export type SessionRow = Readonly<{
  digest: Buffer
  name: string
  signedInAt: Date
  seenAt: Date
  notice: string | null
  operatorId: Id<'operator'> | null
  status: OperatorStatus | null
  roles: readonly Role[] | null
  platforms: readonly Id<'platform'>[] | null
}>

type SessionsLookup = Readonly<{ digests: readonly Buffer[]; now: Date; seenAfter: Date }>

/** With the operators' records as they are now: what was changed about them holds from the next request on. */
export const listSessionRows = (
  tx: Tx,
  { digests, now, seenAfter }: SessionsLookup,
): Promise<SessionRow[]> =>
  tx.many<SessionRow>(
    sql`select s.digest, coalesce(o.name, s.name) as name, coalesce(s.signed_in_at, s.expires_at - interval '12 hours') as signed_in_at,
          s.seen_at, s.notice, s.operator_id, o.status, o.roles, o.platforms
        from dashboard_sessions s left join operators o on o.id = s.operator_id
        where s.digest = any(${digests}::bytea[]) and s.expires_at > ${now} and s.seen_at > ${seenAfter}`,
  )

export async function touchSession(tx: Tx, { digest, now }: Lookup): Promise<void> {
  await tx.run(sql`update dashboard_sessions set seen_at = ${now} where digest = ${digest}`)
}

export async function setNotice(
  tx: Tx,
  { digest, notice }: Readonly<{ digest: Buffer; notice: string | null }>,
): Promise<void> {
  await tx.run(sql`update dashboard_sessions set notice = ${notice} where digest = ${digest}`)
}

export async function removeSession(tx: Tx, digest: Buffer): Promise<void> {
  await tx.run(sql`delete from dashboard_sessions where digest = ${digest}`)
}

export async function removeAllAccess(
  tx: Tx,
): Promise<Readonly<{ sessions: number; links: number }>> {
  return {
    sessions: await tx.run(sql`delete from dashboard_sessions`),
    links: await tx.run(sql`delete from dashboard_links`),
  }
}

/** What has expired is of no use to anybody. */
export async function pruneAccess(
  tx: Tx,
  { now, seenBefore }: Readonly<{ now: Date; seenBefore: Date }>,
): Promise<void> {
  await tx.run(sql`delete from dashboard_links where expires_at <= ${now}`)
  await tx.run(
    sql`delete from dashboard_sessions where expires_at <= ${now} or seen_at <= ${seenBefore}`,
  )
}
