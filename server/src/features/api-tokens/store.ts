import type { Id } from '../../kernel/ids.ts'
import type { Permission } from '../../kernel/permissions.ts'
import { sql } from '../../infra/db/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'

export type ApiToken = Readonly<{
  id: Id<'token'>
  name: string
  permissions: readonly Permission[]
  createdAt: Date
  updatedAt: Date
}>

export async function insertToken(
  tx: Tx,
  platformId: Id<'platform'>,
  token: ApiToken & { secretDigest: Buffer },
): Promise<void> {
  await tx.run(
    sql`insert into api_tokens (platform_id, id, name, permissions, secret_digest, created_at, updated_at)
        values (${platformId}, ${token.id}, ${token.name}, ${token.permissions}::text[], ${token.secretDigest},
          ${token.createdAt}, ${token.updatedAt})`,
  )
}
