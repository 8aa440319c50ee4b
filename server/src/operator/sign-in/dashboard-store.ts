import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

/** Who may use the dashboard. Secrets are looked up by their digests: what is compared tells nothing about them. */

type Link = Readonly<{ digest: Buffer; name: string; expiresAt: Date }>

export async function insertLink(tx: Tx, { digest, name, expiresAt }: Link): Promise<void> {
  await tx.run(
    sql`insert into dashboard_links (digest, name, expires_at) values (${digest}, ${name}, ${expiresAt})`,
  )
}

type Lookup = Readonly<{ digest: Buffer; now: Date }>

export const findLinkName = (
  tx: Tx,
  { digest, now }: Lookup,
): Promise<{ name: string } | undefined> =>
  tx.maybe(sql`select name from dashboard_links where digest = ${digest} and expires_at > ${now}`)

/** Of two that use one link at once, one is told that it was there. */
export async function removeLink(tx: Tx, { digest, now }: Lookup): Promise<boolean> {
  const removed = await tx.run(
    sql`delete from dashboard_links where digest = ${digest} and expires_at > ${now}`,
  )
  return removed === 1
}

export async function insertSession(
  tx: Tx,
  session: Link & Readonly<{ seenAt: Date }>,
): Promise<void> {
  await tx.run(
    sql`insert into dashboard_sessions (digest, name, seen_at, expires_at)
        values (${session.digest}, ${session.name}, ${session.seenAt}, ${session.expiresAt})`,
  )
}

export type SessionRow = Readonly<{ name: string; seenAt: Date; notice: string | null }>

export const findSessionRow = (
  tx: Tx,
  { digest, now, seenAfter }: Lookup & Readonly<{ seenAfter: Date }>,
): Promise<SessionRow | undefined> =>
  tx.maybe<SessionRow>(
    sql`select name, seen_at, notice from dashboard_sessions
        where digest = ${digest} and expires_at > ${now} and seen_at > ${seenAfter}`,
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
