import type { Id } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type Reveal = Readonly<{
  platformId: Id<'platform'>
  cardId: Id<'card'>
  /** The page that may hold it in a frame; null: any. */
  parentOrigin: string | null
  expiresAt: Date
}>

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
export async function findRevealByDigest(tx: Tx, digest: Buffer): Promise<Reveal | undefined> {
  return tx.maybe<Reveal>(
    sql`select platform_id, card_id, parent_origin, expires_at from card_reveals where digest = ${digest}`,
  )
}
