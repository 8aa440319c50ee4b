import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

export type Reveal = Readonly<{
  platformId: Id<'platform'>
  cardId: Id<'card'>
  /** The page that may hold it in a frame; null: those that the operator named. */
  parentOrigin: string | null
  expiresAt: Date
}>

/** With the origins that the operator named for its platform. */
export type FoundReveal = Reveal & Readonly<{ cardOrigins: readonly string[] }>

export async function insertReveal(
  tx: Tx,
  reveal: Reveal & Readonly<{ digest: Buffer; actor: string; createdAt: Date }>,
): Promise<void> {
  await tx.run(
    sql`insert into card_reveals (platform_id, digest, card_id, parent_origin, actor, created_at, expires_at)
        values (${reveal.platformId}, ${reveal.digest}, ${reveal.cardId}, ${reveal.parentOrigin}, ${reveal.actor},
          ${reveal.createdAt}, ${reveal.expiresAt})`,
  )
}

/** Of whichever platform: who opens a link does not say. */
export async function findRevealByDigest(tx: Tx, digest: Buffer): Promise<FoundReveal | undefined> {
  return tx.maybe<FoundReveal>(
    sql`select r.platform_id, r.card_id, r.parent_origin, r.expires_at, p.card_origins
        from card_reveals r join platforms p on p.id = r.platform_id where r.digest = ${digest}`,
  )
}
