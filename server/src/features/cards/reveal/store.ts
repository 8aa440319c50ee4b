import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

export type Reveal = Readonly<{
  platformId: Id<'platform'>
  cardId: Id<'card'>
  /** The page that may frame the card number; null means the origins that the operator named. */
  parentOrigin: string | null
  expiresAt: Date
}>

/** A reveal with the origins that the operator named for the platform. */
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

/** Searches all platforms, because a link does not name one. */
export async function findRevealByDigest(tx: Tx, digest: Buffer): Promise<FoundReveal | undefined> {
  return tx.find<FoundReveal>(
    sql`select r.platform_id, r.card_id, r.parent_origin, r.expires_at, p.card_origins
        from card_reveals r join platforms p on p.id = r.platform_id where r.digest = ${digest}`,
  )
}

type VaultKey = Readonly<{ platformId: Id<'platform'>; cardId: Id<'card'> }>

export async function insertSealed(
  tx: Tx,
  { platformId, cardId, sealed }: VaultKey & { sealed: Buffer },
): Promise<void> {
  await tx.run(
    sql`insert into card_vault (platform_id, card_id, sealed) values (${platformId}, ${cardId}, ${sealed})`,
  )
}

export async function findSealed(
  tx: Tx,
  { platformId, cardId }: VaultKey,
): Promise<Buffer | undefined> {
  const row = await tx.find<{ sealed: Buffer }>(
    sql`select sealed from card_vault where platform_id = ${platformId} and card_id = ${cardId}`,
  )
  return row?.sealed
}
