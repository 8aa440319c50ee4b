import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Order } from '../../orders/index.ts'

export const VERDICTS = ['CLEAR', 'REVIEW', 'BLOCK'] as const
export type Verdict = (typeof VERDICTS)[number]

export type Match = Readonly<{
  list: string
  entryId: string
  name: string
  score: number
  subject: 'PAYER' | 'PAYEE' | 'SUBJECT'
  url?: string
}>

/** What a verdict is acted on by. */
export type Finding = Readonly<{ verdict: Verdict; matches: readonly Match[] }>

/** What a provider found about a subject, for its file (PROV-107). */
export type Screening = Readonly<{
  orderId: Id<'order'>
  subject: string
  providerId: Id<'provider'>
  verdict: Verdict
  listVersion: string
  matches: readonly Match[]
  decidedAt: Date
}>

const PURPOSE = 'screening-matches'

type Reading = Readonly<{ tx: Tx; keyring: Keyring }>

/** A worse verdict on the same order replaces the first; the order's reports keep both. */
export function saveScreening(
  { tx, keyring, now }: Pick<Work, 'tx' | 'keyring' | 'now'>,
  { platformId, id, providerId, subject }: Order,
  { verdict, listVersion, matches }: Pick<Screening, 'verdict' | 'listVersion' | 'matches'>,
): void {
  tx.queueWrite(
    sql`insert into screenings (platform_id, order_id, provider_id, subject, verdict, list_version, matches, decided_at)
        values (${platformId}, ${id}, ${providerId}, ${subject}, ${verdict}, ${listVersion},
          ${seal(keyring, PURPOSE, JSON.stringify(matches), id)}, ${now})
        on conflict (platform_id, order_id) do update set verdict = excluded.verdict,
          list_version = excluded.list_version, matches = excluded.matches, decided_at = excluded.decided_at`,
  )
}

export async function findVerdictOf(
  { tx }: Pick<Work, 'tx'>,
  { platformId, id }: Order,
): Promise<Verdict | undefined> {
  const row = await tx.maybe<{ verdict: Verdict }>(
    sql`select verdict from screenings where platform_id = ${platformId} and order_id = ${id}`,
  )
  return row?.verdict
}

export async function findLatestVerdict(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  subject: string,
): Promise<Verdict | undefined> {
  const row = await tx.maybe<{ verdict: Verdict }>(
    sql`select verdict from screenings where platform_id = ${platform.id} and subject = ${subject}
        order by decided_at desc, order_id desc limit 1`,
  )
  return row?.verdict
}

/** Of a subject that was screened. */
export async function findPlatformOfSubject(
  tx: Tx,
  subject: string,
): Promise<Id<'platform'> | undefined> {
  const row = await tx.maybe<{ platformId: Id<'platform'> }>(
    sql`select platform_id from screenings where subject = ${subject} limit 1`,
  )
  return row?.platformId
}

/** Whether an account is unusable for what a provider found about it (PROV-107). */
export async function hasBlock(
  { tx, platform }: Pick<Work, 'tx' | 'platform'>,
  subject: string,
): Promise<boolean> {
  const { has } = await tx.one<{ has: boolean }>(
    sql`select exists (select from screenings
          where platform_id = ${platform.id} and subject = ${subject} and verdict = 'BLOCK') as has`,
  )
  return has
}

/** About any of the subjects, of any platform, newest first, for reviewers. */
export async function listScreenings(
  { tx, keyring }: Reading,
  subjects: readonly string[],
): Promise<Screening[]> {
  const rows = await tx.many<Omit<Screening, 'matches'> & { matches: Buffer | null }>(
    sql`select order_id, subject, provider_id, verdict, list_version, matches, decided_at from screenings
        where subject = any(${subjects}::text[]) order by decided_at desc, order_id desc`,
  )
  return rows.map(({ matches, ...row }) => ({
    ...row,
    matches: matches
      ? (JSON.parse(
          unseal(keyring, PURPOSE, matches, row.orderId).toString('utf8'),
        ) as readonly Match[])
      : [],
  }))
}
