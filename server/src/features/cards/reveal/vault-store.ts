import type { Id } from '../../../kernel/ids.ts'
import { sql } from '../../../infra/db/sql.ts'
import type { Tx } from '../../../infra/db/tx.ts'

type Place = Readonly<{ platformId: Id<'platform'>; cardId: Id<'card'> }>

export async function insertSealed(
  tx: Tx,
  { platformId, cardId, sealed }: Place & { sealed: Buffer },
): Promise<void> {
  await tx.run(
    sql`insert into card_vault (platform_id, card_id, sealed) values (${platformId}, ${cardId}, ${sealed})`,
  )
}

export async function findSealed(
  tx: Tx,
  { platformId, cardId }: Place,
): Promise<Buffer | undefined> {
  const row = await tx.maybe<{ sealed: Buffer }>(
    sql`select sealed from card_vault where platform_id = ${platformId} and card_id = ${cardId}`,
  )
  return row?.sealed
}
